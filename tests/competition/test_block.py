"""A block: every rotation once, what was not played again, and when it is given up."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.block import (
    FAILURES,
    Attempt,
    Ending,
    State,
    progress,
    seating,
    wanted,
)
from shoal.competition.plan import BlockKey, Entrant, finished, may_be_rated
from shoal.competition.score import (
    Score,
    block_points,
    match_points,
    pair_points,
    possible_points,
    totals,
)

LAW = settings(max_examples=100, deadline=None)
KEY = BlockKey(0, 0, 0)
tables = st.integers(2, 4).map(lambda seats: tuple("abcd"[:seats]))


@st.composite
def attempts(draw: st.DrawFn, bots: tuple[str, ...], most: int = 20) -> list[Attempt]:
    """Attempts as a director makes them: one that is wanted, with any ending."""
    made: list[Attempt] = []
    for _ in range(draw(st.integers(0, most))):
        open_rotations = wanted(bots, progress(bots, made))
        if not open_rotations:
            break
        rotation = draw(st.sampled_from(open_rotations))
        ending = draw(st.sampled_from(Ending))
        seats = range(len(bots))
        made.append(
            Attempt(
                rotation,
                ending,
                tuple(draw(st.permutations(range(1, len(bots) + 1))))
                if ending is Ending.PLAYED
                else (),
                draw(st.frozensets(st.sampled_from(seats), min_size=1))
                if ending is Ending.NO_SHOW
                else frozenset(),
            )
        )
    return made


def played(rotation: int, *placements: int) -> Attempt:
    return Attempt(rotation, Ending.PLAYED, placements)


def no_show(rotation: int, *seats: int) -> Attempt:
    return Attempt(rotation, Ending.NO_SHOW, absent=frozenset(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_bot_sits_once_on_every_seat_of_a_block(seats: int) -> None:
    bots = "abcd"[:seats]
    rotations = [seating(bots, rotation) for rotation in range(seats)]
    assert rotations[0] == tuple(bots)
    for seat in range(seats):
        assert {by_seat[seat] for by_seat in rotations} == set(bots)


@LAW
@given(st.data(), tables)
def test_a_block_ends_and_then_nothing_is_wanted_any_more(
    data: st.DataObject, bots: tuple[str, ...]
) -> None:
    made = data.draw(attempts(bots, most=100))
    so_far = progress(bots, made)
    assert bool(wanted(bots, so_far)) == (so_far.state is State.OPEN)
    assert len(made) <= len(bots) * FAILURES
    assert (so_far.state is State.COMPLETE) == (len(so_far.placements) == len(bots))


@LAW
@given(st.data(), tables)
def test_what_ends_after_a_block_is_over_changes_nothing(
    data: st.DataObject, bots: tuple[str, ...]
) -> None:
    made = data.draw(attempts(bots))
    so_far = progress(bots, made)
    if so_far.state is State.OPEN:
        return
    late = Attempt(data.draw(st.integers(0, len(bots) - 1)), Ending.VOID)
    assert progress(bots, [*made, late]) == so_far


def test_a_void_match_is_played_again_in_the_same_rotation() -> None:
    bots = ("a", "b")
    so_far = progress(bots, [played(0, 1, 2), Attempt(1, Ending.VOID)])
    assert wanted(bots, so_far) == (1,)


def test_a_block_with_a_rotation_that_cannot_be_played_is_void_as_a_whole() -> None:
    bots = ("a", "b")
    so_far = progress(bots, [played(0, 1, 2), *[Attempt(1, Ending.VOID)] * FAILURES])
    assert so_far.state is State.VOID
    block = finished(KEY, bots, so_far)
    assert block_points(block) == (0, 0)
    assert possible_points(block) == 0
    assert not block.was_played


def test_only_the_absent_one_is_charged_and_the_others_share_the_first_place() -> None:
    """A bot that never came loses to all who did (T35)."""
    bots = ("a", "b", "c")
    so_far = progress(bots, [no_show(1, 0)] * FAILURES)  # in rotation 1 b sits on seat 0
    assert so_far.state is State.FORFEIT
    assert so_far.absent == {"b"}
    block = finished(KEY, bots, so_far)
    assert block_points(block) == (4.5, 0, 4.5)
    assert not block.was_played


def test_several_who_were_absent_share_the_last_place() -> None:
    bots = ("a", "b", "c")
    so_far = progress(bots, [no_show(0, 0, 2), no_show(0, 0, 1, 2), no_show(0, 0, 2)])
    assert so_far.absent == {"a", "c"}
    assert finished(KEY, bots, so_far).matches == ((2, 1, 2),) * 3


@pytest.mark.parametrize(
    "failures",
    [
        [no_show(0, 0), no_show(0, 1), no_show(0, 0)],
        [no_show(0, 0), Attempt(0, Ending.VOID), no_show(0, 0)],
        [no_show(0, 0, 1)] * 3,
    ],
)
def test_without_one_who_was_absent_each_time_it_is_nobodys_fault(failures: list[Attempt]) -> None:
    assert progress(("a", "b"), failures).state is State.VOID


def test_an_open_block_is_not_finished() -> None:
    with pytest.raises(ValueError, match="still open"):
        finished(KEY, ("a", "b"), progress(("a", "b"), []))


@pytest.mark.parametrize(
    "made",
    [
        [played(0, 1, 2), played(0, 1, 2)],
        [played(0, 1, 2), played(1, 1, 2), played(1, 1, 2)],
        [played(2, 1, 2)],
        [played(0, 1, 2, 3)],
        [no_show(0, 2)],
    ],
)
def test_attempts_that_cannot_be_are_refused(made: list[Attempt]) -> None:
    """A match that was counted twice is never taken in silence (T76)."""
    with pytest.raises(ValueError, match=r"rotation|placements|seats"):
        progress(("a", "b"), made)


def test_points_are_for_opponents_left_behind_and_ties_share() -> None:
    assert match_points((1, 2)) == (1, 0)
    assert match_points((1, 1)) == (0.5, 0.5)
    assert match_points((1, 2, 2, 4)) == (3, 1.5, 1.5, 0)
    assert match_points((1, 1, 3, 4)) == (2.5, 2.5, 1, 0)


@LAW
@given(st.lists(st.integers(1, 4), min_size=2, max_size=4))
def test_the_points_of_a_match_are_as_many_as_its_pairs(placements: list[int]) -> None:
    seats = len(placements)
    assert sum(match_points(placements)) == seats * (seats - 1) / 2


@LAW
@given(st.data(), tables)
def test_points_follow_the_bot_and_not_its_seat(data: st.DataObject, bots: tuple[str, ...]) -> None:
    """Whoever is always first gets everything, wherever it sits, and in any order of the matches."""
    order = dict(zip(bots, data.draw(st.permutations(range(1, len(bots) + 1))), strict=True))
    made = [
        played(rotation, *(order[bot] for bot in seating(bots, rotation)))
        for rotation in range(len(bots))
    ]
    blocks = {finished(KEY, bots, progress(bots, each)) for each in permutations(made)}
    assert len(blocks) == 1
    (block,) = blocks
    points = dict(zip(bots, block_points(block), strict=True))
    best = min(bots, key=order.__getitem__)
    assert points[best] == possible_points(block)
    assert sorted(bots, key=order.__getitem__) == sorted(bots, key=points.__getitem__, reverse=True)
    for mine in range(len(bots)):
        against = [pair_points(block, mine, other) for other in range(len(bots)) if other != mine]
        assert sum(against) == points[bots[mine]]


def test_totals_are_of_those_who_are_asked_for() -> None:
    block = finished(KEY, ("a", "b"), progress(("a", "b"), [played(0, 1, 2), played(1, 1, 1)]))
    assert totals(["a", "x"], [block]) == {"a": Score(1.5, 2), "x": Score()}
    assert totals(["a"], [block])["a"].share == 0.75
    assert Score().share == 0.5


def test_two_bots_of_one_owner_do_not_meet_in_a_rated_block() -> None:
    """Owners cannot play for each other (T59); baselines have none."""
    ann, anns, bob = Entrant("a", "ann"), Entrant("b", "ann"), Entrant("c", "bob")
    assert may_be_rated([ann, bob, Entrant("x"), Entrant("y")])
    assert not may_be_rated([ann, bob, anns])
