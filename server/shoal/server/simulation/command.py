"""`shoal ladder simulate`: what the command says, and how it ends."""

import json
import sys

from rich.console import Console

from shoal.server.simulation.plan import Plan, checked
from shoal.server.simulation.run import simulate
from shoal.server.simulation.summary import show

PASSED, STOPPED = 0, 130


def run_simulation(plan: Plan, *, as_json: bool) -> int:
    """Run a plan, print its figures, and return the exit code. Raise BadPlan."""
    try:
        checked(plan)
        _say(f"simulating {plan.bots} bots")
        figures = simulate(plan, _say)
    except KeyboardInterrupt:
        _say("stopped; there are no figures")
        return STOPPED
    if as_json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        show(figures, Console())
    return PASSED


def _say(text: str) -> None:
    """Say how it goes, beside the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
