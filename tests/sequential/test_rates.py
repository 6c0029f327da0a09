"""How often a test is wrong: a short run of `shoal bench test`, whose figures are in docs/testing.md."""

import math
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from shoal.cli.comparison.model import Blocks, Counted, Drawn
from shoal.cli.comparison.rehearsal import SETTINGS, Pool, model_pools, rehearse
from shoal.cli.comparison.tilt import UnreachableError
from shoal.sequential import BlockScore, Rule, Sample, Scale, Verdict, expected_blocks

TESTS = 400


@pytest.mark.parametrize(
    "rule", [Rule(0, 100), Rule(-40, 60, alpha=0.1, beta=0.02)], ids=["even", "uneven"]
)
def test_a_test_is_wrong_as_seldom_as_it_was_asked_to_be(rule: Rule) -> None:
    """T56: with blocks whose matches are not independent, of two seats and fields; and so are its intervals.

    Three standard errors of what was asked; the seed is fixed, so this holds or does not.
    """
    rows = list(rehearse(rule, TESTS, 2, model_pools(2)))
    assert len(rows) == 2 * len(SETTINGS)
    for row in rows:
        asked = row["asked"]
        error = math.sqrt(asked * (1 - asked) / TESTS)
        assert row["wrong"] <= asked + 3 * error, row
        assert 0.91 < row["held"] < 0.985, row
        assert 0.5 < row["blocks"] / row["expected_blocks"] < 1.5, row


@pytest.mark.parametrize("is_better", [False, True], ids=["as-good", "better"])
def test_scores_that_have_any_value_are_decided_as_well(*, is_better: bool) -> None:
    """As those that are adjusted for luck: beyond 0 and 1 too, skewed, with less variance than a win."""
    rule, scale = Rule(0, 50), Scale(2, field=False, adjusted=True)
    chance = Random(4)
    gap = scale.gap(rule.elo1 if is_better else rule.elo0)
    false = Verdict.H0 if is_better else Verdict.H1
    wrong = 0
    lengths = []
    for _ in range(TESTS):
        sample = Sample()
        verdict = Verdict.OPEN
        while verdict is Verdict.OPEN:
            off = chance.gammavariate(4, 0.25) - 1  # with a variance of ¼, half of what wins have
            sample.add(BlockScore(0.5 - (gap + off) / 2, 0.5 + (gap + off) / 2))
            verdict = rule.standing(sample, scale).verdict
        wrong += verdict is false
        lengths.append(sample.blocks)
    assert wrong / TESTS <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS)
    assert sum(lengths) / TESTS < 0.9 * expected_blocks(rule, scale)[0]


def correlated(number: int) -> "Counter[Drawn]":
    """Return blocks of equal bots of which luck is about a third, and has not quite the mean zero."""
    chance = Random(5)
    counts: Counter[Drawn] = Counter()
    for _ in range(number):
        luck = chance.gauss(0.02, 0.4)
        gap = max(-1.0, min(1.0, round(luck + chance.gauss(0, 0.55))))
        counts[
            Drawn(BlockScore(0.5 - gap / 2, 0.5 + gap / 2), BlockScore(-luck / 2, luck / 2))
        ] += 1
    return counts


def test_blocks_are_weighted_so_that_b_is_as_much_better_and_luck_is_zero() -> None:
    """Weights by the plain gap alone would weight luck too, and make adjusted scores say another truth."""
    scale = Scale(2, field=False)
    blocks = Blocks(correlated(2000), scale, 50)
    drawn = blocks.draw(Random(1), 40_000)
    for adjusted in (False, True):
        counted = Counted(replace(scale, adjusted=adjusted))
        for each in drawn:
            counted.add(each)
        sample = counted.sample
        assert abs(sample.gap - scale.gap(50)) < 4 * math.sqrt(
            blocks.variance(adjusted=adjusted) / 40_000
        )
    assert blocks.variance(adjusted=True) < 0.8 * blocks.variance(adjusted=False)


def test_a_test_of_adjusted_scores_is_wrong_as_seldom_and_takes_fewer_blocks() -> None:
    pool = Pool("drawn", Scale(2, field=False), correlated(2000))
    plain0, fair0, plain1, fair1 = rehearse(Rule(0, 80), TESTS, 3, [pool])
    for plain, fair in ((plain0, fair0), (plain1, fair1)):
        assert (plain["scores"], fair["scores"]) == ("plain", "adjusted")
        for row in (plain, fair):
            assert row["wrong"] <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS), row
            assert 0.91 < row["held"] < 0.985, row
        assert fair["saved"] is not None
        assert fair["saved"] > 0.1


def test_where_chance_decides_little_little_luck_is_subtracted() -> None:
    """As against a field that is much weaker: else the adjusted test would take longer than the plain one."""
    chance = Random(6)
    counts: Counter[Drawn] = Counter()
    for _ in range(1000):
        gap = chance.choice((-0.5, 0.5)) if chance.random() < 0.2 else 0.0
        a, b = (chance.gauss(0, 0.2) for _ in range(2))
        counts[Drawn(BlockScore(0.9 - gap / 2, 0.9 + gap / 2), BlockScore(a, b))] += 1
    pool = Pool("drawn", Scale(2, field=True), counts)
    plain, fair, *_ = rehearse(Rule(0, 200), TESTS, 3, [pool])
    assert fair["wrong"] <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS)
    assert fair["blocks"] < 1.25 * plain["blocks"]


def test_what_blocks_never_come_to_is_no_truth_of_theirs() -> None:
    even = Counter([Drawn(BlockScore(0.5, 0.5)), Drawn(BlockScore(0.45, 0.55))])
    with pytest.raises(UnreachableError):
        Blocks(even, Scale(2, field=False), 100)
