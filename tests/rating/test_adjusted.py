"""Ratings without luck: what is taken away, of which matches, and what that makes of intervals."""

from dataclasses import replace
from random import Random
from statistics import mean

import numpy as np
import pytest

from shoal.competition.scale import POINTS, SHOWN_MEAN
from shoal.rating import Block, Match
from shoal.rating.fit import fit
from shoal.rating.luck import in_parts
from shoal.rating.model import WIN
from shoal.rating.table import rate
from shoal.rating.tally import tally
from tests.rating.making import block, by_bot, drawn, renamed

WON, LOST = [1, 2], [2, 1]


def with_luck(each: Block, *luck: float) -> Block:
    """A block of two whose matches have so much luck of the first seat, in parts of the win."""
    return Block(each.key, tuple(map(_less, each.matches, luck)))


def _less(match: Match, luck: float) -> Match:
    won = 1.0 if match.placements == (1, 2) else 0.0
    return replace(match, adjusted=in_parts((won - luck, 1 - won + luck)))


def lucky(
    chance: Random, strengths: dict[str, float], number: int, known: float = 1.0
) -> list[Block]:
    """Blocks of two of which a half of the luck that the model leaves is known, of a part of the matches.

    Luck is to either side with the same chance, before anything else is decided: so its mean is zero.
    """
    blocks = []
    for each in range(number):
        one, other = chance.sample(sorted(strengths), 2)
        matches = []
        for rotation, bots in enumerate(((one, other), (other, one))):
            p = 1 / (1 + np.exp(strengths[bots[1]] - strengths[bots[0]]))
            luck = chance.choice((-0.25, 0.25))
            won = chance.random() < p + 4 * p * (1 - p) * luck
            match = Match(f"k{each:04}.{rotation}", bots, (1, 2) if won else (2, 1))
            matches.append(_less(match, luck) if chance.random() < known else match)
        blocks.append(Block(f"k{each:04}", tuple(matches)))
    return blocks


FIVE = {f"b{number}": 0.4 * number for number in range(5)}


def test_without_any_luck_there_are_no_adjusted_ratings() -> None:
    """And where it is known to have been none, they are the plain ones."""
    blocks = drawn(FIVE, 40, Random(1), sizes=(2,))
    assert {row.adjusted_rating for row in rate(blocks).rows} == {None}
    rows = rate([with_luck(each, 0.0, 0.0) for each in blocks]).rows
    assert [(row.adjusted_rating, row.adjusted_interval) for row in rows] == [
        (row.rating, row.interval) for row in rows
    ]
    assert [row.adjusted_matches for row in rows] == [row.matches for row in rows]


def test_who_was_lucky_has_a_lower_rating_without_it() -> None:
    """Who won half of its matches with luck of a tenth of each would have won two of five, nearly."""
    even = [block(f"k{number:03}", ("a", "b"), [WON, LOST]) for number in range(200)]
    rows = by_bot(rate([with_luck(each, 0.1, -0.1) for each in even]))
    assert {row.rating for row in rows.values()} == {1500}
    p = 0.404  # what solves p + 4 p (1 - p) / 10 = 1/2
    assert rows["a"].adjusted_rating == pytest.approx(
        1500 + POINTS * np.log(p / (1 - p)) / 2, abs=1
    )
    assert rows["a"].adjusted_rating + rows["b"].adjusted_rating == 3000


def test_of_which_matches_luck_was_taken_away_is_counted() -> None:
    """The others are in it as they were played."""
    blocks = [block(f"k{n}", pair, [WON, LOST]) for n, pair in enumerate((("a", "b"), ("b", "c")))]
    rows = by_bot(rate([with_luck(blocks[0], 0.1, 0.1), blocks[1]]))
    assert {bot: row.adjusted_matches for bot, row in rows.items()} == {"a": 2, "b": 2, "c": 0}
    assert all(row.adjusted_rating is not None for row in rows.values())


def test_a_fit_reproduces_what_was_won_without_luck() -> None:
    """Of each bot, as far as cards decide between it and whom it met."""
    counted = tally(lucky(Random(3), FIVE, 200))
    found = fit(counted.weights, counted.points, {}, ties=0.0, luck=counted.luck)
    p = 1 / (1 + np.exp(found.strengths[None, :] - found.strengths[:, None]))
    won = (counted.points / 40 - 4 * p * (1 - p) * counted.luck / WIN).sum(axis=1)
    assert (counted.weights / 20 * p).sum(axis=1) == pytest.approx(won, abs=1e-7)


