"""The same input gives the same output in every process: nothing depends on how it hashes its strings."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
from random import Random
from shoal.competition import gauntlet, knockout, round_robin, swiss
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Past, Terms
from shoal.competition.specification import Gauntlet, Knockout, RoundRobin, Specification, Swiss
from tests.competition.making import by_strength, entrants

chance = Random(1)
names = [f"bot-{number}" for number in range(40)]
sets = frozenset({"base", "salt", "pepper"}), frozenset({2, 3, 4})
pool = [
    Candidate(
        name, chance.randrange(3), *sets, mu=chance.gauss(25, 5), owner=f"owner-{chance.randrange(9)}",
        recent=tuple(Past(frozenset(chance.sample(names, 3)), "base") for _ in range(5)),
    )
    for name in names
]
print(pair(pool, Terms(("base", "salt", "pepper"), (2, 3, 4)), 7))
field = entrants(names)
print(round_robin.schedule(Specification("x", RoundRobin(2), seats=(2, 3, 4)), field))
print(gauntlet.schedule(Specification("x", Gauntlet(tuple(names[:3])), seats=(2, 3)), field))
for module, form in ((swiss, Swiss(4)), (knockout, Knockout(3))):
    specification, over = Specification("x", form), []
    while plan := module.due(specification, field, over):
        over += map(by_strength(names.index), plan)
    print(over)
print(swiss.swiss_standings(Specification("x", Swiss(4)), field, []))
"""


def test_plans_do_not_depend_on_the_process_that_makes_them() -> None:
    """So a director that takes over goes on with the plan of the one before (T84)."""
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
    assert len(said.pop()) > 10_000
