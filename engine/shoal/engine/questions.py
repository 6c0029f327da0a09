"""What is asked: the options of every pending decision, and what silence means. Legality is here.

Options are canonical, in a fixed order (docs/engine.md, "Options"). Decisions that come up again
and again are made once and shared: they never change.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, product

from shoal.engine.cards import FACES, Card
from shoal.engine.effects import EFFECTS
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import (
    MAX_SEATS,
    EndTurn,
    Keep,
    Move,
    PickCard,
    PlayDuo,
    TakeDeck,
    TakePile,
)
from shoal.engine.terms import CALLS, calls_of
from shoal.engine.zones import cards_in_hand

_KEEP_KIND = DecisionKind.KEEP
_PLAY_KIND = DecisionKind.PLAY
_END_TURN = EndTurn()


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


_TAKE = tuple(_take_decisions(seat) for seat in range(MAX_SEATS))
_KEEP = tuple((Keep(card, 0), Keep(card, 1)) for card in range(len(FACES)))
_KEEP_ONLY = tuple(Keep(card, None) for card in range(len(FACES)))


def take_question(state: State, pending: Pending) -> Decision | None:
    """Ask which card to take; None, to be skipped, when there is nothing at all (rules 3.1)."""
    pile_0, pile_1 = state.piles
    there_is = (4 if state.deck else 0) | (2 if pile_0 else 0) | (1 if pile_1 else 0)
    return _TAKE[pending.seat][there_is]


def keep_question(state: State, pending: Pending) -> Decision:
    """Ask which drawn card to keep, and where the other goes (rules 3.2).

    Drawn cards ascending, each with each pile; an empty pile must be filled first.
    """
    drawn = pending.drawn
    pile_0, pile_1 = state.piles
    options: tuple[Move, ...]
    if len(drawn) == 1:
        options = (_KEEP_ONLY[drawn[0]],)
    elif drawn[0] == drawn[1]:
        options = _KEEP[drawn[0]]
        if not (pile_0 and pile_1):
            options = options[1:] if pile_0 else options[:1]
    else:
        first, second = drawn
        if pile_0 and pile_1:
            options = _KEEP[first] + _KEEP[second]
        else:
            pile = 1 if pile_0 else 0
            options = (_KEEP[first][pile], _KEEP[second][pile])
    return Decision(pending.seat, _KEEP_KIND, options, options[0])


def play_question(state: State, pending: Pending) -> Decision:
    """Ask what to play, or how to end the turn; the default is to end it (rules 3.3, 3.4).

    Ending the turn comes first, then the calls, then the duos: in the order of the ruleset's rows,
    each different pair ascending with each target ascending.
    """
    seat = pending.seat
    calls = calls_of(state, seat)
    duos = state.worth.possible_duos[state.in_hand[seat] & state.rules.duo_mask]
    if not duos:
        return _PLAIN[seat, calls]
    options: list[Move] = [_END_TURN, *calls]
    for first, second, effect in duos:
        firsts = cards_in_hand(state, seat, first)
        seconds = None if first == second else cards_in_hand(state, seat, second)
        options += _duo_moves(firsts, seconds, EFFECTS[effect].targets(state, seat))
    return Decision(seat, _PLAY_KIND, tuple(options), _END_TURN)


_PLAIN = {
    (seat, calls): Decision(seat, _PLAY_KIND, (_END_TURN, *calls), _END_TURN)
    for seat in range(MAX_SEATS)
    for calls in CALLS
}


@cache
def _duo_moves(
    firsts: tuple[Card, ...], seconds: tuple[Card, ...] | None, targets: tuple[int | None, ...]
) -> tuple[Move, ...]:
    """Return the pairs of one duo, of a single kind when `seconds` is None, with each target."""
    pairs = combinations(firsts, 2) if seconds is None else product(firsts, seconds)
    different = sorted(set(pairs))
    return tuple(PlayDuo(*pair, target) for pair in different for target in targets)


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
"""What a pending decision of each kind asks now; None means that it has no answer: skip it."""
