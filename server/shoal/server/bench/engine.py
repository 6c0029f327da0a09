"""How many random moves a second the engine plays in one process, options and events included."""

import platform
import time

from shoal.engine import random_playouts, ruleset

_WARM_UP_MATCHES = 20


def bench_engine(name: str, seats: int, seconds: float) -> dict[str, object]:
    """Play random matches for so many seconds, and return the figures; raise UnknownRuleset."""
    rules = ruleset(name)
    random_playouts(rules, seats, time.perf_counter, matches=_WARM_UP_MATCHES)
    stats = random_playouts(rules, seats, time.perf_counter, seconds=seconds, seed=1)
    return {
        "ruleset": name,
        "seats": seats,
        "moves": stats.moves,
        "matches": stats.matches,
        "seconds": round(stats.seconds, 3),
        "moves_per_s": round(stats.moves_per_s),
        "moves_per_match": round(stats.moves / stats.matches, 1),
        "python": platform.python_version(),
    }
