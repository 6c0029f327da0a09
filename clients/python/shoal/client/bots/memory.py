"""What a bot has seen in a round: the piles, the cards it knows in other hands, and what is unseen."""

from collections import Counter
from collections.abc import Iterable

from shoal.client import pb
from shoal.client.cards import DECK, Face, face_of, table_of


class Memory:
    """The public past of one match, gathered from its events.

    `piles` hold what lies in them as far as it was seen, bottom first; a card that somebody took out
    of the middle is still listed. `known` are cards that a seat has shown and not played since.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self.piles: list[list[Face]] = [[], []]
        self.known: dict[int, Counter[Face]] = {}

    def hear(self, events: Iterable[pb.Event]) -> None:
        """Remember what happened."""
        for event in events:
            self._hear(event)

    def cards_of(self, observation: pb.Observation, seat: int) -> list[Face]:
        """Return the cards in another seat's hand that are known now."""
        player = observation.players[seat]
        if player.hand_revealed:
            return [face_of(card) for card in player.revealed_hand]
        known = self.known.get(seat, Counter())
        return list(known.elements())[: player.hand_size]

    def unseen(self, observation: pb.Observation) -> dict[Face, int]:
        """Return how many cards of each face may be in the deck or unknown in other hands."""
        left = Counter(DECK)
        left.subtract(face_of(card) for card in observation.hand)
        left.subtract(face_of(card) for card in observation.revealed)
        for seat, player in enumerate(observation.players):
            for group in table_of(player):
                left.subtract(group)
            if seat != observation.seat:
                left.subtract(self.cards_of(observation, seat))
        searching = observation.pending_kind == pb.DECISION_KIND_PICK
        for seen, pile in zip(self.piles, observation.piles, strict=True):
            if seen:
                left.subtract(() if searching and len(observation.revealed) == pile.size else seen)
            elif pile.HasField("top"):
                left.subtract([face_of(pile.top)])
        return {face: count for face, count in left.items() if count > 0}

    def _hear(self, event: pb.Event) -> None:
        match event.WhichOneof("kind"):
            case "round_started":
                self.piles = [[face_of(card)] for card in event.round_started.piles]
                self.known.clear()
            case "cards_taken":
                taken = event.cards_taken
                if taken.HasField("pile"):
                    self._show(taken.seat, taken.cards)
                    del self.piles[taken.pile][-1:]
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
            case "card_picked":
                self._picked(event.card_picked)
            case "card_stolen":
                stolen = event.card_stolen
                if stolen.HasField("card"):
                    self._forget(stolen.victim, stolen.card)
                    self._show(stolen.seat, [stolen.card])
            case _:
                pass

    def _picked(self, picked: pb.CardPicked) -> None:
        """Take the picked card out of its pile, where it is known which one it was."""
        pile = self.piles[picked.pile]
        if picked.HasField("card"):
            card = face_of(picked.card)
            if card in pile:
                pile.remove(card)
        elif pile and (not picked.HasField("top") or face_of(picked.top) != pile[-1]):
            self.known.setdefault(picked.seat, Counter())[pile.pop()] += 1

    def _show(self, seat: int, cards: Iterable[pb.Card]) -> None:
        self.known.setdefault(seat, Counter()).update(face_of(card) for card in cards)

    def _forget(self, seat: int, card: pb.Card) -> None:
        known = self.known.get(seat)
        if known and known[face_of(card)] > 0:
            known[face_of(card)] -= 1
