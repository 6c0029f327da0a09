"""What a bot has seen in a round: what lies in the piles, and which cards are unseen."""

from collections import Counter
from collections.abc import Iterable

from shoal.client import pb
from shoal.client.cards import Face, deck_of, face_of, table_of


class Memory:
    """The public past of one match, gathered from its events.

    `piles` hold what lies in them as far as it was seen, bottom first. A card that somebody picked out
    of the middle unseen is still listed, and counted in `ghosts`, until a card like it is shown
    elsewhere. What it knows of other hands is in every observation.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self.piles: list[list[Face]] = [[], []]
        self.ghosts = [0, 0]

    def hear(self, events: Iterable[pb.Event]) -> None:
        """Remember what happened."""
        for event in events:
            self._hear(event)

    def cards_of(self, observation: pb.Observation, seat: int) -> list[Face]:
        """Return the cards in another seat's hand that are known now."""
        player = observation.seats[seat]
        cards = player.revealed_hand if player.hand_revealed else player.known_hand
        return [face_of(card) for card in cards]

    def unseen(self, observation: pb.Observation) -> dict[Face, int]:
        """Return how many cards of each face may be in the deck or unknown in other hands."""
        left = Counter(deck_of(observation.ruleset))
        left.subtract(face_of(card) for card in observation.hand)
        if observation.pending_kind != pb.DECISION_KIND_SWAP:  # a hand that is counted below
            left.subtract(face_of(card) for card in observation.shown)
        if observation.HasField("shield"):
            left[face_of(observation.shield)] -= 1
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
            case "cards_taken":
                taken = event.cards_taken
                if taken.HasField("pile"):
                    self._take_top(taken.pile, taken.cards[0])
            case "card_kept":
                kept = event.card_kept
                if kept.HasField("pile"):
                    self.piles[kept.pile].append(face_of(kept.discarded))
            case "duo_played":
                self._lay([event.duo_played.first, event.duo_played.second])
            case "trio_played":
                trio = event.trio_played
                self._lay([trio.first, trio.second, trio.third])
            case "pile_searched":
                searched = event.pile_searched
                if searched.cards:
                    self.piles[searched.pile] = [face_of(card) for card in searched.cards]
                    self.ghosts[searched.pile] = 0
            case "card_picked":
                self._picked(event.card_picked)
            case "card_stolen":
                if event.card_stolen.HasField("card"):
                    self._lay([event.card_stolen.card])
            case "hand_seen":
                self._lay(event.hand_seen.hand)
            case "hand_revealed":
                self._lay(event.hand_revealed.hand)
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
            pile.pop()
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

    def _lay(self, cards: Iterable[pb.Card]) -> None:
        """Note that cards were shown which lay in a hand: so a ghost like one of them is in no pile."""
        for card in cards:
            face = face_of(card)
            for pile, seen in enumerate(self.piles):
                if self.ghosts[pile] and face in seen:
                    seen.remove(face)
                    self.ghosts[pile] -= 1
                    break
