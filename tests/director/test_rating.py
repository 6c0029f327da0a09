"""Laws of the ratings (T54)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.scale import BETA, MEAN, SCALE
from shoal.server.director.rating import Rating, interval, rate, shown

LAW = settings(max_examples=60, deadline=None)
ratings = st.builds(
    Rating,
    mu=st.floats(min_value=-25, max_value=75),
    sigma=st.floats(min_value=0.5, max_value=10),
)


@st.composite
def placements(draw: st.DrawFn, seats: int) -> list[int]:
    """Placements as the engine gives them: ties share one, and the next is left out."""
    levels = draw(st.lists(st.integers(0, seats - 1), min_size=seats, max_size=seats))
    return [1 + sum(other < level for other in levels) for level in levels]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """The ratings and placements of one match."""
    seats = draw(st.integers(2, 4))
    before = draw(st.lists(ratings, min_size=seats, max_size=seats))
    return before, draw(placements(seats))


@LAW
@given(tables())
def test_equal_prior_and_equal_placement_give_equal_posterior(
    table: tuple[list[Rating], list[int]],
) -> None:
    """If two seats start equal and end equal, they are rated equal, to the last bit (T54)."""
    before, places = table
    before[1], places[1] = before[0], places[0]
    after = rate(before, places)
    assert after[0] == after[1]


@LAW
@given(ratings, st.integers(2, 4).flatmap(placements))
def test_among_equals_a_better_placement_never_gains_less(one: Rating, places: list[int]) -> None:
    """If all start equal, who is placed better gains at least as much (T54)."""
    after = rate([one] * len(places), places)
    best_first = [
        mu for _, mu in sorted((place, -a.mu) for place, a in zip(places, after, strict=True))
    ]
    assert best_first == sorted(best_first)


@LAW
@given(tables(), st.data())
def test_a_seat_gains_most_by_winning(
    table: tuple[list[Rating], list[int]], data: st.DataObject
) -> None:
    """Whoever the others are, the sole winner's rating rises and the sole last one's falls."""
    before, _ = table
    places = data.draw(st.permutations(range(1, len(before) + 1)))
    after = rate(before, places)
    assert after[places.index(1)].mu >= before[places.index(1)].mu
    assert after[places.index(len(places))].mu <= before[places.index(len(places))].mu


@LAW
@given(ratings, st.integers(2, 4))
def test_a_tie_of_equals_leaves_the_mean(one: Rating, seats: int) -> None:
    """If all start equal and tie, nobody's mu moves (T54)."""
    assert {a.mu for a in rate([one] * seats, [1] * seats)} == {one.mu}


@LAW
@given(tables(), st.data())
def test_the_order_of_the_seats_changes_nothing(
    table: tuple[list[Rating], list[int]], data: st.DataObject
) -> None:
    """If the seats are permuted, so are the ratings, to the last bit (T54)."""
    before, places = table
    order = data.draw(st.permutations(range(len(before))))
    moved = rate([before[seat] for seat in order], [places[seat] for seat in order])
    after = rate(before, places)
    assert list(moved) == [after[seat] for seat in order]


@LAW
@given(tables())
def test_the_given_ratings_are_left_alone(table: tuple[list[Rating], list[int]]) -> None:
    """Rating the same match twice from the same ratings gives the same."""
    before, places = table
    assert rate(before, places) == rate(before, places)


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    """If two certain bots are 400 displayed points apart, the model's odds are 10 to 1."""
    apart = 400 / SCALE
    assert math.exp(apart / (math.sqrt(2) * BETA)) == pytest.approx(10)
    assert shown(Rating(MEAN + apart, 1)) - shown(Rating(MEAN, 1)) == pytest.approx(400)


def test_the_scale_is_the_one_the_model_moves_by() -> None:
    """If a nearly certain bot with odds of 10 to 1 wins, it gains a tenth of a lone point's worth.

    The gain is `sigma² / c · (1 - p)`, which shows the logistic of the installed openskill.
    """
    sigma = 0.5
    doubt = math.sqrt(2 * (sigma**2 + (MEAN / 300) ** 2) + 2 * BETA**2)
    apart = doubt * math.log(10)
    strong, weak = Rating(MEAN + apart, sigma), Rating(MEAN, sigma)
    expected = rate([strong, weak], [1, 2])[0].mu - strong.mu
    upset = strong.mu - rate([strong, weak], [2, 1])[0].mu
    assert upset / expected == pytest.approx(10)


def test_a_newcomer_is_shown_as_1500_and_uncertain() -> None:
    """A newcomer is displayed as 1500 with an interval of several hundred points."""
    assert shown(Rating()) == pytest.approx(1500)
    assert interval(Rating()) == pytest.approx(1.96 * SCALE * MEAN / 3)


def test_ratings_and_placements_must_be_as_many() -> None:
    """If a placement is missing, nothing is rated."""
    with pytest.raises(ValueError, match="2 ratings and 1 placements"):
        rate([Rating(), Rating()], [1])
