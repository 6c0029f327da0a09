"""Which polls go on with one that a cut has ended, and what they are given (T6, T40)."""

import pytest

from shoal.server.store.partition_clock import PartitionClock
from shoal.server.streams.broken_polls import AGAIN_SECONDS, BrokenPoll

ENDED = 20.0
BROKEN = BrokenPoll(10.0, ENDED, 8.0)


@pytest.fixture
def clock() -> PartitionClock:
    """That of a partition that is heard of every half second."""
    clock = PartitionClock()
    hears(clock, 10.0, ENDED - 0.5)
    return clock


def hears(clock: PartitionClock, begin: float, end: float) -> None:
    """Let the store be heard of from one moment to another."""
    for tick in range(int((end - begin) * 2) + 1):
        moment = begin + tick / 2
        clock.saw(round(moment * 1000), moment, moment)


@pytest.mark.parametrize("seconds", [5.0, 50.0])
def test_a_poll_that_comes_when_it_can_be_answered_goes_on(
    clock: PartitionClock, seconds: float
) -> None:
    """However long the cut was; and not one that comes later."""
    end = ENDED + seconds
    clock.saw(round(end * 1000), end, end)
    assert BROKEN.goes_on([clock], end + AGAIN_SECONDS - 0.6)
    hears(clock, end, end + 5.0)
    assert not BROKEN.goes_on([clock], end + AGAIN_SECONDS + 0.6)


def test_a_later_cut_is_another_one(clock: PartitionClock) -> None:
    """Who was elsewhere in between is given nothing for having been here once (T40)."""
    clock.saw(25_000, 25.0, 25.0)
    hears(clock, 25.0, 39.0)
    clock.saw(41_000, 41.0, 41.0)
    assert not BROKEN.goes_on([clock], 41.1)


def test_a_poll_without_matches_goes_on_if_it_comes_soon() -> None:
    """There is no partition then of which it could be said that it was cut off."""
    assert BROKEN.goes_on([], ENDED + AGAIN_SECONDS - 0.1)
    assert not BROKEN.goes_on([], ENDED + AGAIN_SECONDS + 0.1)
