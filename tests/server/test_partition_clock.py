"""Where partition time is on the clock of a process: pauses of it are told from late answers (T6)."""

import pytest

from shoal.server.store.partition_clock import CUT_SECONDS, PartitionClock, StoodStill


@pytest.fixture
def clock() -> PartitionClock:
    """One whose time was 1,000 at 11.0, and stood still at 4,000 from 14.0 to 20.0."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 11.0)
    clock.saw(4_000, 14.0, 14.0)
    clock.saw(4_500, 20.5, 20.5, StoodStill(6_000, 4_000))
    return clock


@pytest.mark.parametrize(
    ("ms", "moment"), [(1_000, 11.0), (3_999, 13.999), (4_000, 20.0), (4_500, 20.5)]
)
def test_each_time_was_at_its_own_moment(clock: PartitionClock, ms: int, moment: float) -> None:
    """What was before a pause is not later by it."""
    assert clock.moment(ms) == pytest.approx(moment)
    assert clock.ms(moment) == pytest.approx(ms, abs=1)


def test_in_a_pause_no_time_passes(clock: PartitionClock) -> None:
    """Neither what is asked in it nor what is counted over it has the seconds of it."""
    assert clock.pauses.within(0.0, 99.0) == [(pytest.approx(14.0), pytest.approx(20.0))]
    assert {clock.ms(moment) for moment in (15.0, 17.5, 19.9)} <= {3_999, 4_000}
    assert clock.counted_ms(1_000, 20.5) == pytest.approx(3_500, abs=1)


def test_a_time_of_day_that_was_put_forward_is_no_pause() -> None:
    """The store leaves it out, and nobody has waited for it."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 11.0)
    clock.saw(1_500, 11.5, 11.5, StoodStill(60_000, 1_200))
    assert clock.pauses.within(0.0, 99.0) == []
    assert clock.moment(1_000) == 11.0


def test_a_pause_of_before_it_was_first_seen_is_none() -> None:
    """A process that has just started knows nothing of it."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 11.0, StoodStill(60_000, 500))
    assert clock.pauses.within(0.0, 99.0) == []


def test_a_cut_that_lasts_counts_already() -> None:
    """Until the store is heard of again it is not among the cuts that have ended."""
    clock = PartitionClock()
    clock.saw(1_000, 11.0, 11.0)
    assert clock.cut_between(10.0, 11.0 + CUT_SECONDS) == 0
    assert clock.cut_between(10.0, 15.0) == 4.0
    clock.saw(5_000, 15.0, 15.0)
    assert clock.cut_between(12.0, 16.0) == 3.0
