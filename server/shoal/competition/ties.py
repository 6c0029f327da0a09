"""A tie of a knock-out: best of so many blocks, then more of them, then points, then the seed.

The blocks won are counted, half for each side where points in it are equal or the block is void. Who has
more than half of `best_of` wins. If they are even after that, up to `tie_cap` further blocks are played, one
at a time, and the first that is not drawn decides. After the last of them more points of all blocks together
decide, and if these are equal too, the better seed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from shoal.competition.plan import Finished
from shoal.competition.score import block_points
from shoal.competition.specification import Knockout


@unique
class Decision(Enum):
    """What a tie was decided by."""

    BYE = "nobody was there to meet"
    BLOCKS = "more blocks won"
    FURTHER_BLOCK = "a further block"
    POINTS = "more points in all blocks, which were even"
    SEED = "the better seed, since all was even"
    LEFT = "the other has left"


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """How a tie stands: blocks and points of the two sides, and who has won, by which decision.

    `winner` is 0 or 1, None while nobody has won. Then `wanted` blocks can be played at once, whatever
    comes of them: fewer could not decide it.
    """

    won: tuple[float, float]
    points: tuple[float, float]
    winner: int | None = None
    decision: Decision | None = None
    wanted: int = 0


def judge(form: Knockout, bots: Sequence[str], blocks: Iterable[Finished]) -> Verdict:
    """Return how the tie of these two stands, the better seed first, after these blocks."""
    ordered = sorted(blocks, key=lambda block: block.key)
    each = [_points(bots, block) for block in ordered]
    points = (sum(ours for ours, _ in each), sum(theirs for _, theirs in each))
    counted = [_won(one) for one in each]
    regular = counted[: form.best_of]
    won = (sum(regular), len(regular) - sum(regular))
    if max(won) > form.best_of / 2:
        return Verdict(won, points, _more(won), Decision.BLOCKS)
    if len(regular) < form.best_of:
        shortest = int(form.best_of / 2 - max(won)) + 1
        return Verdict(won, points, wanted=min(shortest, form.best_of - len(regular)))
    further = counted[form.best_of : form.best_of + form.tie_cap]
    won = (won[0] + sum(further), won[1] + len(further) - sum(further))
    if won[0] != won[1]:
        return Verdict(won, points, _more(won), Decision.FURTHER_BLOCK)
    if len(further) < form.tie_cap:
        return Verdict(won, points, wanted=1)
    if points[0] != points[1]:
        return Verdict(won, points, _more(points), Decision.POINTS)
    return Verdict(won, points, 0, Decision.SEED)


def _points(bots: Sequence[str], block: Finished) -> tuple[float, float]:
    by_bot = dict(zip(block.bots, block_points(block), strict=True))
    return by_bot[bots[0]], by_bot[bots[1]]


def _won(points: tuple[float, float]) -> float:
    return 1.0 if points[0] > points[1] else 0.5 if points[0] == points[1] else 0.0


def _more(values: tuple[float, float]) -> int:
    return 0 if values[0] > values[1] else 1
