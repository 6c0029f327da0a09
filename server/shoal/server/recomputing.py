"""`shoal ladder recompute`: the table of an export, worked out anew, beside the published one (T63)."""

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import final

from shoal.rating import BadExport, Export, Row, Table
from shoal.rating.exported import Shown, without
from shoal.rating.recomputed import Comparison, Difference, compared, recomputed
from shoal.server.export_files import read_file

_LEFT_OUT = Comparison(None, "something was left out on purpose", 0)


@final
@dataclass(frozen=True, slots=True)
class Recomputed:
    """What an export says, the table that it comes to, and how the published one fits to it."""

    export: Export
    table: Table
    comparison: Comparison

    @property
    def differs(self) -> bool:
        """Whether the published table is another one than that of its results."""
        return self.comparison.same is False


def recompute(path: Path, excluded: Collection[str] = ()) -> Recomputed:
    """Return the table of a file, without some bots and matches, by id. Raises BadExport and OSError."""
    export = read_file(path)
    if not excluded:
        return Recomputed(export, recomputed(export), compared(export))
    known = {each.match.match_id for each in export.results} | set(export.bots.values())
    for each in excluded:
        if each not in known:
            raise BadExport(f"{path}: no match or bot that counts has the id {each}")
    left = without(export, excluded)
    return Recomputed(left, recomputed(left), _LEFT_OUT)


def as_figures(found: Recomputed) -> dict[str, object]:
    """Return it for programs."""
    export, table, published = found.export, found.table, found.export.published
    return {
        "competition": export.competition,
        "blocks": table.blocks,
        "matches": table.matches,
        "dispersion": table.dispersion,
        "rows": [_row(export, row) for row in table.rows],
        "published": None
        if published is None
        else {"published_ms": published.at_ms, "order": published.order},
        "same": found.comparison.same,
        "why": found.comparison.why or None,
        "later": found.comparison.later,
        "differences": [asdict(each) for each in found.comparison.differences],
    }


def as_lines(found: Recomputed) -> Iterator[str]:
    """Yield it for people: the table, and whether it is the published one."""
    export, table = found.export, found.table
    yield f"{export.competition}: {table.blocks} blocks, {table.matches} matches"
    names = [_called(export, row.bot_id) for row in table.rows]
    width = max(map(len, ["bot", *names]))
    if names:
        yield (
            f"rank  {'bot':<{width}}  rating   interval  adjusted   interval  of matches  "
            "blocks  matches"
        )
    for row, name in zip(table.rows, names, strict=True):
        known = row.adjusted_rating is not None
        yield (
            f"{row.rank:>4}  {name:<{width}}  {row.rating:>5}{'?' if row.provisional else ' '}  "
            f"{f'±{row.interval}':>9}  {row.adjusted_rating if known else '-':>8}  "
            f"{f'±{row.adjusted_interval}' if known else '-':>9}  {row.adjusted_matches:>10}  "
            f"{row.blocks:>6}  {row.matches:>7}"
        )
    yield ""
    yield _told(found)
    for each in found.comparison.differences:
        yield f"  {_called(export, each.bot)}: {_apart(each)}"


def _told(found: Recomputed) -> str:
    """Return in a sentence whether the published table is that of its results."""
    comparison, published = found.comparison, found.export.published
    if comparison.same is None or published is None:
        return f"not compared with the published table: {comparison.why}"
    since = f", {comparison.later} of these results came later" if comparison.later else ""
    at = datetime.fromtimestamp(published.at_ms / 1000, UTC).isoformat(timespec="seconds")
    word = "is the same" if comparison.same else "DIFFERS from what its results come to"
    return f"the table that was published at {at} {word}{since}"


def _apart(each: Difference) -> str:
    return f"published {_points(each.published)}, computed {_points(each.computed)}"


def _points(shown: Shown | None) -> str:
    if shown is None:
        return "nothing"
    more = f"rank {shown.rank} of group {shown.group}, {shown.blocks} blocks"
    adjusted = (
        f", adjusted {shown.adjusted_rating} ±{shown.adjusted_interval} of {shown.adjusted_matches}"
        if shown.adjusted_rating is not None
        else ""
    )
    return f"{shown.rating} ±{shown.interval}{adjusted} ({more})"


def _row(export: Export, row: Row) -> dict[str, object]:
    """Return a row, with the bot apart from its release."""
    bot_id = export.bots[row.bot_id]
    version = row.bot_id.removeprefix(bot_id).removeprefix("@") or None
    return {
        **asdict(row),
        "bot_id": bot_id,
        "bot_version": version,
        "bot_name": export.names.get(bot_id, ""),
    }


def _called(export: Export, name: str) -> str:
    """Return the name of a bot, with the version of a release that does not play any more."""
    bot_id = export.bots.get(name, name)
    known = export.names.get(bot_id)
    return name if known is None else f"{known}{name.removeprefix(bot_id)}"
