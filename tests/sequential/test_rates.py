"""How often a test is wrong: a short run of `shoal bench test`, whose figures are in docs/testing.md."""

import math

import pytest

from shoal.cli.comparison.rehearsal import SETTINGS, model_pools, rehearse
from shoal.sequential import Rule

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
