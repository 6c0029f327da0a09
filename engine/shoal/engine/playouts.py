"""Random playouts: how fast the engine plays, measured the way a searching bot would use it."""

from collections.abc import Callable
from dataclasses import dataclass

from shoal.engine.play import apply, decision, new_match
from shoal.engine.ruleset import Ruleset

_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class PlayoutStats:
    """How many moves and whole matches were played, and in how many seconds."""

    moves: int
    matches: int
    seconds: float

    @property
    def moves_per_s(self) -> float:
        """Moves in a second; 0 when no time has passed."""
        return self.moves / self.seconds if self.seconds else 0.0


def random_playouts(
    ruleset: Ruleset,
    seats: int,
    clock: Callable[[], float],
    *,
    matches: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> PlayoutStats:
    """Play whole matches of uniformly random legal moves, events included.

    Stop after so many `matches`, or at the end of the first match after so many `seconds`,
    whichever comes first; one match when neither is given. `clock` returns seconds, such as
    `time.perf_counter`: the engine has no clock of its own. Equal seeds play equal matches.
    """
    if matches is None and seconds is None:
        matches = 1
    moves = 0
    played = 0
    started = clock()
    elapsed = 0.0
    while (matches is None or played < matches) and (seconds is None or elapsed < seconds):
        moves += _play_one(ruleset, seats, seed, played)
        played += 1
        elapsed = clock() - started
    return PlayoutStats(moves, played, elapsed)


def _play_one(ruleset: Ruleset, seats: int, seed: int, number: int) -> int:
    """Play one match and return its number of moves; moves come from a small generator (LCG)."""
    state = new_match(ruleset, seats, b"playout %d %d" % (seed, number))
    word = (seed * 0x9E3779B1 + number * 0x85EBCA6B + 1) & _WORD
    moves = 0
    while (asked := decision(state)) is not None:
        options = asked.options
        word = (word * 1664525 + 1013904223) & _WORD
        apply(state, options[word * len(options) >> 32])
        moves += 1
    return moves
