"""What the table says: the scale, who can be compared with whom, and how sure it is."""

import math
from random import Random

import pytest

from shoal.competition.reachable import narrowest_interval
from shoal.competition.scale import LOGIT, POINTS, SCALE
from shoal.rating import Group, Table
from shoal.rating.fit import PRIOR
from shoal.rating.table import NARROW, published, rate
from tests.rating.making import block, by_bot, drawn

WON, LOST, TIED = [1, 2], [2, 1], [1, 1]


def test_the_scale_is_that_of_the_online_ratings() -> None:
    """If nothing is brought along, odds of 10 to 1 are 400 points, as the online model has them."""
    won = [block(f"w{number}", ["a", "b"], [WON, WON]) for number in range(10)]
    lost = [block("l", ["a", "b"], [LOST, LOST])]
    rows = by_bot(rate([*won, *lost], ties=0.0))
    assert rows["a"].rating - rows["b"].rating == 400
    assert pytest.approx(SCALE * LOGIT) == POINTS


def test_who_has_won_everything_has_a_rating() -> None:
    """It is that of the ties that both bring along: here one in all."""
    rows = by_bot(rate([block("k", ["a", "b"], [WON, WON])]))
    odds = (2 + PRIOR) / PRIOR
    assert rows["a"].rating - 1500 == round(POINTS * math.log(odds) / 2)
    assert rows["b"].rating - 1500 == -(rows["a"].rating - 1500)
    assert rows["a"].provisional


def test_a_tie_is_half_a_win() -> None:
    ties = [block(f"t{number}", ["a", "b"], [TIED, WON]) for number in range(20)]
    rows = by_bot(rate(ties, ties=0.0))
    assert rows["a"].rating - rows["b"].rating == pytest.approx(POINTS * math.log(3), abs=1)


def test_a_row_counts_what_was_played() -> None:
    blocks = [block("k", ["a", "b", "c"], [[1, 1, 3], [2, 1, 3], [3, 1, 2]])]
    blocks.append(block("m", ["a", "c"], [WON, WON]))
    row = by_bot(rate(blocks))["a"]
    assert (row.blocks, row.matches, row.wins, row.placement_sum) == (2, 5, 3, 8)


def test_anchors_keep_what_is_given() -> None:
    """And the others are rated relative to them: half of all against one of 1800 is 1800."""
    even = [block(f"k{number}", ["anchor", "b"], [WON, LOST]) for number in range(30)]
    table = rate(even, {"anchor": 1800.5, "elsewhere": 1000.0})
    rows = by_bot(table)
    assert (rows["anchor"].rating, rows["anchor"].interval) == (1801, 0)
    assert rows["anchor"].anchored
    assert not rows["anchor"].provisional
    assert rows["b"].rating == 1801
    assert not rows["b"].anchored
    assert table.groups == (Group(1, 2, 60, is_anchored=True),)


def test_circles_that_never_met_are_groups_of_their_own() -> None:
    """Each has an average seat of its own; the larger is the ladder, and the other stays provisional."""
    chance = Random(3)
    large = drawn({"a": 0.0, "b": 1.0, "c": -1.0}, 120, chance, sizes=(2,))
    small = [block(f"s{number}", ["x", "y"], [WON, LOST]) for number in range(60)]
    table = rate([*small, *large])
    assert [(group.number, group.bots) for group in table.groups] == [(1, 3), (2, 2)]
    rows = by_bot(table)
    assert {rows[bot].group for bot in "abc"} == {1}
    assert {rows[bot].rating for bot in "xy"} == {1500}
    assert all(rows[bot].provisional and rows[bot].group == 2 for bot in "xy")
    assert not any(rows[bot].provisional for bot in "abc")
    assert by_bot(rate(large))["a"] == rows["a"]


def test_anchors_join_circles_that_never_met() -> None:
    """What is given is given on one scale; a circle without an anchor stays apart, however large it is."""
    one = [block(f"k{number}", ["low", "a"], [WON, LOST]) for number in range(40)]
    other = [block(f"m{number}", ["high", "b"], [WON, LOST]) for number in range(40)]
    apart = [block(f"x{number}", ["x", "y"], [WON, LOST]) for number in range(200)]
    table = rate([*apart, *one, *other], {"low": 1300.0, "high": 1900.0})
    rows = by_bot(table)
    assert {bot: (rows[bot].rating, rows[bot].group) for bot in rows} == {
        "low": (1300, 1),
        "a": (1300, 1),
        "high": (1900, 1),
        "b": (1900, 1),
        "x": (1500, 2),
        "y": (1500, 2),
    }
    assert [group.is_anchored for group in table.groups] == [True, False]


def test_two_circles_with_one_bridge_are_not_compared_with_certainty() -> None:
    """However much was played within them: what is brought along is not spread over the bridge."""
    chance = Random(5)
    left = drawn({f"l{number}": 0.0 for number in range(6)}, 300, chance, sizes=(2,))
    right = [
        block(f"r{number}", ["r0", "r1"] if number % 2 else ["r1", "r2"], [WON, LOST])
        for number in range(300)
    ]
    bridge = [block("bridge", ["l0", "r0"], [WON, LOST])]
    apart = by_bot(rate([*left, *right], {"l0": 1500.0, "r0": 1500.0}))
    joined = by_bot(rate([*left, *right, *bridge], {"l0": 1500.0}))
    assert apart["r1"].interval < 60
    assert joined["r1"].interval > 300


def test_a_rating_is_provisional_until_its_interval_is_narrow() -> None:
    """Among equals that takes about 22 blocks of two, or 7 of four."""
    equals = {f"b{number}": 0.0 for number in range(12)}
    for sizes, early, late in (((2,), 10, 40), ((4,), 3, 14)):
        for blocks, provisional in ((early, True), (late, False)):
            number = 12 * blocks // sizes[0]
            rows = rate(drawn(equals, number, Random(1), sizes)).rows
            most = sum(row.provisional for row in rows) > 6
            assert most == provisional, (sizes, blocks, [row.interval for row in rows])
    assert NARROW == 100


def test_without_results_there_is_an_empty_table() -> None:
    assert rate([]) == Table()


def test_what_should_be_a_half_is_the_same_a_billionth_more_or_less() -> None:
    """By the symmetry of results halves come up, and machines differ in the last bits (T63)."""
    for half in (1500.5, 1234.5, -7.5):
        assert {published(half + off) for off in (-1e-8, 0.0, 1e-8)} == {math.ceil(half)}
    assert published(1500.49) == 1500
    assert published(1500.51) == 1501


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("anchored", [False, True], ids=["free", "anchored"])
def test_no_rating_is_more_certain_than_a_stopping_rule_takes_for_possible(
    seats: int, *, anchored: bool
) -> None:
    """And where there are few equals it comes near: only what cannot be is refused (T57)."""
    for many in (seats, seats + 1, 8):
        bots = [f"b{number}" for number in range(many)]
        blocks = drawn(dict.fromkeys(bots, 0.0), 50 * many, Random(f"{seats}"), (seats,))
        table = rate(blocks, dict.fromkeys(bots[1:], 1500.0) if anchored else {})
        free = [row for row in table.rows if not row.anchored]
        parts = [row.interval / narrowest_interval(row.blocks, seats) for row in free]
        assert min(parts) > 1
        if many == seats and not anchored:
            assert max(parts) < 1.5
