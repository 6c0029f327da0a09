"""What applies to one seat right now: its thresholds, and what may be done to it.

Every rule that a card or an event could change for one seat is asked here, of (state, seat).
"""

from shoal.engine.model import State
from shoal.engine.moves import LastChance, Move, Stop
from shoal.engine.scoring import points_of

_NO_CALLS: tuple[Move, ...] = ()
_BOTH_CALLS: tuple[Move, ...] = (Stop(), LastChance())


def target_of(state: State) -> int:
    """Return the total that ends the match (rules 1)."""
    return state.rules.targets[state.seats]


def mermaids_to_win(state: State, _seat: int) -> int:
    """Return how many mermaids win the match for this seat (rules 6)."""
    return state.rules.mermaids_to_win


def call_points(state: State, _seat: int) -> int:
    """Return how many card points this seat needs to end the round (rules 3.4)."""
    return state.rules.call_points


def calls_of(state: State, seat: int) -> tuple[Move, ...]:
    """Return the ways in which this seat may end the round now (rules 3.4)."""
    if state.caller is None and points_of(state, seat) >= call_points(state, seat):
        return _BOTH_CALLS
    return _NO_CALLS


def seats_to_rob(state: State, thief: int) -> list[int]:
    """Return the opponents whose hand can be stolen from: not empty, not revealed (rules 4.4)."""
    return [
        seat
        for seat in range(state.seats)
        if seat != thief and state.hands[seat] and not state.revealed[seat]
    ]


def can_take(state: State) -> bool:
    """Tell whether deck or piles have a card to take (rules 3.1)."""
    return bool(state.deck or state.piles[0] or state.piles[1])
