"""What the plan of a tournament costs its director: worked out anew after each block, and kept.

    python loadtest/plan_cost.py --bots 500

Prints a line of JSON for each format, in milliseconds of CPU: `anew_ms` is `tournament.due` with half of what
was due at first finished; `keep_ms` making an agenda of it; `finish_ms` taking one block out; `look_ms`
finding what can begin while `--free` of the bots have room and all others have none, as a director does after
a match; `ranking_ms` the standings after all of what was due at first, `level_ms` if all of it was drawn, so
that every tie-break is asked about everybody.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeVar

from shoal.competition import tournament
from shoal.competition.agenda import Agenda
from shoal.competition.block import State
from shoal.competition.plan import Entrant, Finished, Planned
from shoal.competition.specification import Format, Gauntlet, RoundRobin, Specification, Swiss

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what some work returns, and how many milliseconds of CPU it took."""
    began = time.process_time()
    result = work()
    return result, (time.process_time() - began) * 1000


def finished(block: Planned) -> Finished:
    """Let the bot with the smaller name win every match of a block."""
    order = sorted(block.bots)
    places = tuple(order.index(bot) + 1 for bot in block.bots)
    return Finished(block.key, block.bots, State.COMPLETE, (places,) * len(places))


def cost(form: Format, bots: int, free: int) -> dict[str, object]:
    """Measure one format."""
    spec = Specification("cup", form)
    entrants = tuple(Entrant(f"b{number:04}", f"owner {number}") for number in range(bots))
    due = tournament.due(spec, entrants, ())
    over = [finished(block) for block in due[: len(due) // 2]]
    left, anew_ms = timed(lambda: tournament.due(spec, entrants, over))
    agenda, keep_ms = timed(lambda: Agenda(left))
    names = set(Random(1).sample([one.bot_id for one in entrants], min(free, bots)))  # noqa: S311
    looked_at, look_ms = timed(lambda: len(list(agenda.of_free_bots(names.__contains__))))
    some = [str(block.key) for block in left[:1000]]

    def finish() -> None:
        for key in some:
            agenda.finish(key)

    _, finish_ms = timed(finish)
    played = [finished(block) for block in due]
    level = [
        replace(block, matches=((1,) * len(block.bots),) * len(block.bots)) for block in played
    ]
    _, ranking_ms = timed(lambda: tournament.ranking(spec, entrants, played))
    _, level_ms = timed(lambda: tournament.ranking(spec, entrants, level))
    return {
        "format": type(form).__name__,
        "bots": bots,
        "blocks": len(due),
        "anew_ms": round(anew_ms, 1),
        "keep_ms": round(keep_ms, 1),
        "finish_ms": round(finish_ms / max(1, len(some)), 4),
        "look_ms": round(look_ms, 2),
        "looked_at": looked_at,
        "ranking_ms": round(ranking_ms, 1),
        "level_ms": round(level_ms, 1),
    }


def main() -> None:
    """Measure all formats whose plan is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=500)
    parser.add_argument("--free", type=int, default=10)
    asked = parser.parse_args()
    challengers = tuple(f"b{number:04}" for number in range(5))
    for form in (RoundRobin(), Gauntlet(challengers), Swiss()):
        print(json.dumps(cost(form, asked.bots, asked.free)))  # noqa: T201


if __name__ == "__main__":
    main()
