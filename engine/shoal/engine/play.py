"""How a match is played: start it, ask what is to be decided, apply the answer."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from shoal.engine.answers import CARRY_OUT
from shoal.engine.awards import shuffle_event_cards
from shoal.engine.chance import Chance, KeyedChance, Purpose
from shoal.engine.errors import BadSetup, IllegalMove, Reason
from shoal.engine.events import (
    Event,
    SeatLeft,
)
from shoal.engine.luck import pick
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import (
    Move,
)
from shoal.engine.questions import QUESTIONS
from shoal.engine.results import Ending, Result
from shoal.engine.rounds import (
    end_match,
    start_round,
    win_by_mermaids,
)
from shoal.engine.ruleset import Ruleset

MAX_SEED_BYTES = 64


def new_match(ruleset: Ruleset, seats: int, seed: bytes) -> State:
    """Return a match whose first round is dealt.

    All chance follows from `seed` (1 to 64 bytes, 32 where it must stay secret). Raise BadSetup for
    another length, or a number of seats that the ruleset has no target for.
    """
    if not 1 <= len(seed) <= MAX_SEED_BYTES:
        raise BadSetup(f"a seed has 1 to {MAX_SEED_BYTES} bytes, not {len(seed)}")
    return new_match_with(ruleset, seats, KeyedChance(seed))


def new_match_with(ruleset: Ruleset, seats: int, chance: Chance) -> State:
    """Return a match whose first round is dealt by the given chance; raise BadSetup."""
    if seats not in ruleset.targets:
        raise BadSetup(f"{ruleset.name} is not for {seats} seats")
    state = State()
    state.rules = ruleset
    state.seats = seats
    state.chance = chance
    state.uses = {}
    state.round = 0
    state.totals = [0] * seats
    state.last_points = [0] * seats
    state.left = []
    state.result = None
    shuffle_event_cards(state)
    start_round(state, pick(state, Purpose.STARTER, seats), [])
    _ask(state, [])
    return state


def decision(state: State) -> Decision | None:
    """Return what is being asked, or None when the match is over."""
    return state.asked


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the options of the open decision; none when the match is over."""
    asked = state.asked
    return () if asked is None else asked.options


def result(state: State) -> Result | None:
    """Return the outcome, or None while the match goes on."""
    return state.result


def apply(state: State, move: Move) -> list[Event]:
    """Answer the open decision, and return what happened, up to the next decision.

    Raise IllegalMove, and change nothing, unless the move is one of `legal_moves`.
    """
    asked = state.asked
    if asked is None:
        raise IllegalMove(Reason.MATCH_OVER)
    if move not in asked.options:
        raise IllegalMove(Reason.NOT_AN_OPTION)
    events: list[Event] = []
    CARRY_OUT[type(move)](state, move, events)
    _ask(state, events)
    return events


def leave(state: State, seat: int) -> list[Event]:
    """Let a seat leave: its decisions take their default from now on (rules 7.2).

    Return what happened, up to the next decision of a seat in play. Raise IllegalMove, and change
    nothing, when the match is over or the seat has left already.
    """
    if state.result is not None:
        raise IllegalMove(Reason.MATCH_OVER)
    if not 0 <= seat < state.seats:
        raise IllegalMove(Reason.NO_SUCH_SEAT)
    if seat in state.left:
        raise IllegalMove(Reason.SEAT_HAS_LEFT)
    events: list[Event] = [SeatLeft(seat)]
    state.left.append(seat)
    in_play = [other for other in range(state.seats) if other not in state.left]
    if len(in_play) == 1:
        end_match(state, Ending.LAST_SEAT, in_play[0], events)
    _ask(state, events)
    return events


def _ask(state: State, events: list[Event]) -> None:
    """Go on to the next decision of a seat in play: the top of the stack, or the end."""
    while state.pending:
        pending = state.pending[-1]
        asked = QUESTIONS[pending.kind](state, pending)
        if asked is None:
            _UNASKED[pending.kind](state, pending, events)
        elif state.left and pending.seat in state.left:
            CARRY_OUT[type(asked.default)](state, asked.default, events)
        else:
            state.asked = asked
            return
    state.asked = None


def _skip(state: State, _pending: Pending, _events: list[Event]) -> None:
    """Go on without an answer: there is nothing to take (rules 3.1)."""
    state.pending.pop()


def _win(state: State, pending: Pending, events: list[Event]) -> None:
    """End the match for the seat that is about to play with enough mermaids (rules 6)."""
    win_by_mermaids(state, pending.seat, events)


_Unasked: TypeAlias = Callable[[State, Pending, list[Event]], None]

_UNASKED: Mapping[DecisionKind, _Unasked] = {DecisionKind.TAKE: _skip, DecisionKind.PLAY: _win}
"""What follows where a decision of this kind has nothing to ask."""
