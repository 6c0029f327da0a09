"""How far a test is, whatever order its blocks come in."""

import json
from dataclasses import replace
from random import Random

import pytest

from shoal.cli.comparison.course import Course
from shoal.cli.comparison.row import Row
from shoal.sequential import BlockScore, Rule, Scale, Verdict

SCALE = Scale(2, field=False)


def rows(number: int) -> list[Row]:
    chance = Random(3)
    scores = [chance.choice((0.25, 0.5, 0.5, 0.75, 0.75, 1.0)) for _ in range(number)]
    return [Row(block, BlockScore(1 - score, score)) for block, score in enumerate(scores)]


def in_order(course: Course, played: list[Row]) -> Course:
    for row in played:
        course.add(row)
    return course


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_blocks_come_changes_nothing(seed: int) -> None:
    """Not who was faster, and not what was kept of a test before; nor what was played too much."""
    played = rows(300)
    straight = in_order(Course(SCALE, Rule(), None), played)
    mixed = Course(SCALE, Rule(), None)
    shuffled = Random(seed).sample(played, len(played))
    for row in [*shuffled, *shuffled[:20]]:
        mixed.add(row)
    assert straight.standing.verdict is Verdict.H1
    assert straight.sample.blocks < 300
    assert mixed.standing == straight.standing
    assert mixed.sample == straight.sample


def test_blocks_are_given_out_once_and_not_those_that_are_known() -> None:
    course = Course(SCALE, None, 6)
    course.add(rows(3)[2])
    given = [course.next_block() for _ in range(6)]
    assert given == [0, 1, 3, 4, 5, None]
    in_order(course, rows(6))
    assert course.is_over
    assert course.next_block() is None


def test_a_test_with_a_cap_ends_there_undecided() -> None:
    course = in_order(Course(SCALE, Rule(0, 20), 9), rows(12))
    assert course.is_over
    assert course.sample.blocks == 9
    assert course.standing.verdict is Verdict.OPEN


def adjusted_rows(number: int) -> list[Row]:
    """Return blocks in which B is a bit better, and luck is most of what is seen of it."""
    chance = Random(4)
    lucky = [chance.uniform(-0.4, 0.4) for _ in range(number)]
    return [
        Row(block, BlockScore(0.4 - luck, 0.6 + luck), BlockScore(-luck, luck))
        for block, luck in enumerate(lucky)
    ]


def test_the_scores_that_decide_are_those_of_the_scale_and_the_others_are_counted_too() -> None:
    played = adjusted_rows(200)
    plain = in_order(Course(SCALE, Rule(), None), played)
    adjusted = in_order(Course(replace(SCALE, adjusted=True), Rule(), None), played)
    assert plain.standing.verdict is adjusted.standing.verdict is Verdict.H1
    assert adjusted.sample.blocks < 0.6 * plain.sample.blocks
    for course in (plain, adjusted):
        assert course.plain.blocks == course.adjusted.blocks == course.sample.blocks
        assert course.adjusted.scores.b == pytest.approx(0.6, abs=0.02)
        assert [scale.adjusted for _, scale in course.samples] == [False, True]


def test_adjusted_scores_of_some_blocks_alone_are_not_shown() -> None:
    """As of a test that was begun when nothing was said of luck."""
    course = in_order(Course(SCALE, None, 8), [*rows(3), *adjusted_rows(8)[3:]])
    assert (course.plain.blocks, course.adjusted.blocks) == (8, 5)
    assert [scale.adjusted for _, scale in course.samples] == [False]


def test_a_row_is_what_is_read_of_it() -> None:
    for row in [*rows(2), *adjusted_rows(2)]:
        assert Row.from_json(json.loads(json.dumps(row.as_json()))) == row
