"""What drawing cards off the deck leads to, made once for each seat and drawn cards."""

from dataclasses import dataclass
from functools import partial

from shoal.engine.cards import Card
from shoal.engine.events import Took
from shoal.engine.model import Decision, DecisionKind, Pending
from shoal.engine.moves import SEATS, Keep
from shoal.engine.remembered import Remembered


@dataclass(frozen=True, slots=True)
class Drawing:
    """A seat has drawn these cards: what it is told, and what it is asked.

    The other card goes to `pile_0` or `pile_1`, which is empty and must be filled, or to
    `either_pile` (rules 3.2).
    """

    pending: Pending
    took: Took
    pile_0: Decision
    pile_1: Decision
    either_pile: Decision


def _drawing(seat: int, drawn: tuple[Card, ...]) -> Drawing:
    """Return what follows from drawing one card, or two of them ascending."""

    def ask(*piles: int) -> Decision:
        options = tuple([Keep(card, pile) for card in sorted(set(drawn)) for pile in piles])
        return Decision(seat, DecisionKind.KEEP, options, options[0])

    if len(drawn) == 1:
        options = (Keep(drawn[0], None),)
        ask_nothing = Decision(seat, DecisionKind.KEEP, options, options[0])
        pile_0 = pile_1 = either_pile = ask_nothing
    else:
        pile_0, pile_1, either_pile = ask(0), ask(1), ask(0, 1)
    return Drawing(
        pending=Pending(DecisionKind.KEEP, seat, drawn),
        took=Took(seat, None, len(drawn), drawn),
        pile_0=pile_0,
        pile_1=pile_1,
        either_pile=either_pile,
    )


DRAWINGS: tuple[Remembered[tuple[Card, ...], Drawing], ...] = tuple(
    Remembered(partial(_drawing, seat)) for seat in SEATS
)
"""By seat, and by the drawn cards, ascending."""
