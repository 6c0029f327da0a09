"""When a test ends, and what it says then."""

import math
from random import Random

import pytest

from shoal.sequential import (
    BadRule,
    BlockScore,
    Rule,
    Sample,
    Scale,
    Verdict,
    expected_blocks,
    least_blocks,
)

DIRECT = Scale(2, field=False)
FOUR = Scale(4, field=True)
ADJUSTED = Scale(2, field=False, adjusted=True)


def sample(scores: list[tuple[float, float]]) -> Sample:
    made = Sample()
    for a, b in scores:
        made.add(BlockScore(a, b))
    return made


def test_the_bounds_are_walds() -> None:
    rule = Rule(alpha=0.05, beta=0.1)
    assert rule.upper == pytest.approx(math.log(0.9 / 0.05))
    assert rule.lower == pytest.approx(math.log(0.1 / 0.95))


def test_nothing_is_decided_before_the_first_block() -> None:
    standing = Rule().standing(Sample(), DIRECT)
    assert (standing.log_ratio, standing.verdict) == (0.0, Verdict.OPEN)


def test_a_sample_adds_up_what_it_is_given() -> None:
    made = sample([(0.25, 0.75), (0.5, 0.5), (0.0, 1.0)])
    assert made.blocks == 3
    assert made.gap == pytest.approx(0.5)
    assert made.scores == (pytest.approx(0.25), pytest.approx(0.75))
    assert made.squares == pytest.approx(0.5)  # of 0.5, 0 and 1 about 0.5


def test_a_ratio_is_that_of_the_likelihoods() -> None:
    """Against the definition, with the likeliest variance of each; eight blocks are taken for granted."""
    scores = [(0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (0.0, 1.0)] * 5
    made = sample(scores)
    rule = Rule(0, 50)
    gap1 = DIRECT.gap(50)
    off = [sum((b - a - gap) ** 2 for a, b in scores) for gap in (0.0, gap1)]
    # The blocks that are taken for granted say the variance, and nothing of the mean.
    spread = (made.squares + 8 * 0.5) / 28
    by_hand = 10 * math.log(
        (spread + (off[0] - made.squares) / 20) / (spread + (off[1] - made.squares) / 20)
    )
    assert rule.standing(made, DIRECT).log_ratio == pytest.approx(by_hand)


def test_a_better_bot_is_found_and_one_as_good_is_not() -> None:
    even = sample([(0.5, 0.5), (0.75, 0.25), (0.25, 0.75)] * 100)
    better = sample([(0.5, 0.5), (0.0, 1.0), (0.25, 0.75)] * 100)
    assert Rule().standing(even, DIRECT).verdict is Verdict.H0
    assert Rule().standing(better, DIRECT).verdict is Verdict.H1


def test_swapping_the_bots_swaps_the_hypotheses() -> None:
    """No side has an advantage in the arithmetic."""
    chance = Random(1)
    scores = [(chance.choice((0.25, 0.5)), chance.choice((0.5, 0.75))) for _ in range(30)]
    one = Rule(0, 60).standing(sample(scores), FOUR).log_ratio
    other = Rule(-60, 0).standing(sample([(b, a) for a, b in scores]), FOUR).log_ratio
    assert one == pytest.approx(-other)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"elo0": 50, "elo1": 50}, "elo0 50 must be less than elo1 50"),
        ({"elo0": 9, "elo1": 5}, "elo0 9 must be less than elo1 5"),
        ({"elo1": 900}, "elo1 900"),
        ({"elo0": math.nan}, "elo0 nan"),
        ({"alpha": 0}, "alpha 0"),
        ({"beta": 0.5}, "beta 0.5"),
    ],
    ids=["equal", "turned", "far", "nan", "alpha", "beta"],
)
def test_hypotheses_that_no_test_can_have_are_named(rule: dict[str, float], words: str) -> None:
    with pytest.raises(BadRule, match=words):
        Rule(**rule)


@pytest.mark.parametrize("elo1", [20.0, 50.0, 200.0])
@pytest.mark.parametrize("scale", [DIRECT, FOUR, ADJUSTED], ids=["direct", "four", "adjusted"])
def test_the_least_number_of_blocks_is_exact(elo1: float, scale: Scale) -> None:
    """T57: with the gaps that decide soonest a test ends after so many blocks, and with none sooner."""
    rule = Rule(0, elo1)
    least = least_blocks(rule, scale)
    most = 200 if scale.adjusted else 100  # hundredths: adjusted scores may be beyond 1
    ends = [
        blocks
        for hundredths in range(-most, most + 1)
        if (blocks := _ends(rule, scale, hundredths / 100, least)) is not None
    ]
    assert min(ends) == least


def _ends(rule: Rule, scale: Scale, gap: float, most: int) -> int | None:
    """After how many blocks with this gap a test ends, if it is not more than most."""
    made = Sample()
    for blocks in range(1, most + 1):
        made.add(BlockScore(0.5 - gap / 2, 0.5 + gap / 2))
        if rule.standing(made, scale).verdict is not Verdict.OPEN:
            return blocks
    return None


def test_the_expected_number_of_blocks_grows_with_the_square_of_what_is_to_be_told_apart() -> None:
    wide, narrow = (expected_blocks(Rule(0, elo1), FOUR) for elo1 in (40, 20))
    for one, other in zip(wide, narrow, strict=True):
        assert other / one == pytest.approx(4, rel=0.01)
    at0, between, at1 = wide
    assert at0 == pytest.approx(at1)
    assert between > at0
