"""The table of an export is that of its results, by the names that its server has for releases."""

import pytest

from shoal.rating import BadExport, Block
from shoal.rating.exported import read
from shoal.rating.recomputed import compared, table_of
from shoal.rating.table import rate
from tests.rating.exporting import exported, published
from tests.rating.making import block

BLOCKS = [block(bots, bots, [[1, 2]] * 2) for bots in ("ab", "bc", "ca")]


def test_the_table_of_an_export_is_that_of_its_blocks() -> None:
    """In whatever order its lines come; ratings that are given are given (T63)."""
    lines = exported(BLOCKS)
    assert table_of(lines) == table_of(lines[::-1]) == rate(BLOCKS)
    anchors = {"b": 1200.0}
    assert table_of(exported(BLOCKS, anchors=anchors)) == rate(BLOCKS, anchors)


def test_what_does_not_count_is_not_in_it() -> None:
    assert table_of(exported(BLOCKS, unrated="taken_back")) == rate([])


def test_a_result_whose_block_is_not_known_is_rated_by_itself() -> None:
    """It counts, so it is in the table."""
    alone = [Block(match.match_id, (match,)) for each in BLOCKS for match in each.matches]
    export = read(exported(BLOCKS, block=None))
    assert export.blocks == tuple(sorted(alone, key=lambda each: each.key))
    assert {export.rulesets[each.key] for each in alone} == {"base"}


def test_what_is_excluded_has_never_been() -> None:
    """A match leaves the others of its block, a bot takes all of its matches with it (T62)."""
    assert table_of(exported(BLOCKS), ["c"]) == rate(BLOCKS[:1])
    gone, left = BLOCKS[1].matches
    assert table_of(exported(BLOCKS), [gone.match_id]) == rate(
        [BLOCKS[0], Block("bc", (left,)), BLOCKS[2]]
    )


def test_each_release_is_called_as_its_server_calls_it() -> None:
    """The one that plays by the id of its bot, also if it has not played; the others with their versions."""
    first = exported(BLOCKS[:1], bot_versions=["1", "1"])
    assert [row.bot_id for row in table_of(first).rows] == ["a", "b"]
    ratings = [{"bot_id": "a", "bot_version": "2", "entered": True}]
    later = exported(BLOCKS[:1], ratings, bot_versions=["1", "1"])
    assert [row.bot_id for row in table_of(later).rows] == ["a@1", "b"]


@pytest.mark.parametrize(
    "part", [slice(1, None), slice(0, -1), slice(0, 0)], ids=["no head", "no end", "empty"]
)
def test_a_part_of_an_export_is_refused(part: slice) -> None:
    """It would be another table, and nobody would know."""
    with pytest.raises(BadExport, match="not one whole export"):
        table_of(exported(BLOCKS)[part])


def test_an_export_that_lacks_results_is_refused() -> None:
    lines = exported(BLOCKS)
    with pytest.raises(BadExport, match="results are missing"):
        table_of([*lines[:1], *lines[2:]])


def test_what_came_since_an_earlier_export_is_no_export_to_rate() -> None:
    head, *others = exported(BLOCKS)
    with pytest.raises(BadExport, match="only what came since"):
        read([head | {"since": "token"}, *others])


def test_lines_of_a_later_version_are_refused() -> None:
    """A field of them may mean something else."""
    head, *others = exported(BLOCKS)
    with pytest.raises(BadExport, match="lines of version 2"):
        read([head | {"version": 2}, *others])


def test_the_published_table_is_held_against_the_results_that_it_is_of() -> None:
    """Those that were counted later are not in it yet, and that is no difference."""
    head, ratings = published(rate(BLOCKS[:2]), order=4)
    found = compared(read(exported(BLOCKS, ratings, table=head)))
    assert (found.same, found.later, found.differences) == (True, 2, ())
    ratings[0]["published"]["rating"] += 1
    found = compared(read(exported(BLOCKS, ratings, table=head)))
    assert found.same is False
    (only,) = found.differences
    assert only.bot == ratings[0]["bot_id"]
    assert only.published is not None
    assert only.computed is not None
    assert only.published.rating == only.computed.rating + 1


def test_who_is_missing_in_the_published_table_is_a_difference() -> None:
    head, ratings = published(rate(BLOCKS), order=6)
    found = compared(read(exported(BLOCKS, ratings[1:], table=head)))
    assert [(each.bot, each.published) for each in found.differences] == [
        (ratings[0]["bot_id"], None)
    ]


def test_a_table_of_what_does_not_hold_any_more_is_not_compared() -> None:
    """Nothing is wrong with it: a new one takes its place soon."""
    assert compared(read(exported(BLOCKS))).same is None
    head, ratings = published(rate(BLOCKS), order=6, current=False)
    assert compared(read(exported(BLOCKS, ratings, table=head))).same is None
    head, ratings = published(rate(BLOCKS), order=6)
    lines = exported(BLOCKS, ratings, table=head)
    lines[1] |= {"void": "lost_moves", "unrated": "not_played", "order": 9}
    assert compared(read(lines)).same is None
