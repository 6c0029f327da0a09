"""What is asked: the options of every pending decision, and what silence means. Legality is here.

Options are canonical, in a fixed order (docs/engine.md, "Options"). Decisions that come up again
and again are made once and shared: they never change.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

from shoal.engine.cards import Card
from shoal.engine.counts import MERMAIDS
from shoal.engine.drawing import DRAWINGS
from shoal.engine.effects import EFFECTS, Target
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import (
    SEATS,
    EndTurn,
    Move,
    PickCard,
    PlayDuo,
    TakeDeck,
    TakePile,
)
from shoal.engine.remembered import Remembered
from shoal.engine.scoring import points_of
from shoal.engine.zones import cards_in_hand

_PLAY_KIND = DecisionKind.PLAY
_END_TURN = EndTurn()
_NO_CALLS: tuple[Move, ...] = ()


def _take_decisions(seat: int) -> tuple[Decision | None, ...]:
    """Return what TAKE asks a seat, by what there is: deck 4, pile 0 2, pile 1 1, added up.

    The deck comes first, then the piles; the default is the first of them.
    """
    decisions: list[Decision | None] = [None]
    for there_is in range(1, 8):
        moves: tuple[Move, ...] = (TakeDeck(), TakePile(0), TakePile(1))
        options = tuple(move for move, bit in zip(moves, (4, 2, 1), strict=True) if there_is & bit)
        decisions.append(Decision(seat, DecisionKind.TAKE, options, options[0]))
    return tuple(decisions)


_TAKE = tuple(_take_decisions(seat) for seat in SEATS)
_TAKE_ANY = tuple(decisions[-1] for decisions in _TAKE)


def take_question(state: State, pending: Pending) -> Decision | None:
    """Ask which card to take; None, to be skipped, when there is nothing at all (rules 3.1)."""
    pile_0, pile_1 = state.piles
    if pile_0 and pile_1 and state.deck:
        return _TAKE_ANY[pending.seat]
    there_is = (4 if state.deck else 0) | (2 if pile_0 else 0) | (1 if pile_1 else 0)
    return _TAKE[pending.seat][there_is]


def keep_question(state: State, pending: Pending) -> Decision:
    """Ask which drawn card to keep, and where the other goes (rules 3.2).

    Drawn cards ascending, each with each pile; an empty pile must be filled first.
    """
    drawing = DRAWINGS[pending.seat][pending.drawn]
    pile_0, pile_1 = state.piles
    if pile_0:
        return drawing.either_pile if pile_1 else drawing.pile_1
    return drawing.pile_0


def play_question(state: State, pending: Pending) -> Decision | None:
    """Ask what to play, or how to end the turn; the default is to end it (rules 3.3, 3.4).

    None, when the seat shows mermaids instead and wins (rules 6).

    Ending the turn comes first, then the calls, then the duos: in the order of the ruleset's rows,
    each different pair ascending with each target ascending.
    """
    seat = pending.seat
    terms = state.terms[seat]
    in_hand = state.in_hand[seat]
    if in_hand & MERMAIDS >= terms.winning_mermaids and seat not in state.left:
        return None
    may_call = state.caller is None and points_of(state, seat) >= terms.call_points
    calls = terms.calls if may_call else _NO_CALLS
    duos = terms.worth.possible_duos[in_hand & terms.worth.duo_mask]
    if not duos:
        return _NO_DUOS[seat][calls]
    options = _NO_DUOS[seat][calls].options
    for first, second, effect in duos:
        firsts = cards_in_hand(state, seat, first)
        seconds = None if first == second else cards_in_hand(state, seat, second)
        options += _DUO_MOVES[firsts, seconds, EFFECTS[effect].targets(state, seat)]
    return Decision(seat, _PLAY_KIND, options, _END_TURN)


def _play_decision(seat: int, calls: tuple[Move, ...]) -> Decision:
    """Return what PLAY asks a seat that has no duo."""
    return Decision(seat, _PLAY_KIND, (_END_TURN, *calls), _END_TURN)


_NO_DUOS = tuple(Remembered(partial(_play_decision, seat)) for seat in SEATS)


_Cards: TypeAlias = tuple[Card, ...]


def _duo_moves(key: tuple[_Cards, _Cards | None, tuple[Target, ...]]) -> tuple[Move, ...]:
    """Return the pairs of one duo, of a single kind when `seconds` is None, with each target."""
    firsts, seconds, targets = key
    pairs = combinations(firsts, 2) if seconds is None else product(firsts, seconds)
    different = sorted(set(pairs))
    return tuple(PlayDuo(*pair, target) for pair in different for target in targets)


_DUO_MOVES = Remembered(_duo_moves)


def pick_question(state: State, pending: Pending) -> Decision:
    """Ask which card of the searched pile to take; the default is its top card (rules 4.1).

    Options go from the top down. Equal cards lying on each other leave the same pile behind
    whichever is taken, so that they are one option.
    """
    assert pending.pile is not None
    above: dict[Card, int] = {}
    options: list[Move] = []
    last: Card | None = None
    for card in reversed(state.piles[pending.pile]):
        copy = above.get(card, 0)
        above[card] = copy + 1
        if card != last:
            options.append(PickCard(card, copy))
        last = card
    return Decision(pending.seat, DecisionKind.PICK, tuple(options), options[0])


QUESTIONS: Mapping[DecisionKind, Callable[[State, Pending], Decision | None]] = {
    DecisionKind.TAKE: take_question,
    DecisionKind.KEEP: keep_question,
    DecisionKind.PLAY: play_question,
    DecisionKind.PICK: pick_question,
}
"""What a pending decision of each kind asks now; None means that there is nothing to ask."""
