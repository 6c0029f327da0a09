"""How large a tournament may be: its plan is kept by the director, and looked through for the standings.

Who holds one says how many may enter. Where nobody has said it, as many may as the plan allows (`entry`).
"""

import math
from bisect import bisect_right
from typing import Final

from shoal.competition.problems import Problem
from shoal.competition.specification import (
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)

MOST_BLOCKS: Final = 200_000
"""Of a whole plan. A round robin of 500 has 124,750, which take seconds to work out or to rank."""

MOST_ENTRANTS: Final = 1000
"""Of a tournament. A Swiss round of so many is paired in a second."""

MOST_AT_LARGER_TABLES: Final = 500
"""Of a round robin at larger tables than of two: their design is looked for."""


def blocks(specification: Specification, entrants: int) -> int:
    """Return about how many blocks so many would have to play, at once and without making them.

    In a round robin at larger tables it is what a perfect design has; in a knock-out, all that there can be.
    """
    number, rulesets = max(0, entrants), len(specification.rulesets)
    match specification.format:
        case RoundRobin(cycles, each):
            sizes = {max(2, min(size, number)) for size in specification.seats}
            tables = sum(-(-number * (number - 1) // (size * (size - 1))) for size in sizes)
            return tables * cycles * each * rulesets
        case Gauntlet(challengers, each):
            field = max(0, number - len(challengers))
            sizes = {min(size, field + 1) for size in specification.seats}
            return len(sizes) * field * len(challengers) * each * rulesets
        case Swiss(rounds, each):
            return (rounds or math.ceil(math.log2(max(1, number)))) * (number // 2) * each
        case Knockout(best_of, tie_cap):
            return max(0, number - 1) * (best_of + tie_cap)
        case Ladder():
            return 0


def most_entrants(specification: Specification) -> int:
    """Return how many may take part in a tournament at the most, by the size of its plan."""
    is_robin = isinstance(specification.format, RoundRobin)
    is_large = is_robin and max(specification.seats) > 2
    numbers = range(MOST_AT_LARGER_TABLES + 1 if is_large else MOST_ENTRANTS + 1)
    fitting = bisect_right(numbers, MOST_BLOCKS, key=lambda number: blocks(specification, number))
    return fitting - 1


def too_large(specification: Specification) -> list[Problem]:
    """Return what makes a plan too large, of a specification that is in order otherwise."""
    if isinstance(specification.format, Ladder):
        return []
    most, needed = most_entrants(specification), max(specification.seats)
    if isinstance(specification.format, Gauntlet):
        needed = max(needed, len(specification.format.challengers) + 1)
    if most < needed:
        is_knockout = isinstance(specification.format, Knockout)
        path = "format.best_of" if is_knockout else "format.blocks_per_pairing"
        message = (
            f"a plan has at most {MOST_BLOCKS} blocks, and of {needed} entrants it would have "
            f"{blocks(specification, needed)}"
        )
        return [Problem(path, message)]
    entry = specification.entry
    return [
        Problem(path, f"must be at most {most}, not {asked}: the plan would be too large")
        for path, asked in (
            ("entry.entrants", entry.entrants),
            ("entry.invited", 0 if entry.entrants else len(entry.invited)),
        )
        if asked > most
    ]
