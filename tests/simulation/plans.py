"""Short simulations for tests, and what is said while they run: nothing."""

from dataclasses import replace

from shoal.competition.ladder_pairing import pair
from shoal.server.simulation.ladder import Ladder, Scheduler
from shoal.server.simulation.plan import Plan
from shoal.server.simulation.report import Figure, report
from shoal.server.simulation.run import run

SHORT = Plan(bots=16, days=0, blocks=150, crashing=0.3, match_s=15.0)


def silent(_text: str) -> None:
    """Say nothing."""


def played(scheduler: Scheduler = pair, **changes: object) -> Ladder:
    """The ladder at the end of a short plan with these changes."""
    return run(replace(SHORT, **changes), silent, scheduler)  # type: ignore[arg-type]


def figures(scheduler: Scheduler = pair, **changes: object) -> dict[str, Figure]:
    """The figures of a short plan with these changes."""
    plan = replace(SHORT, **changes)  # type: ignore[arg-type]
    return report(plan, run(plan, silent, scheduler))


def part(found: Figure, *names: str) -> float:
    """A number of the figures, by its path."""
    for name in names:
        assert isinstance(found, dict)
        found = found[name]
    assert isinstance(found, int | float)
    return found