def test_order_and_names_of_blocks_change_nothing() -> None:
    """Also of results without luck (T63)."""
    blocks = lucky(Random(4), FIVE, 60, known=0.7)
    table = rate(blocks)
    moved = [Block(each.key, each.matches[::-1]) for each in blocks[::-1]]
    assert rate(moved) == table
    names = {f"b{number}": f"b{4 - number}" for number in range(5)}
    other = [
        Block(
            new.key,
            tuple(
                replace(match, adjusted=old.adjusted)
                for match, old in zip(new.matches, each.matches, strict=True)
            ),
        )
        for new, each in zip(renamed(blocks, names), blocks, strict=True)
    ]
    after = by_bot(rate(other))
    for row in table.rows:
        found = after[names[row.bot_id]]
        assert (found.adjusted_rating, found.adjusted_interval) == (
            *(row.adjusted_rating, row.adjusted_interval),
        )


def test_larger_tables_stay_as_they_were_played() -> None:
    """Of three and four seats luck is known, and not taken away."""
    blocks = drawn(FIVE, 30, Random(5), sizes=(3,))
    third = (WIN // 3, WIN // 3, WIN - 2 * (WIN // 3))
    known = [
        Block(each.key, tuple(replace(match, adjusted=third) for match in each.matches))
        for each in blocks
    ]
    assert rate(known) == rate(blocks)


def test_the_official_rating_decides_the_order() -> None:
    """And which interval makes a rating provisional (T66)."""
    blocks = [
        with_luck(block(f"k{number:03}", ("a", "b"), [WON, WON if number % 3 else LOST]), 0.8, -0.8)
        for number in range(60)
    ]
    plain, adjusted = rate(blocks), rate(blocks, by_adjusted=True)
    assert [row.bot_id for row in plain.rows] == ["a", "b"]
    assert [row.bot_id for row in adjusted.rows] == ["b", "a"]
    assert [row.rank for row in adjusted.rows] == [1, 2]
    assert by_bot(plain)["a"].rating == by_bot(adjusted)["a"].rating
    assert rate(drawn(FIVE, 9, Random(1)), by_adjusted=True) == rate(drawn(FIVE, 9, Random(1)))


def test_anchors_are_given_without_luck_too() -> None:
    rows = by_bot(rate(lucky(Random(6), FIVE, 80), {"b0": 1300.0}))
    assert (rows["b0"].adjusted_rating, rows["b0"].adjusted_interval) == (1300, 0)
    assert rows["b4"].adjusted_rating > 1300


def test_luck_out_of_all_proportion_keeps_no_table_back() -> None:
    """Whatever stands there, what was played is rated."""
    chance = Random(7)
    for _ in range(100):
        blocks = [
            with_luck(each, chance.gauss(0, 3), chance.gauss(0, 3))
            for each in drawn(FIVE, chance.randint(1, 8), chance, sizes=(2,))
        ]
        plain = [
            Block(each.key, tuple(replace(m, adjusted=()) for m in each.matches)) for each in blocks
        ]
        assert [row.rating for row in rate(blocks).rows] == [row.rating for row in rate(plain).rows]


@pytest.mark.parametrize("known", [1.0, 0.5], ids=["of all", "of a half"])
def test_adjusted_intervals_are_narrower_and_hold_the_truth(known: float) -> None:
    """95 of 100 do, as often as plain ones (T55), also where the luck of some matches is not known."""
    chance = Random(8)
    held, narrower, off = [], [], []
    for _ in range(40):
        strengths = {f"b{number:02}": chance.gauss(0.0, 0.8) for number in range(10)}
        rows = rate(lucky(chance, strengths, 100, known)).rows
        seats = sum(row.matches for row in rows)
        zero = sum(strengths[row.bot_id] * row.matches for row in rows) / seats
        for row in rows:
            assert row.adjusted_rating is not None
            assert row.adjusted_interval is not None
            away = row.adjusted_rating - SHOWN_MEAN - POINTS * (strengths[row.bot_id] - zero)
            held.append(abs(away) <= row.adjusted_interval)
            off.append(away)
            narrower.append(row.adjusted_interval / row.interval)
    assert 0.92 < mean(held) < 0.985
    assert mean(narrower) < 1 - 0.07 * known
    assert abs(mean(off)) < 5


def test_parts_of_the_win_add_up_to_it() -> None:
    assert in_parts((1 / 3, 1 / 3, 1 / 3)) == (333_333, 333_333, 333_334)
    assert in_parts((1.25, -0.25)) == (1_250_000, -250_000)
