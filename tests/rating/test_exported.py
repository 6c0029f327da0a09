"""The table of an export is that of its results, by the names that its server has for releases."""

from collections.abc import Sequence
from typing import Any

import pytest

from shoal.rating import BadExport, Block, rate, table_of
from tests.rating.making import block

BLOCKS = [block(bots, bots, [[1, 2]] * 2) for bots in ("ab", "bc", "ca")]


def result(key: str, match: Any, **more: object) -> dict[str, object]:
    return {
        "type": "result",
        "match_id": match.match_id,
        "block": key,
        "unrated": None,
        "bots": [*match.bots],
        "bot_versions": [None for _ in match.bots],
        "placements": [*match.placements],
        "ended_ms": match.ended_ms,
        **more,
    }


def export(
    blocks: Sequence[Block] = BLOCKS,
    ratings: Sequence[dict[str, object]] = (),
    anchors: Sequence[dict[str, object]] = (),
    **more: object,
) -> list[dict[str, Any]]:
    results = [result(each.key, match, **more) for each in blocks for match in each.matches]
    return [
        {"type": "head", "specification": {"anchors": [*anchors]}},
        *results,
        *({"type": "rating", **each} for each in ratings),
        {"type": "end", "results": len(results)},
    ]


def test_the_table_of_an_export_is_that_of_its_blocks() -> None:
    """In whatever order its lines come; ratings that are given are given (T63)."""
    lines = export()
    assert table_of(lines) == table_of(lines[::-1]) == rate(BLOCKS)
    anchors = [{"bot_id": "b", "rating": 1200.0}]
    assert table_of(export(anchors=anchors)) == rate(BLOCKS, {"b": 1200.0})


def test_what_does_not_count_is_not_in_it() -> None:
    assert table_of(export(unrated="taken_back")) == rate([])
    assert table_of(export(block=None)) == rate([])


def test_what_is_excluded_has_never_been() -> None:
    """A match takes its block with it, a bot all of its matches (T62)."""
    assert table_of(export(), ["c"]) == rate(BLOCKS[:1])
    assert table_of(export(), [BLOCKS[1].matches[0].match_id]) == rate([BLOCKS[0], BLOCKS[2]])


def test_each_release_is_called_as_its_server_calls_it() -> None:
    """The one that plays by the id of its bot, also if it has not played; the others with their versions."""
    first = export(BLOCKS[:1], bot_versions=["1", "1"])
    assert [row.bot_id for row in table_of(first).rows] == ["a", "b"]
    ratings = [{"bot_id": "a", "bot_version": "2", "entered": True}]
    later = export(BLOCKS[:1], ratings, bot_versions=["1", "1"])
    assert [row.bot_id for row in table_of(later).rows] == ["a@1", "b"]


@pytest.mark.parametrize(
    "part", [slice(1, None), slice(0, -1), slice(0, 0)], ids=["no head", "no end", "empty"]
)
def test_a_part_of_an_export_is_refused(part: slice) -> None:
    """It would be another table, and nobody would know."""
    with pytest.raises(BadExport, match="not one whole export"):
        table_of(export()[part])


def test_an_export_that_lacks_results_is_refused() -> None:
    lines = export()
    with pytest.raises(BadExport, match="results are missing"):
        table_of([*lines[:1], *lines[2:]])
