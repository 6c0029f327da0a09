"""The unit of play: the same table once in every rotation of its seats, each match with a fresh deal.

Only a whole block gives points; ratings go by each match that was played. A match that was not played (void,
or somebody did not come) is played again in the same rotation. One rotation may fail `FAILURES` times; with
the last of them the block is over and nothing of it counts as played:

- **forfeit** if the same bots, and not all of them, were absent each time: they lose to those who came;
- **void** otherwise: it is nobody's fault, or everybody's.

What ends after a block is over changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

FAILURES: Final = 3
"""How often one rotation of a block may fail to be played before the block is over."""


@unique
class Ending(Enum):
    """How a match of a block ended."""

    PLAYED = "played"
    VOID = "void"
    NO_SHOW = "no-show"


@unique
class State(Enum):
    """How far a block is. Once it is not open it never changes."""

    OPEN = "open"
    COMPLETE = "complete"
    FORFEIT = "forfeit"
    VOID = "void"


@final
@dataclass(frozen=True, slots=True)
class Attempt:
    """One match of a block that has ended.

    `placements` are by seat, 1 is the best, equal seats share one; empty unless it was played. `absent`
    are the seats that did not come, empty unless it is a no-show.
    """

    rotation: int
    ending: Ending
    placements: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """What the attempts so far have made of a block.

    `placements` maps a rotation that was played to the placements by position in the table. `failures`
    has what every rotation that failed did so for: the bots that were absent, each time.
    """

    state: State = State.OPEN
    placements: dict[int, tuple[int, ...]] = field(default_factory=dict)
    failures: dict[int, tuple[frozenset[str], ...]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    """Who forfeits."""


def seating(bots: Sequence[str], rotation: int) -> tuple[str, ...]:
    """Return the bots by seat: in rotation 0 as in the table, then everybody one seat further down."""
    return tuple(bots[_position(seat, rotation, len(bots))] for seat in range(len(bots)))


def progress(bots: Sequence[str], attempts: Sequence[Attempt]) -> Progress:
    """Return how far a block is after these attempts, in the order in which they ended.

    Raises ValueError for an attempt that cannot be one of this table, or a rotation that was played
    twice: then something was counted that should not have been.
    """
    so_far = Progress()
    for attempt in attempts:
        _check(bots, attempt)
        if so_far.state is State.OPEN:
            so_far = _after(so_far, bots, attempt)
        elif attempt.ending is Ending.PLAYED and attempt.rotation in so_far.placements:
            raise ValueError(f"rotation {attempt.rotation} was played twice")
    return so_far


def wanted(bots: Sequence[str], so_far: Progress) -> tuple[int, ...]:
    """Return the rotations that are to be played, or played again; none once the block is over."""
    if so_far.state is not State.OPEN:
        return ()
    return tuple(rotation for rotation in range(len(bots)) if rotation not in so_far.placements)


def _position(seat: int, rotation: int, seats: int) -> int:
    """Return who sits there, as a position in the table."""
    return (seat + rotation) % seats


def _check(bots: Sequence[str], attempt: Attempt) -> None:
    seats = len(bots)
    if not 0 <= attempt.rotation < seats:
        raise ValueError(f"a table of {seats} has no rotation {attempt.rotation}")
    if attempt.ending is Ending.PLAYED and len(attempt.placements) != seats:
        raise ValueError(f"{len(attempt.placements)} placements at a table of {seats}")
    if not all(0 <= seat < seats for seat in attempt.absent):
        raise ValueError(f"a table of {seats} has no seats {sorted(attempt.absent)}")


def _after(so_far: Progress, bots: Sequence[str], attempt: Attempt) -> Progress:
    if attempt.ending is Ending.PLAYED:
        return _after_played(so_far, bots, attempt)
    seated = seating(bots, attempt.rotation)
    gone = frozenset(seated[seat] for seat in attempt.absent)
    causes = (*so_far.failures.get(attempt.rotation, ()), gone)
    failures = {**so_far.failures, attempt.rotation: causes}
    if len(causes) < FAILURES:
        return Progress(State.OPEN, so_far.placements, failures)
    guilty = frozenset.intersection(*causes)
    if guilty and len(guilty) < len(bots):
        return Progress(State.FORFEIT, so_far.placements, failures, guilty)
    return Progress(State.VOID, so_far.placements, failures)


def _after_played(so_far: Progress, bots: Sequence[str], attempt: Attempt) -> Progress:
    if attempt.rotation in so_far.placements:
        raise ValueError(f"rotation {attempt.rotation} was played twice")
    seats = len(bots)
    by_position = [0] * seats
    for seat, placement in enumerate(attempt.placements):
        by_position[_position(seat, attempt.rotation, seats)] = placement
    placements = {**so_far.placements, attempt.rotation: tuple(by_position)}
    state = State.COMPLETE if len(placements) == seats else State.OPEN
    return Progress(state, placements, so_far.failures)
