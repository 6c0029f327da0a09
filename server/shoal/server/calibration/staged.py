"""Ladders for a study of suspicion: honest ones, and such in which one thing is wrong.

Tables are by lot, outcomes those of the simulator, and time goes on evenly. What is wrong is done to the
placements of an honest match.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from random import Random
from typing import Final, assert_never, final

from shoal.competition.block import seating
from shoal.rating import Block, Match
from shoal.rating.suspicion import Facts
from shoal.server.simulation.outcomes import Outcomes

DAY_MS: Final = 86_400_000

BROKEN_DAY: Final = 2
"""On which day a machine is broken, from 0."""


@unique
class Wrong(Enum):
    """What is wrong in a ladder."""

    NOTHING = "nothing"

    SUPPORT = "support"
    """A bot changes places with its favourite, an equal of another owner, whenever it is ahead of it."""

    BROKEN = "broken"
    """A bot comes last in some of its matches for a day, as one whose machine is too slow."""


@final
@dataclass(frozen=True, slots=True)
class Stage:
    """A ladder of `bots` of half as many owners, in which each plays so many blocks in so many days.

    What is wrong happens in `share` of the matches in which it could.
    """

    bots: int
    blocks: int
    sizes: tuple[int, ...]
    days: int = 7
    wrong: Wrong = Wrong.NOTHING
    share: float = 1.0


@final
@dataclass(frozen=True, slots=True)
class Staged:
    """Its blocks in the order of their ends, and who is the `culprit`, and whose `favourite` it helps."""

    blocks: tuple[Block, ...]
    facts: Facts
    culprit: str
    favourite: str


def staged(stage: Stage, outcomes: Outcomes, seed: str) -> Staged:
    """Play a ladder; the same again is the same one."""
    chance = Random(seed)
    names = [f"b{number:03}" for number in range(stage.bots)]
    owners = {name: f"o{number % (stage.bots // 2):03}" for number, name in enumerate(names)}
    strengths = {name: outcomes.newcomer(chance) for name in names}
    culprit, favourite = _middle(names, owners, strengths)
    total = round(stage.bots * stage.blocks * len(stage.sizes) / sum(stage.sizes))
    blocks = []
    for number in range(total):
        ended = number * stage.days * DAY_MS // total
        bots = _table(names, owners, chance.choice(stage.sizes), chance)
        matches = []
        for rotation in range(len(bots)):
            seated = seating(bots, rotation)
            places = list(outcomes.placements([strengths[bot] for bot in seated], chance))
            if chance.random() < stage.share:
                _do(stage.wrong, seated, places, (culprit, favourite), ended)
            match_id = f"{number:06}.{rotation}"
            matches.append(Match(match_id, seated, tuple(places), ended))
        blocks.append(Block(f"{number:06}", tuple(matches)))
    return Staged(tuple(blocks), Facts(owners=owners), culprit, favourite)


def _middle(
    names: Sequence[str], owners: dict[str, str], strengths: dict[str, float]
) -> tuple[str, str]:
    """Return two neighbors of different owners from the middle of the field."""
    order = sorted(names, key=lambda name: strengths[name])
    one = order[len(order) // 2]
    others = (name for name in order[len(order) // 2 + 1 :] if owners[name] != owners[one])
    return one, next(others)


def _table(
    names: Sequence[str], owners: dict[str, str], seats: int, chance: Random
) -> tuple[str, ...]:
    """Return bots by lot, no two of one owner."""
    table: dict[str, str] = {}
    for name in chance.sample(names, len(names)):
        if len(table) < seats:
            table.setdefault(owners[name], name)
    return tuple(table.values())


def _do(
    wrong: Wrong, seated: Sequence[str], places: list[int], people: tuple[str, str], ended_ms: int
) -> None:
    """Do to the placements of a match what is wrong."""
    culprit, favourite = people
    match wrong:
        case Wrong.NOTHING:
            return
        case Wrong.SUPPORT:
            if len(seated) > 2 and {culprit, favourite} <= {*seated}:
                one, other = seated.index(culprit), seated.index(favourite)
                places[other], places[one] = sorted((places[one], places[other]))
        case Wrong.BROKEN:
            if culprit in seated and ended_ms // DAY_MS == BROKEN_DAY:
                mine = seated.index(culprit)
                places[:] = [each - (each > places[mine]) for each in places]
                places[mine] = len(places)
        case _:
            assert_never(wrong)
