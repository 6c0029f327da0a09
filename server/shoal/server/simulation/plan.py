"""What a simulation plays: how many bots of which kinds, for how long, and where outcomes come from."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

DAY_MS: Final = 24 * 3_600_000.0

SEATS: Final = range(2, 5)
"""The table sizes that the game has."""


class BadPlan(Exception):
    """A simulation cannot be run like that; the message names the option and says what would do."""


@unique
class Source(Enum):
    """Where the outcomes of matches come from."""

    MODEL = "model"
    ENGINE = "engine"


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """A simulation. It ends after so many days of its own, or so many finished blocks, whichever is first.

    `days` or `blocks` is 0 where it sets no end. `slow`, `crashing` and `churn` are shares of the bots:
    whose matches take ten times as long, that crash now and then, and that come later and are away for a
    while. With 0 `owners` each bot has its own. `drift` is by how much a strength changes in a day, as the
    standard deviation in displayed points. A bot sits at `at_once` tables simultaneously at the most,
    some at fewer. A match of two plain bots takes about `match_s` seconds. `real_matches` is how many
    matches of the engine are played for each table size, for `Source.ENGINE`.
    """

    bots: int = 50
    days: float = 7.0
    blocks: int = 0
    seed: int = 1
    slow: float = 0.1
    crashing: float = 0.1
    churn: float = 0.2
    owners: int = 0
    sizes: tuple[int, ...] = (2, 3, 4)
    drift: float = 0.0
    at_once: int = 2
    match_s: float = 60.0
    outcomes: Source = Source.MODEL
    real_matches: int = 600


def sizes_of(text: str) -> tuple[int, ...]:
    """Return the table sizes of an option, each once; raise BadPlan."""
    words = [word.strip() for word in text.split(",")]
    if not all(word in {str(size) for size in SEATS} for word in words):
        raise BadPlan(
            f"--sizes {text!r}: give table sizes from 2 to 4 with commas between, like 2,3,4"
        )
    return tuple(sorted({int(word) for word in words}))


def source_of(word: str) -> Source:
    """Return where outcomes come from, by an option; raise BadPlan."""
    try:
        return Source(word)
    except ValueError:
        raise BadPlan(f"--outcomes {word!r}: give model or engine") from None


def checked(plan: Plan) -> Plan:
    """Return the plan; raise BadPlan if it cannot be played or never ends."""
    smallest = min(plan.sizes)
    if plan.bots < smallest:
        raise BadPlan(f"--bots {plan.bots} fill no table of {smallest}: give {smallest} or more")
    if 0 < plan.owners < smallest:
        raise BadPlan(
            f"--owners {plan.owners}: no rated table has two bots of one owner, so give {smallest} or more"
        )
    if plan.days <= 0 and plan.blocks <= 0:
        raise BadPlan("--days and --blocks are both 0, and it would never end: give one of them")
    return plan


def expected_ms(plan: Plan) -> float:
    """Return about how much of its own time will pass: exactly so much if its days end it."""
    seat_ms = sum(size * size for size in plan.sizes) / len(plan.sizes) * plan.match_s * 1000
    by_blocks = plan.blocks * seat_ms / (plan.bots * (1 + plan.at_once) / 2)
    by_days = plan.days * DAY_MS
    return min(time for time in (by_blocks, by_days) if time > 0)
