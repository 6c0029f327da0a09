"""What an Elo difference makes of a block's scores."""

from itertools import pairwise

import pytest

from shoal.sequential import Scale, elo_of, expected_score

DIRECT = Scale(2, field=False)
FIELDS = [Scale(seats, field=True) for seats in (2, 3, 4)]


def test_four_hundred_points_are_odds_of_ten() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(0) == 0.5
    assert elo_of(10 / 11) == pytest.approx(400)


def test_a_difference_is_the_same_at_every_size_of_the_table() -> None:
    """The score is the part of the opponents left behind, so the number of them does not matter."""
    assert len({scale.gap(70, 0.6) for scale in FIELDS}) == 1


@pytest.mark.parametrize("level", [0.2, 0.5, 0.83])
@pytest.mark.parametrize("elo", [-200.0, 0.0, 35.0, 300.0])
def test_a_gap_against_a_field_is_that_of_two_whose_mean_score_is_the_level(
    level: float, elo: float
) -> None:
    gap = FIELDS[0].gap(elo, level)
    assert elo_of(level + gap / 2) - elo_of(level - gap / 2) == pytest.approx(elo)
    assert FIELDS[0].elo(gap, level) == pytest.approx(elo)


def test_two_who_meet_are_apart_by_twice_as_much_as_against_equal_others() -> None:
    """For small differences: what one wins the other loses."""
    assert DIRECT.gap(2) / FIELDS[0].gap(2) == pytest.approx(2, rel=1e-3)
    assert DIRECT.elo(DIRECT.gap(120)) == pytest.approx(120)


def test_against_a_field_that_is_much_weaker_there_is_less_to_gain() -> None:
    gaps = [FIELDS[0].gap(50, level) for level in (0.5, 0.7, 0.9, 0.99)]
    assert all(more > less for more, less in pairwise(gaps))


def test_the_variance_of_equal_bots_is_that_of_ranks_drawn_at_random() -> None:
    assert DIRECT.variance == 0.5  # of 2·mean - 1 of two coins
    assert FIELDS[0].variance == 0.25  # of the difference of two means of two coins
    assert FIELDS[2].variance == pytest.approx(2 * (5 / 36) / 4)


def test_no_score_is_an_infinite_strength() -> None:
    assert elo_of(0) == pytest.approx(-elo_of(1))
    assert 1000 < elo_of(1) < 2000
