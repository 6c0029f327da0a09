"""Laws of the published table: symmetry, order, and nothing but the results (T54, T63, T66)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.competition.rulings import Rulings, Uncounted
from shoal.rating import Block, counting
from shoal.rating.table import rate
from tests.rating.making import block, by_bot, ladders, placements, renamed

LAW = settings(max_examples=25, deadline=None)


@LAW
@given(ladders(), st.data())
def test_the_order_in_which_blocks_come_changes_nothing(
    blocks: list[Block], data: st.DataObject
) -> None:
    """Nor that of the matches in them: the published table is the same (T63)."""
    moved = [
        Block(each.key, tuple(data.draw(st.permutations(each.matches))))
        for each in data.draw(st.permutations(blocks))
    ]
    assert rate(moved) == rate(blocks)


@LAW
@given(ladders(), st.data())
def test_names_change_nothing_but_the_names(blocks: list[Block], data: st.DataObject) -> None:
    """If bots change their names, ratings and intervals go with them (T54, T63)."""
    names = [f"b{number}" for number in range(6)]
    other = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    before, after = by_bot(rate(blocks)), by_bot(rate(renamed(blocks, other)))
    for name, row in before.items():
        moved = after[other[name]]
        assert (moved.rating, moved.interval) == (row.rating, row.interval)


@LAW
@given(ladders())
def test_equal_results_are_rated_equal(blocks: list[Block]) -> None:
    """Two bots whose results are mirror images of each other have the same rating (T54)."""
    swapped = {f"b{number}": f"b{number}" for number in range(6)} | {"b0": "b1", "b1": "b0"}
    mirrored = [
        Block(
            f"{each.key}'",
            tuple(replace(match, match_id=f"{match.match_id}'") for match in each.matches),
        )
        for each in renamed(blocks, swapped)
    ]
    rows = by_bot(rate([*blocks, *mirrored]))
    if "b0" in rows or "b1" in rows:
        assert rows["b0"].rating == rows["b1"].rating
        assert rows["b0"].interval == rows["b1"].interval


@LAW
@given(st.integers(2, 4).flatmap(lambda seats: st.tuples(*[placements(seats)] * seats)))
def test_among_equals_who_wins_more_is_rated_higher(matches: tuple[list[int], ...]) -> None:
    """After a block of newcomers they are ordered by the points they took from each other (T54)."""
    seats = len(matches)
    bots = [f"b{number}" for number in range(seats)]
    points = {
        bot: sum(
            (match[other] > match[mine]) - (match[other] < match[mine])
            for match in matches
            for other in range(seats)
        )
        for mine, bot in enumerate(bots)
    }
    rows = by_bot(rate([block("k", bots, matches)]))
    for one in bots:
        for other in bots:
            if points[one] > points[other]:
                assert rows[one].rating > rows[other].rating
            if points[one] == points[other]:
                assert rows[one].rating == rows[other].rating


@LAW
@given(st.integers(2, 4), st.integers(1, 5))
def test_if_all_tie_nobody_moves(seats: int, number: int) -> None:
    """Equals that tie stay newcomers (T54)."""
    bots = [f"b{each}" for each in range(seats)]
    ties = [[1] * seats] * seats
    table = rate([block(f"k{each}", bots, ties) for each in range(number)])
    assert {row.rating for row in table.rows} == {1500}


@LAW
@given(ladders())
def test_the_average_seat_is_1500(blocks: list[Block]) -> None:
    """Within each group, but for the rounding to whole points."""
    table = rate(blocks)
    for group in table.groups:
        rows = [row for row in table.rows if row.group == group.number]
        seats = sum(row.matches for row in rows)
        assert sum(row.rating * row.matches for row in rows) / seats == pytest.approx(1500, abs=0.5)


@LAW
@given(ladders(), st.integers(-1000, 1000))
def test_anchors_move_the_table_with_them(blocks: list[Block], points: int) -> None:
    """Whoever is joined to an anchor is rated relative to it, and no nearer to 1500 for that."""
    low, high = (
        by_bot(rate(blocks, {"b0": 1200.0 + more, "b1": 1700.0 + more})) for more in (0, points)
    )
    for name, row in low.items():
        joined = row.group == 1 and bool({"b0", "b1"} & low.keys())
        assert high[name].rating == row.rating + (points if joined else 0)
        assert high[name].interval == row.interval


@LAW
@given(ladders(), st.integers(0, 5), st.integers(0, 12_000), st.integers(0, 12_000))
def test_what_is_excluded_might_never_have_been(
    blocks: list[Block], bot: int, start: int, until: int
) -> None:
    """The table is a function of the results and the exclusions, whenever they are decided (T63)."""
    rulings = Rulings(
        uncounted=(Uncounted(f"b{bot}", 0, None), Uncounted("", start, until)),
        voided={"k00.0": "a reason"},
    )
    left = [
        Block(
            each.key,
            tuple(
                match
                for match in each.matches
                if match.match_id != "k00.0"
                and f"b{bot}" not in match.bots
                and not start <= match.ended_ms < until
            ),
        )
        for each in blocks
    ]
    assert rate(counting(blocks, rulings)) == rate(each for each in left if each.matches)
    assert rate(counting(blocks, Rulings())) == rate(blocks)


@LAW
@given(ladders())
def test_the_rating_decides_and_not_how_sure_it_is(blocks: list[Block]) -> None:
    """Within a group rows are in the order of their published ratings (T66)."""
    table = rate(blocks)
    for group in table.groups:
        rows = [row for row in table.rows if row.group == group.number]
        assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
        assert [row.rank for row in rows] == list(range(1, len(rows) + 1))


def test_more_of_the_same_results_narrow_the_interval_and_lift_nobody() -> None:
    """Who has played more is not ahead of one who has played as well, but surer (T66)."""
    even = [[1, 2], [2, 1]]
    blocks = [block("few", ["b0", "b1"], even)]
    blocks += [block(f"many{number}", ["b1", "b2"], even) for number in range(40)]
    rows = by_bot(rate(blocks))
    assert {row.rating for row in rows.values()} == {1500}
    assert rows["b2"].interval < rows["b0"].interval / 2
