"""The bots of a simulation: what they really are, which the ladder does not know."""

import math
from dataclasses import dataclass
from random import Random
from typing import Final, final

from shoal.server.simulation.plan import Plan, expected_ms

SLOW: Final = 10.0
"""How many times as long a match with a slow bot takes."""

CRASH: Final = 0.01
"""How likely a crashing bot is not to come to a match, and to stay away for a while."""

_SPREAD: Final = 0.3
"""How far apart the match lengths of plain bots are: the standard deviation of their logarithm."""

_PICKY: Final = 10
"""Of so many bots one plays nothing but the smallest tables."""


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """A bot. `match_ms` is how long its matches take among its like; `stays` are the times it is here."""

    bot_id: str
    owner: str
    at_once: int
    sizes: frozenset[int]
    match_ms: float
    slow: bool
    crash: float
    stays: tuple[tuple[float, float], ...]


def population(plan: Plan) -> tuple[Profile, ...]:
    """Return the bots of a plan; the same plan has the same ones."""
    chance = Random(f"{plan.seed} population")
    order = list(range(plan.bots))
    chance.shuffle(order)
    slow = set(order[: round(plan.slow * plan.bots)])
    chance.shuffle(order)
    crashing = set(order[: round(plan.crashing * plan.bots)])
    chance.shuffle(order)
    moving = set(order[: int(plan.churn * plan.bots)])
    until = expected_ms(plan)
    return tuple(
        Profile(
            bot_id=f"b{number:04}",
            owner=f"o{number % plan.owners}" if plan.owners else f"o{number}",
            at_once=chance.randint(1, plan.at_once),
            sizes=_sizes(plan, number),
            match_ms=plan.match_s
            * 1000
            * math.exp(chance.gauss(0, _SPREAD))
            * (SLOW if number in slow else 1.0),
            slow=number in slow,
            crash=CRASH if number in crashing else 0.0,
            stays=_stays(until, chance) if number in moving else ((0.0, math.inf),),
        )
        for number in range(plan.bots)
    )


def _sizes(plan: Plan, number: int) -> frozenset[int]:
    return frozenset(plan.sizes if (number + 1) % _PICKY else [min(plan.sizes)])


def _stays(until: float, chance: Random) -> tuple[tuple[float, float], ...]:
    """Return when a bot is here that comes in the first half, goes, and in half of the cases returns."""
    comes = until * chance.uniform(0.0, 0.5)
    goes = until * chance.uniform(0.5, 0.75)
    again = until * chance.uniform(0.8, 0.9)
    if chance.random() < 0.5:
        return ((comes, goes),)
    return ((comes, goes), (again, math.inf))
