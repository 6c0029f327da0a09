"""What a table costs: time, CPU and memory of one process that makes it of results at random."""

import math
import resource
import sys
import time
from random import Random
from typing import Final

from shoal.competition.block import seating
from shoal.rating import Block, Match
from shoal.rating.table import rate
from shoal.server.calibration.judging import Figure

_SIZES: Final = (2, 3, 4)

_SPREAD: Final = 1.4
"""How far strengths are apart, in logits, as a standard deviation: as those of newcomers are taken to be."""


def cost(bots: int, blocks: int, seed: int) -> dict[str, Figure]:
    """Rate so many blocks of so many bots, and return the figures.

    `peak_mib` is the most that the process has ever used, with the blocks, which it has as objects.
    """
    made = at_random(bots, blocks, seed)
    began, used = time.perf_counter(), time.process_time()
    table = rate(made)
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    return {
        "bots": len(table.rows),
        "blocks": table.blocks,
        "matches": table.matches,
        "seconds": round(seconds, 2),
        "cpu_s": round(cpu, 2),
        "peak_mib": round(_peak_mib(), 1),
    }


def at_random(bots: int, blocks: int, seed: int) -> list[Block]:
    """Return blocks of all sizes, of bots by lot, by the model of the ratings."""
    chance = Random(f"{seed} cost")
    names = [f"b{number:05}" for number in range(bots)]
    strengths = {name: chance.gauss(0.0, _SPREAD) for name in names}
    made: list[Block] = []
    for number in range(blocks):
        table = chance.sample(names, chance.choice(_SIZES))
        matches = []
        for rotation in range(len(table)):
            seated = seating(table, rotation)
            shown = [strengths[bot] - math.log(chance.expovariate(1.0)) for bot in seated]
            placements = tuple(1 + sum(other > mine for other in shown) for mine in shown)
            matches.append(Match(f"{number:06}.{rotation}", seated, placements))
        made.append(Block(f"{number:06}", tuple(matches)))
    return made


def _peak_mib() -> float:
    """Return the largest size of this process: the system counts in KiB, but macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
