"""Intervals of an Elo difference."""

import pytest

from shoal.sequential import BlockScore, Sample, Scale, estimate
from shoal.sequential.interval import student

DIRECT = Scale(2, field=False)


@pytest.mark.parametrize(
    ("freedom", "table"), [(5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, table: float) -> None:
    assert student(0.975, freedom) == pytest.approx(table, rel=2e-3)


def test_an_interval_has_the_estimate_in_it_and_shrinks_with_the_blocks() -> None:
    widths = []
    sample = Sample()
    for blocks in range(400):
        sample.add(BlockScore(*((0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (0.25, 0.75))[blocks % 4]))
        if blocks + 1 in {4, 100, 400}:
            found = estimate(sample, DIRECT)
            assert found.low is not None
            assert found.high is not None
            assert found.low < found.elo < found.high
            widths.append(found.high - found.low)
    assert widths[1] / widths[2] == pytest.approx(2, rel=0.1)
    assert widths[0] > widths[1]


def test_two_blocks_have_no_interval() -> None:
    sample = Sample()
    sample.add(BlockScore(0.25, 0.75))
    found = estimate(sample, DIRECT)
    assert (found.low, found.high) == (None, None)
    assert found.elo > 0
