"""A simulation from its plan to its figures."""

from collections.abc import Callable
from typing import Final

from shoal.competition.ladder_pairing import pair
from shoal.server.simulation.ladder import Ladder, Scheduler
from shoal.server.simulation.meter import weigh
from shoal.server.simulation.outcomes import ModelOutcomes, Outcomes
from shoal.server.simulation.plan import DAY_MS, Plan, Source, checked
from shoal.server.simulation.real_outcomes import RealOutcomes, real_pool
from shoal.server.simulation.report import Figure, report

_WEIGHED: Final = (1, 5)
"""After so many tenths memory is looked at, and at the end: what comes before is warming up."""


def simulate(
    plan: Plan, say: Callable[[str], None], scheduler: Scheduler = pair
) -> dict[str, Figure]:
    """Run a plan and return its figures; `say` hears how it goes. Raise BadPlan."""
    ladder = run(plan, say, scheduler)
    return report(plan, ladder)


def run(plan: Plan, say: Callable[[str], None], scheduler: Scheduler = pair) -> Ladder:
    """Run a plan and return the ladder at its end. Raise BadPlan."""
    plan = checked(plan)
    ladder = Ladder(plan, _outcomes(plan, say), scheduler)
    tenths = 0
    while (done := part_done(plan, ladder)) < 1:
        if done * 10 >= tenths + 1:
            tenths = int(done * 10)
            if tenths in _WEIGHED:
                weigh(ladder.meter)
            say(f"{tenths}0 %: {ladder.ledger.over} blocks in {ladder.now_ms / DAY_MS:.2f} days")
        ladder.step()
    ladder.settle()
    weigh(ladder.meter)
    return ladder


def part_done(plan: Plan, ladder: Ladder) -> float:
    """Return how far a run is on its way to its end: 1 is the end. Also if nothing will ever happen."""
    if ladder.now_ms == float("inf"):
        return 1.0
    by_days = ladder.now_ms / (plan.days * DAY_MS) if plan.days else 0.0
    by_blocks = ladder.ledger.over / plan.blocks if plan.blocks else 0.0
    return max(by_days, by_blocks)


def _outcomes(plan: Plan, say: Callable[[str], None]) -> Outcomes:
    match plan.outcomes:
        case Source.MODEL:
            return ModelOutcomes()
        case Source.ENGINE:

            def progress(done: int, total: int) -> None:
                if done % 250 == 0 or done == total:
                    say(f"{done} of {total} real matches are played")

            return RealOutcomes(real_pool(plan.sizes, plan.real_matches, plan.seed, progress))
