"""The arithmetic of the figures, and who is counted as waiting."""

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.server.simulation.figures import coverage, gini, off_by, quantile, spearman
from shoal.server.simulation.ledger import Belief
from shoal.server.simulation.member import Member, end_wait, pass_time, presence
from shoal.server.simulation.mixing import second_eigenvalue
from shoal.server.simulation.population import Profile
from shoal.server.simulation.waiting import Waiting, could_be_seated

values = st.lists(st.floats(-100, 100), min_size=3, max_size=20, unique=True)


def member(number: int, owner: str, *sizes: int) -> Member:
    profile = Profile(
        bot_id=f"b{number}",
        owner=owner,
        at_once=1,
        sizes=frozenset(sizes or (2, 3, 4)),
        match_ms=1000.0,
        slow=False,
        crash=0.0,
        stays=((0.0, 1e9),),
    )
    return Member(number, profile, 25.0, 1000.0)


def test_ranks_are_compared_and_equals_share_theirs() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert spearman([1, 2, 3, 4], [9, 7, 5, 3]) == -1
    assert spearman([1, 2, 3], [5, 5, 5]) == 0
    # By hand: the ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4.
    assert spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


@given(values, st.randoms())
def test_a_rank_correlation_does_not_see_how_far_apart_values_are(
    some: list[float], chance: Random
) -> None:
    others = chance.sample(some, len(some))
    plain = spearman(some, others)
    assert -1.0001 <= plain <= 1.0001
    order = {each: place for place, each in enumerate(sorted(some))}
    stretched = [10.0 ** order[each] for each in some]
    assert spearman(stretched, others) == pytest.approx(plain)


def test_inequality_is_nothing_among_equals_and_most_where_one_has_all() -> None:
    assert gini([3, 3, 3]) == pytest.approx(0)
    assert gini([0, 0, 0, 5]) == pytest.approx(0.75)
    assert gini([0, 0]) == 0


def test_quantiles() -> None:
    assert [quantile([3, 1, 2, 4], part) for part in (0.0, 0.5, 1.0)] == [1, 3, 4]
    assert quantile([], 0.5) == 0


def test_of_right_intervals_95_of_100_hold_the_truth() -> None:
    chance = Random(1)
    beliefs = [Belief(chance.gauss(20, 2), 2, 20) for _ in range(4000)]
    assert coverage(beliefs) == pytest.approx(0.95, abs=0.012)
    assert off_by(beliefs) == pytest.approx(2, rel=0.05)


def test_intervals_that_are_too_small_hold_it_less_often() -> None:
    chance = Random(1)
    assert coverage([Belief(chance.gauss(20, 2), 1, 20) for _ in range(4000)]) < 0.75


def test_what_all_ratings_are_off_by_is_not_held_against_them() -> None:
    beliefs = [Belief(30.0 + each, 0.1, 20.0 + each) for each in range(5)]
    assert coverage(beliefs) == 1
    assert off_by(beliefs) == 0


def square(pairs: dict[tuple[int, int], int], number: int) -> "array[int]":
    met = array("L", [0] * (number * number))
    for (one, other), times in pairs.items():
        met[one * number + other] = met[other * number + one] = times
    return met


def test_of_a_pool_in_which_all_meet_all_the_second_eigenvalue_is_small() -> None:
    """Of n that meet equally often it is -1 / (n - 1)."""
    everybody = {(one, other): 7 for one in range(6) for other in range(one)}
    assert second_eigenvalue(square(everybody, 6), 6) == pytest.approx(-1 / 5, abs=1e-3)


def test_of_two_circles_it_is_one_and_a_little_less_if_they_touch() -> None:
    """A thin bridge between two circles is nearly none (T64)."""
    circles = {
        (one + start, other + start): 50
        for start in (0, 4)
        for one in range(4)
        for other in range(one)
    }
    assert second_eigenvalue(square(circles, 8), 8) == pytest.approx(1, abs=1e-3)
    assert 0.9 < second_eigenvalue(square({**circles, (0, 4): 2}, 8), 8) < 0.999


def test_of_a_ring_it_is_the_cosine() -> None:
    ring = {(place, (place + 1) % 12): 1 for place in range(12)}
    assert second_eigenvalue(square(ring, 12), 12) == pytest.approx(3**0.5 / 2, abs=1e-3)


def test_who_met_nobody_is_left_out() -> None:
    assert second_eigenvalue(square({(0, 1): 3}, 5), 5) == 0


def test_bots_of_one_owner_could_not_be_seated() -> None:
    assert could_be_seated([member(0, "a"), member(1, "a")]) == []
    some = [member(0, "a"), member(1, "a"), member(2, "b")]
    assert could_be_seated(some) == some


def test_a_table_needs_as_many_owners_as_seats_among_those_who_play_it() -> None:
    three = [member(0, "a", 3), member(1, "b", 3), member(2, "c", 2)]
    assert could_be_seated(three) == []
    four = [*three, member(3, "d", 3)]
    assert could_be_seated(four) == [four[0], four[1], four[3]]


def test_only_the_time_while_one_could_be_seated_is_waiting() -> None:
    one, other = member(0, "a"), member(1, "b")
    waiting = Waiting()
    waiting.look([one])
    waiting.pass_time(5000.0)
    waiting.look([one, other])
    waiting.pass_time(7000.0)
    waiting.look([other])
    waiting.pass_time(9000.0)
    assert (one.waited_ms, other.waited_ms) == (2000.0, 2000.0)
    end_wait(one)
    assert (one.waited_ms, one.longest_wait) == (0.0, 2.0)


def test_time_here_and_at_tables_is_counted() -> None:
    """And a director is shown how many tables a bot sits at."""
    one = member(0, "a")
    pass_time(one, 0.0)
    one.is_here = True
    assert presence(one).live_count == 0
    pass_time(one, 4000.0)
    one.at_tables = 1
    assert (presence(one).live_count, one.room) == (1, 0)
    pass_time(one, 10_000.0)
    one.at_tables = 0
    assert (one.present_ms, one.table_ms) == (10_000.0, 6000.0)
