"""Intervals from blocks: they follow what blocks do, and borrow where there are few of them."""

from random import Random

import numpy as np
import pytest

from shoal.rating import Block
from shoal.rating.fit import NoFit, fit
from shoal.rating.student import NORMAL, student
from shoal.rating.table import NARROW, rate
from shoal.rating.tally import tally
from tests.rating.making import block, by_bot, drawn

WON, LOST = [1, 2], [2, 1]


def pairs_of_six(both: list[list[list[int]]], number: int) -> list[Block]:
    """Blocks among six bots in turn, with results in turn."""
    names = [(f"b{one}", f"b{other}") for one in range(6) for other in range(one)]
    return [
        block(f"k{each:03}", names[each % len(names)], both[(each // len(names)) % len(both)])
        for each in range(number)
    ]


def test_if_all_matches_of_a_block_end_alike_intervals_are_wider() -> None:
    """The unit is the block (T56): two wins in a row, or two losses, are not two independent matches."""
    alike = rate(pairs_of_six([[WON, WON], [LOST, LOST]], 300))
    split = rate(pairs_of_six([[WON, WON], [WON, LOST], [LOST, WON], [LOST, LOST]], 300))
    fair = rate(pairs_of_six([[WON, LOST], [LOST, WON]], 300))
    assert alike.dispersion == pytest.approx(2, abs=0.2)
    assert split.dispersion == pytest.approx(1, abs=0.1)
    assert fair.dispersion < 0.2
    middle = [sorted(row.interval for row in table.rows)[3] for table in (fair, split, alike)]
    assert middle == sorted(middle)
    assert middle[2] == pytest.approx(2**0.5 * middle[1], rel=0.1)


def test_outcomes_of_the_model_have_a_dispersion_of_about_one() -> None:
    """At tables of all sizes, whose pairs weigh less the larger they are; there without an edge."""
    near = {f"b{number:02}": 0.1 * number for number in range(10)}
    for sizes in ((2,), (3,), (4,), (2, 3, 4)):
        table = rate(drawn(near, 1200, Random(2), sizes))
        assert table.dispersion == pytest.approx(1, abs=0.1), sizes


def test_a_bot_with_one_block_has_a_wide_interval_whatever_came() -> None:
    """Its own blocks alone would say that nothing scatters."""
    equals = {f"b{number}": 0.0 for number in range(6)}
    veterans = drawn(equals, 400, Random(4), sizes=(2,))
    for result in ([WON, LOST], [WON, WON]):
        rows = by_bot(rate([*veterans, block("new", ["new", "b0"], result)]))
        assert rows["new"].interval > 3 * NARROW
        assert rows["b0"].interval < NARROW


def test_the_quantile_is_students() -> None:
    """As tables of it have it."""
    known = {10: 2.2281, 20: 2.0860, 30: 2.0423, 60: 2.0003, 120: 1.9799}
    found = student(np.array(list(known), np.float64))
    assert found == pytest.approx(list(known.values()), abs=6e-5)
    assert student(np.array([1e9]))[0] == pytest.approx(NORMAL)


def test_a_fit_reproduces_what_was_won() -> None:
    """Of each bot, by all that it played, with what it brought along."""
    blocks = drawn({f"b{number}": 0.7 * number for number in range(5)}, 60, Random(6))
    counted = tally(blocks)
    found = fit(counted.weights, counted.points, {}, ties=0.0)
    apart = found.strengths[:, None] - found.strengths[None, :]
    won = (counted.weights / 20 / (1 + np.exp(-apart))).sum(axis=1)
    assert won == pytest.approx((counted.points / 40).sum(axis=1), abs=1e-7)


def test_a_fit_that_never_rests_says_so() -> None:
    """Only without anything brought along can there be such results."""
    counted = tally([block("k", ["a", "b"], [WON, WON])])
    with pytest.raises(NoFit, match="2 strengths"):
        fit(counted.weights, counted.points, {}, ties=0.0)
