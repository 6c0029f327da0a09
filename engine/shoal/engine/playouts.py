"""Random playouts: how fast the engine plays, measured the way a searching bot would use it."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import shake_256
from itertools import cycle

from shoal.engine.play import apply, new_match
from shoal.engine.ruleset import Ruleset

_DICE_BYTES = 1024


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
    """Play one match and return its number of moves, chosen by 16-bit words of a hash."""
    name = b"playout %d %d" % (seed, number)
    state = new_match(ruleset, seats, name)
    for moves, word in enumerate(cycle(array("H", shake_256(name).digest(_DICE_BYTES)))):
        asked = state.asked
        if asked is None:
            return moves
        options = asked.options
        apply(state, options[word * len(options) >> 16])
    raise AssertionError("the dice never end")
