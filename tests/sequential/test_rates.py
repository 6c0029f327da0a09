"""How often a test is wrong: a short run of `shoal bench test`, whose figures are in docs/testing.md."""

import math
from random import Random

import pytest

from shoal.cli.comparison.rehearsal import SETTINGS, model_pools, rehearse
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
    rule, scale = Rule(0, 50), Scale(2, field=False)
    chance = Random(4)
    gap = scale.gap(rule.elo1 if is_better else rule.elo0)
    false = Verdict.H0 if is_better else Verdict.H1
    wrong = 0
    lengths = []
    for _ in range(TESTS):
        sample = Sample()
        verdict = Verdict.OPEN
        while verdict is Verdict.OPEN:
            off = chance.gammavariate(4, 0.25) - 1  # with a variance of ¼, half of that of a win
            sample.add(BlockScore(0.5 - (gap + off) / 2, 0.5 + (gap + off) / 2))
            verdict = rule.standing(sample, scale).verdict
        wrong += verdict is false
        lengths.append(sample.blocks)
    assert wrong / TESTS <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TESTS)
    assert sum(lengths) / TESTS < 0.7 * expected_blocks(rule, scale)[0]
