"""Gaps in what a process hears, and how long several of them are together."""

from collections.abc import Sequence

import pytest

from shoal.server.gaps import GAPS_KEPT, Gaps, Interval, measure, merged


@pytest.mark.parametrize(
    ("intervals", "union"),
    [
        ([], []),
        ([(3.0, 4.0), (1.0, 2.0)], [(1.0, 2.0), (3.0, 4.0)]),
        ([(1.0, 3.0), (2.0, 4.0)], [(1.0, 4.0)]),
        ([(1.0, 4.0), (2.0, 3.0)], [(1.0, 4.0)]),
        ([(1.0, 2.0), (2.0, 3.0)], [(1.0, 3.0)]),
    ],
    ids=["none", "apart", "overlapping", "within", "touching"],
)
def test_intervals_are_measured_as_one(
    intervals: Sequence[Interval], union: list[Interval]
) -> None:
    """What lies in several of them counts once."""
    assert merged(intervals) == union
    assert measure(intervals) == sum(end - begin for begin, end in union)


def test_the_latest_gaps_are_kept() -> None:
    """What was before them counts as if nothing had been missed."""
    gaps = Gaps()
    assert gaps.within(0.0, 1.0) == []
    for number in range(GAPS_KEPT + 1):
        gaps.add(number, number + 0.5)
    assert gaps.latest == GAPS_KEPT + 0.5
    assert gaps.within(0.0, 2.25) == [(1.0, 1.5), (2.0, 2.25)]
    assert gaps.within(GAPS_KEPT + 0.5, 1_000.0) == []
