"""What a bot has seen in a round: the piles, the cards it knows in other hands, and what is unseen."""

from collections import Counter
from collections.abc import Iterable

from shoal.client import pb
from shoal.client.cards import DECK, Face, face_of, table_of


class Memory:
    """The public past of one match, gathered from its events.

    `piles` hold what lies in them as far as it was seen, bottom first. A card that somebody picked out
    of the middle unseen is still listed, and counted in `ghosts`, until a card like it is shown
    elsewhere. `known` are cards that a seat has shown and surely still has in hand.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self.piles: list[list[Face]] = [[], []]
        self.ghosts = [0, 0]
        self.known: dict[int, Counter[Face]] = {}

    def hear(self, events: Iterable[pb.Event]) -> None:
        """Remember what happened."""
        for event in events:
            self._hear(event)

    def cards_of(self, observation: pb.Observation, seat: int) -> list[Face]:
        """Return the cards in another seat's hand that are known now."""
        player = observation.seats[seat]
        if player.hand_revealed:
            return [face_of(card) for card in player.revealed_hand]
        known = self.known.get(seat, Counter())
        return list(known.elements())[: player.hand_size]

    def unseen(self, observation: pb.Observation) -> dict[Face, int]:
        """Return how many cards of each face may be in the deck or unknown in other hands."""
        left = Counter(DECK)
        left.subtract(face_of(card) for card in observation.hand)
        left.subtract(face_of(card) for card in observation.shown)
        for seat, player in enumerate(observation.seats):
            for group in table_of(player):
                left.subtract(group)
            if seat != observation.seat:
                left.subtract(self.cards_of(observation, seat))
        searching = observation.pending_kind == pb.DECISION_KIND_PICK
        for seen, pile in zip(self.piles, observation.piles, strict=True):
            if seen:
                left.subtract(() if searching and len(observation.shown) == pile.size else seen)
            elif pile.HasField("top"):
                left.subtract([face_of(pile.top)])
        return {face: count for face, count in left.items() if count > 0}

    def _hear(self, event: pb.Event) -> None:
        match event.WhichOneof("kind"):
            case "round_started":
                self.piles = [[face_of(card)] for card in event.round_started.piles]
                self.ghosts = [0, 0]
                self.known.clear()
            case "cards_taken":
                taken = event.cards_taken
                if taken.HasField("pile"):
                    self._show(taken.seat, taken.cards)
                    self._take_top(taken.pile, taken.cards[0])
            case "card_kept":
                kept = event.card_kept
                if kept.HasField("pile"):
                    self.piles[kept.pile].append(face_of(kept.discarded))
            case "duo_played":
                duo = event.duo_played
                self._forget(duo.seat, duo.first)
                self._forget(duo.seat, duo.second)
            case "pile_searched":
                searched = event.pile_searched
                if searched.cards:
                    self.piles[searched.pile] = [face_of(card) for card in searched.cards]
                    self.ghosts[searched.pile] = 0
            case "card_picked":
                self._picked(event.card_picked)
            case "card_stolen":
                stolen = event.card_stolen
                if stolen.HasField("card"):
                    self._forget(stolen.victim, stolen.card)
                    self._show(stolen.seat, [stolen.card])
                else:  # it may have been any of them
                    self.known.pop(stolen.victim, None)
            case "hand_revealed":
                revealed = event.hand_revealed
                for card in revealed.hand:
                    self._forget(revealed.seat, card)
            case _:
                pass

    def _take_top(self, pile: int, card: pb.Card) -> None:
        """Take away the top card of a pile, which everybody saw."""
        face = face_of(card)
        self._trim(pile, face)
        cards = self.piles[pile]
        if face in cards:
            del cards[len(cards) - 1 - cards[::-1].index(face)]

    def _picked(self, picked: pb.CardPicked) -> None:
        """Take the picked card out of its pile, where it is known which one it was."""
        pile = self.piles[picked.pile]
        top = face_of(picked.top) if picked.HasField("top") else None
        top_is_gone = bool(pile) and top != pile[-1]
        if picked.HasField("card"):
            card = face_of(picked.card)
            if top_is_gone:
                pile.pop()
            elif card in pile:
                pile.remove(card)
        elif top_is_gone and not self.ghosts[picked.pile]:
            self.known.setdefault(picked.seat, Counter())[pile.pop()] += 1
        else:
            self.ghosts[picked.pile] += 1
        self._trim(picked.pile, top)

    def _trim(self, pile: int, top: Face | None) -> None:
        """Forget the ghosts that are listed above the top card, or all when the pile is empty."""
        cards = self.piles[pile]
        if top is None:
            cards.clear()
            self.ghosts[pile] = 0
        while self.ghosts[pile] and cards and cards[-1] != top:
            cards.pop()
            self.ghosts[pile] -= 1

    def _show(self, seat: int, cards: Iterable[pb.Card]) -> None:
        self.known.setdefault(seat, Counter()).update(face_of(card) for card in cards)

    def _forget(self, seat: int, card: pb.Card) -> None:
        """Note that a seat showed a card: one that it was known to have, or perhaps a ghost."""
        face = face_of(card)
        known = self.known.get(seat)
        if known and known[face] > 0:
            known[face] -= 1
            return
        for pile, cards in enumerate(self.piles):
            if self.ghosts[pile] and face in cards:
                cards.remove(face)
                self.ghosts[pile] -= 1
                return
