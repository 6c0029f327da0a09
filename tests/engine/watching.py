"""What somebody knows who watches a match and never forgets, worked out from what it is told.

A second way to what `observe` says that a viewer knows of hands and piles (rules 9.1): nothing here
looks into a state, or uses the engine's memory.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from shoal.engine import (
    Card,
    CardPicked,
    DuoPlayed,
    Event,
    HandSeen,
    Kept,
    Kind,
    Move,
    Observation,
    PickCard,
    PileSearched,
    RoundStarted,
    Shielded,
    Stolen,
    Swapped,
    Took,
    TrioPlayed,
)
from shoal.engine.cards import FACES


class Watcher:
    """One viewer: the cards it knows in each hand, and the piles as it sees them.

    A card of a pile that it does not know is None there. What its own hand holds it is told.
    """

    def __init__(self, seen: Observation) -> None:
        self.viewer = seen.seat
        self.hands: list[Counter[Card]] = [Counter() for _ in range(seen.seats)]
        self.piles: list[list[Card | None]] = [[pile.top] for pile in seen.piles]

    def watch(self, events: Iterable[Event], move: Move | None, seen: Observation) -> None:
        """Take in what the viewer is told of a step, its own move, and the tops that lie there then."""
        for event in events:
            self._hands_after(event)
            self._piles_after(event, move)
        for pile, view in zip(self.piles, seen.piles, strict=True):
            assert len(pile) == view.size
            pile[-1:] = [] if view.top is None else [view.top]

    def known(self, seen: Observation) -> tuple[tuple[Card, ...], ...]:
        """Return the known cards of the hands that the observation does not show."""
        return tuple(
            ()
            if player.seat == self.viewer or player.revealed_hand is not None
            else tuple(sorted(hand.elements()))
            for hand, player in zip(self.hands, seen.players, strict=True)
        )

    def pile_cards(self) -> tuple[tuple[Card, ...], ...]:
        """Return the known cards of the piles, which are on top of the unknown ones."""
        known = tuple(tuple(card for card in pile if card is not None) for pile in self.piles)
        for pile, cards in zip(self.piles, known, strict=True):
            assert tuple(pile[len(pile) - len(cards) :]) == cards
        return known

    def _hands_after(self, event: Event) -> None:
        """Take in what an event says of hands."""
        match event:
            case RoundStarted():
                self.hands = [Counter() for _ in self.hands]
            case Took(seat, int(), _, (card,)):
                self.hands[seat][card] += 1
            case DuoPlayed(seat, first, second):
                self._leave(seat, [first, second])
            case TrioPlayed(seat, first, second, third):
                self._leave(seat, [first, second, third])
            case HandSeen(seat, victim, _, tuple(hand)) if seat == self.viewer:
                self.hands[victim] = Counter(hand)
            case Stolen(thief, victim, card):
                self._pass_on(victim, thief, card)
            case Swapped(seat, victim, given, gained):
                self._pass_on(seat, victim, given)
                self._pass_on(victim, seat, gained)
            case Shielded(seat):
                shells = [card for card in self.hands[seat] if FACES[card].kind is Kind.SHELL]
                for card in shells:
                    del self.hands[seat][card]
            case _:
                pass

    def _leave(self, seat: int, cards: Sequence[Card]) -> None:
        """Cards left a hand before everybody's eyes."""
        self.hands[seat] -= Counter(cards)

    def _pass_on(self, giver: int, taker: int, card: Card | None) -> None:
        """A card went from hand to hand; who does not see it knows nothing of the giver's any more."""
        if card is None:
            self.hands[giver].clear()
        else:
            self._leave(giver, [card])
            self.hands[taker][card] += 1

    def _piles_after(self, event: Event, move: Move | None) -> None:
        """Take in what an event says of piles."""
        match event:
            case RoundStarted(_, _, tops):
                self.piles = [[top] for top in tops]
            case Took(_, int(pile)):
                self.piles[pile].pop()
            case Kept(_, _, int(discarded), int(pile)):
                self.piles[pile].append(discarded)
            case PileSearched(_, pile, _, tuple(cards)):
                self.piles[pile] = list(cards)
            case CardPicked(seat, pile, _, size, top):
                if seat == self.viewer:
                    assert isinstance(move, PickCard)
                    self._pick(self.piles[pile], move)
                elif top == self.piles[pile][-1]:
                    self.piles[pile] = [*[None] * (size - 1), top]
                else:
                    self.piles[pile].pop()
                    self.piles[pile][-1:] = [] if top is None else [top]
            case _:
                pass

    @staticmethod
    def _pick(pile: list[Card | None], move: PickCard) -> None:
        """Take the own pick out of a pile: the card with so many equal ones above it."""
        places = [place for place, card in enumerate(pile) if card == move.card]
        del pile[places[-1 - move.copy]]
