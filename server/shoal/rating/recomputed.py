"""The table of an export, worked out again, and whether it is the one that was published (T63)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import final

from shoal.rating.exported import Export, Line, Shown, read, until, without
from shoal.rating.model import Row, Table
from shoal.rating.table import rate


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """What was published of a bot, and what its results come to; None where it is not in a table."""

    bot: str
    published: Shown | None
    computed: Shown | None


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """How the published table of an export fits to its results.

    `same` is None where it cannot be told, and `why` says why. `later` are the results that count and came
    after it: it is held against the table without them.
    """

    same: bool | None
    why: str
    later: int
    differences: tuple[Difference, ...] = ()


def table_of(lines: Iterable[Line], excluded: Collection[str] = ()) -> Table:
    """Return the table of all that counts in an export, as its server publishes it.

    Matches in which one of the `excluded` bots sat are left out, and so are `excluded` matches, both by id.
    Raises BadExport, and BadBlock if a match is there twice.
    """
    return recomputed(without(read(lines), excluded))


def recomputed(export: Export) -> Table:
    """Return the table of all that counts in an export. Raises BadBlock if a match is there twice."""
    return rate(export.blocks, export.anchors, by_adjusted=export.by_adjusted)


def compared(export: Export) -> Comparison:
    """Hold the published table of an export against its results. Raises BadBlock."""
    published = export.published
    if published is None:
        return Comparison(None, "no table was published when this was exported", 0)
    if not published.current:
        return Comparison(None, "something else counts since it was published, or is rated anew", 0)
    if published.outlived:
        return Comparison(None, "a match that was in it is void after all", 0)
    then = until(export, published.order)
    rows = recomputed(then).rows
    computed = {row.bot_id: _shown(row) for row in rows}
    differences = tuple(
        Difference(bot, published.rows.get(bot), computed.get(bot))
        for bot in sorted(published.rows.keys() | computed.keys())
        if published.rows.get(bot) != computed.get(bot)
    )
    return Comparison(not differences, "", len(export.results) - len(then.results), differences)


def _shown(row: Row) -> Shown:
    return Shown(
        rank=row.rank,
        rating=row.rating,
        interval=row.interval,
        provisional=row.provisional,
        group=row.group,
        blocks=row.blocks,
        anchored=row.anchored,
        adjusted_rating=row.adjusted_rating,
        adjusted_interval=row.adjusted_interval,
        adjusted_matches=row.adjusted_matches,
    )
