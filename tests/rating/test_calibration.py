"""95 % intervals hold the truth as often as that, where the truth is known (T55)."""

from random import Random
from statistics import mean

import pytest

from shoal.competition.scale import POINTS, SHOWN_MEAN
from shoal.rating.table import rate
from tests.rating.making import drawn

LADDERS, BOTS = 50, 12


def judged(sizes: tuple[int, ...], blocks: int) -> tuple[float, float]:
    """The part of the intervals that hold the truth, and by how much differences are too large."""
    chance = Random(11)
    held, stretches = [], []
    for _ in range(LADDERS):
        strengths = {f"b{number:02}": chance.gauss(0.0, 1.4) for number in range(BOTS)}
        number = round(BOTS * blocks * len(sizes) / sum(sizes))
        table = rate(drawn(strengths, number, chance, sizes))
        rows = [row for row in table.rows if row.group == 1]
        seats = sum(row.matches for row in rows)
        zero = sum(strengths[row.bot_id] * row.matches for row in rows) / seats
        away = [POINTS * (strengths[row.bot_id] - zero) for row in rows]
        off = [row.rating - SHOWN_MEAN - truth for row, truth in zip(rows, away, strict=True)]
        held += [abs(each) <= row.interval for each, row in zip(off, rows, strict=True)]
        product = sum(each * truth for each, truth in zip(off, away, strict=True))
        stretches.append(product / sum(truth * truth for truth in away))
    return mean(held), mean(stretches)


@pytest.mark.parametrize("sizes", [(2,), (4,), (2, 3, 4)], ids=["two", "four", "mixed"])
@pytest.mark.parametrize("blocks", [6, 20])
def test_95_of_100_intervals_hold_the_truth(sizes: tuple[int, ...], blocks: int) -> None:
    """93 to 97 of 100, and what chance allows beyond it (T55); nothing is stretched or shrunk."""
    held, stretch = judged(sizes, blocks)
    assert 0.92 < held < 0.985
    assert abs(stretch) < 0.1
