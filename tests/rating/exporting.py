"""Lines of an export, as docs/export.md has them, of blocks that a test has made."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shoal.rating import Block, Table

Lines = list[dict[str, Any]]


def exported(
    blocks: Iterable[Block],
    ratings: Iterable[Mapping[str, object]] = (),
    anchors: Mapping[str, float] | None = None,
    table: Mapping[str, object] | None = None,
    **more: object,
) -> Lines:
    """The lines of these blocks, and of bots; results have `more` fields, in the place of what is usual."""
    results = [
        {
            "type": "result",
            "match_id": match.match_id,
            "block": block.key,
            "unrated": None,
            "ruleset": "base",
            "bots": [*match.bots],
            "bot_versions": [None for _ in match.bots],
            "placements": [*match.placements],
            "void": None,
            "ended_ms": match.ended_ms,
            "order": order,
            **more,
        }
        for order, (block, match) in enumerate(
            ((block, match) for block in blocks for match in block.matches), start=1
        )
    ]
    given = [{"bot_id": bot, "rating": rating} for bot, rating in (anchors or {}).items()]
    usual = {"bot_version": None, "owner_id": None, "entered": True, "published": None}
    return [
        {
            "type": "head",
            "version": 1,
            "competition": "main",
            "specification": {"anchors": given},
            "since": None,
            "table": table,
        },
        *results,
        *({"type": "rating", **usual, "bot_name": each["bot_id"], **each} for each in ratings),
        {"type": "end", "results": len(results)},
    ]


def published(table: Table, order: int, **more: object) -> tuple[dict[str, object], Lines]:
    """What the head of an export says of a published table, and the lines of its bots."""
    head = {"published_ms": 1000, "order": order, "current": True, **more}
    shown = ("rank", "rating", "interval", "provisional", "group", "blocks", "anchored")
    ratings = [
        {"bot_id": row.bot_id, "published": {name: getattr(row, name) for name in shown}}
        for row in table.rows
    ]
    return head, ratings


def written(folder: Path, lines: Iterable[Mapping[str, object]]) -> Path:
    """A file of these lines."""
    path = folder / "main.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path
