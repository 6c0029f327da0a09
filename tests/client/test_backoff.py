"""Waiting times."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from shoal.client.backoff import Backoff


@given(st.integers(), st.integers(0, 200))
def test_waiting_times_stay_below_a_bound_that_doubles(seed: int, failures: int) -> None:
    """Each time is drawn from 0 to 0.2 s times two for each failure, and never above 4 s (T25)."""
    backoff = Backoff(generator=Random(seed), failures=failures)
    assert 0 <= backoff.next() <= min(4.0, 0.2 * 2.0**failures)


def test_jitter_is_full() -> None:
    """Two bots that lost their server at one moment do not come back at one moment (T25)."""
    times = {Backoff(generator=Random(seed), failures=9).next() for seed in range(50)}
    assert len(times) == 50
    assert min(times) < 1
    assert max(times) > 3.6


def test_a_good_connection_starts_the_times_anew() -> None:
    """After `reset` the bound is the least one."""
    backoff = Backoff(failures=20)
    backoff.reset()
    assert backoff.next() <= 0.2


@given(st.floats(0, 100))
def test_a_time_that_the_server_names_is_kept_with_some_jitter(seconds: float) -> None:
    """A server that says when to come back is not asked before that."""
    assert seconds <= Backoff().jitter(seconds) <= seconds * 1.2 + 0.2
