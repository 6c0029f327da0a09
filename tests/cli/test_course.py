"""How far a test is, whatever order its blocks come in."""

from random import Random

import pytest

from shoal.cli.comparison.course import Course, Row
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
