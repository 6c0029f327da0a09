"""Where outcomes come from: the model, and real matches."""

from random import Random

import pytest

from shoal.competition.scale import MEAN, SCALE
from shoal.rating.model import WIN
from shoal.server.simulation.figures import quantile
from shoal.server.simulation.outcomes import ModelOutcomes
from shoal.server.simulation.plan import Source
from shoal.server.simulation.population import population
from shoal.server.simulation.real_match import RealMatch, play_real_match
from shoal.server.simulation.real_outcomes import SHARES, RealOutcomes, level_strengths, real_pool
from tests.simulation.plans import SHORT, figures, part, silent

FIRST = RealMatch((1, 2), (900_000, 100_000))
SECOND = RealMatch((2, 1), (200_000, 800_000))


def heard(_done: int, _total: int) -> None:
    silent("")


def wins(strengths: list[float], seat: int, number: int = 6000) -> float:
    chance = Random(5)
    outcomes = ModelOutcomes()
    ends = [outcomes.placements(strengths, chance) for _ in range(number)]
    return sum(end[seat] == 1 for end in ends) / number


def test_in_the_model_400_points_are_odds_of_ten_to_one() -> None:
    """Seats aside: in the middle of both seatings."""
    strong, weak = MEAN + 400 / SCALE, MEAN
    won = (wins([strong, weak], 0) + wins([weak, strong], 1)) / 2
    assert won == pytest.approx(10 / 11, abs=0.015)


def test_in_the_model_the_first_seat_wins_55_of_100() -> None:
    assert wins([MEAN, MEAN], 0) == pytest.approx(0.55, abs=0.02)


def test_at_a_large_table_everybody_has_a_place_of_its_own() -> None:
    assert sorted(ModelOutcomes().placements([20, 25, 30, 25], Random(1))) == [1, 2, 3, 4]


def test_a_real_match_is_played_by_the_rules_and_again_the_same() -> None:
    first = play_real_match([0.0, 1.0, 0.5], "seed 1")
    assert first == play_real_match([0.0, 1.0, 0.5], "seed 1")
    assert min(first.placements) == 1
    assert len(first.placements) == 3
    others = [play_real_match([0.5, 0.5], f"seed {number}") for number in range(8)]
    assert len({other.placements for other in others}) > 1
    assert {sum(other.adjusted) for other in others} == {WIN}
    assert len({other.adjusted for other in others}) == 8


def test_of_real_matches_the_greedier_baseline_is_the_stronger() -> None:
    pool = real_pool((2,), 96, 1, heard)
    assert {len(some) for some in pool.values()} == {6}
    assert len(pool) == len(SHARES) ** 2
    strengths = level_strengths(pool)
    assert strengths[0] < strengths[1] < strengths[-1]
    assert sum(strengths) / len(strengths) == pytest.approx(MEAN)


def test_a_strength_between_two_levels_is_played_as_either() -> None:
    pool = {
        (one, other): [FIRST if one > other else SECOND] for one in range(4) for other in range(4)
    }
    outcomes = RealOutcomes(pool)
    chance = Random(1)
    ends = [outcomes.placements([1.5, 1.0], chance) for _ in range(400)]
    assert sum(end == (1, 2) for end in ends) == pytest.approx(200, abs=50)
    assert outcomes.truth(1.5) == pytest.approx((outcomes.truth(1.0) + outcomes.truth(2.0)) / 2)
    assert outcomes.truth(3.0) > outcomes.truth(2.9)
    assert outcomes.adjusted([1.5, 1.0], (1, 2), chance) == FIRST.adjusted
    assert outcomes.adjusted([1.5, 1.0], (2, 1), chance) == SECOND.adjusted


def test_a_drift_is_in_points_and_stays_among_the_levels() -> None:
    chance = Random(1)
    moved = [ModelOutcomes().drifted(MEAN, 100.0, chance) for _ in range(4000)]
    assert quantile(moved, 0.84) - MEAN == pytest.approx(100 / SCALE, rel=0.1)
    pool = {
        (one, other): [FIRST, SECOND] if one == other else [FIRST if one > other else SECOND]
        for one in range(4)
        for other in range(4)
    }
    outcomes = RealOutcomes(pool)
    assert all(0 <= outcomes.drifted(2.9, 500.0, chance) <= 3 for _ in range(100))
    steps = [outcomes.drifted(1.5, 1.0, chance) - 1.5 for _ in range(1000)]
    span = (outcomes.truth(3.0) - outcomes.truth(0.0)) * SCALE / 3
    assert quantile(steps, 0.84) * span == pytest.approx(1.0, rel=0.2)


def test_with_outcomes_of_the_engine_the_same_figures_come() -> None:
    changes = {"outcomes": Source.ENGINE, "real_matches": 48, "sizes": (2,), "crashing": 0.0}
    found = figures(**changes, blocks=300)
    assert part(found, "rank_correlation", "end") > 0.5
    assert found["bots"] == figures(**changes, blocks=300)["bots"]


def test_a_population_has_the_parts_that_were_asked_for() -> None:
    bots = population(SHORT)
    assert bots == population(SHORT)
    assert sum(bot.slow for bot in bots) == round(SHORT.slow * SHORT.bots)
    assert sum(bot.crash > 0 for bot in bots) == round(SHORT.crashing * SHORT.bots)
    assert sum(bot.stays[0][0] > 0 for bot in bots) == int(SHORT.churn * SHORT.bots)
    assert len({bot.owner for bot in bots}) == SHORT.bots
    assert {bot.at_once for bot in bots} == {1, 2}
    assert all(min(SHORT.sizes) in bot.sizes for bot in bots)
