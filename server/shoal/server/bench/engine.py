"""How many random moves a second the engine plays in one process, options and events included."""

import platform
import time

from shoal.engine import play, random_playouts, ruleset

_WARM_UP_MATCHES = 200
_SLICE_SECONDS = 0.5


def bench_engine(name: str, seats: int, seconds: float) -> dict[str, object]:
    """Play random matches for so many seconds, and return the figures; raise UnknownRuleset.

    The run is cut into equal slices of about half a second. `moves_per_s` is that of the whole run, and
    `moves_per_cpu_s` the same by the CPU that it got, which others on the machine change less;
    `best_slice_moves_per_s` is what the engine does while nothing else disturbs the machine;
    `compiled` tells whether the engine that was loaded is machine code or Python.
    """
    rules = ruleset(name)
    random_playouts(rules, seats, time.perf_counter, matches=_WARM_UP_MATCHES)
    number = max(1, round(seconds / _SLICE_SECONDS))
    before = time.process_time()
    slices = [
        random_playouts(rules, seats, time.perf_counter, seconds=seconds / number, seed=seed)
        for seed in range(1, number + 1)
    ]
    cpu = time.process_time() - before
    moves = sum(stats.moves for stats in slices)
    matches = sum(stats.matches for stats in slices)
    elapsed = sum(stats.seconds for stats in slices)
    return {
        "ruleset": name,
        "seats": seats,
        "moves": moves,
        "matches": matches,
        "seconds": round(elapsed, 3),
        "moves_per_s": round(moves / elapsed),
        "moves_per_cpu_s": round(moves / cpu),
        "best_slice_moves_per_s": round(max(stats.moves_per_s for stats in slices)),
        "moves_per_match": round(moves / matches, 1),
        "compiled": not play.__file__.endswith(".py"),
        "python": platform.python_version(),
    }
