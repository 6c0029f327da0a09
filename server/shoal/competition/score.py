"""What a block is worth: one point for each opponent left behind in a match, half for each that tied.

So a match between two is 1, ½ or 0, and a match of n seats has n-1 points for its winner. All numbers are
multiples of a half, which floats hold and add exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.plan import Finished


@final
@dataclass(frozen=True, slots=True)
class Score:
    """Points, and how many there were to be had in the same matches."""

    points: float = 0.0
    possible: float = 0.0

    @property
    def share(self) -> float:
        """The part of the possible points, ½ where there were none: it is even with everybody."""
        return self.points / self.possible if self.possible else 0.5


def match_points(placements: Sequence[int]) -> tuple[float, ...]:
    """Return the points of one match, by the same positions as the placements."""
    return tuple(
        sum(map(_against, [mine] * len(placements), placements)) - 0.5 for mine in placements
    )


def block_points(block: Finished) -> tuple[float, ...]:
    """Return the points of a block by position in its table; a void one gives nothing to anybody."""
    each = [match_points(placements) for placements in block.matches]
    return tuple(sum(points[position] for points in each) for position in range(len(block.bots)))


def possible_points(block: Finished) -> float:
    """Return the most that one bot could have got in a block."""
    return float(len(block.matches) * (len(block.bots) - 1))


def pair_points(block: Finished, position: int, other: int) -> float:
    """Return what one position of the table got against another."""
    points = 0.0
    for placements in block.matches:
        mine, yours = placements[position], placements[other]
        points += 1.0 if mine < yours else 0.5 if mine == yours else 0.0
    return points


def totals(bots: Iterable[str], blocks: Iterable[Finished]) -> dict[str, Score]:
    """Return the score of each of these bots over blocks; bots that are not asked for are left out."""
    scores = dict.fromkeys(bots, Score())
    for block in blocks:
        if scores.keys().isdisjoint(block.bots):
            continue
        possible = possible_points(block)
        for bot, points in zip(block.bots, block_points(block), strict=True):
            if bot in scores:
                before = scores[bot]
                scores[bot] = Score(before.points + points, before.possible + possible)
    return scores


def _against(mine: int, yours: int) -> float:
    return 1.0 if mine < yours else 0.5 if mine == yours else 0.0
