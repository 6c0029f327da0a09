"""What tables are worth, held against the truth.

Where nobody is anchored the zero of a table is its average seat, so that of the truth is made the same.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, final

from shoal.rating import Row, Table
from shoal.server.calibration.study import Judged

Figure: TypeAlias = "Mapping[str, Figure] | Sequence[Figure] | str | int | float | None"

_SOME: Final = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A rating: by how much it is off in displayed points, and how far the truth is from the average seat."""

    off: float
    interval: int
    away: float
    blocks: int
    provisional: bool


def lines(judged: Judged) -> list[Line]:
    """Return the ratings of the first group, each held against the truth."""
    rows = [row for row in judged.table.rows if row.group == 1]
    zero = _average([judged.truth[row.bot_id] for row in rows], rows)
    mine = _average([row.rating for row in rows], rows)
    return [
        Line(
            off=row.rating - mine - (judged.truth[row.bot_id] - zero),
            interval=row.interval,
            away=judged.truth[row.bot_id] - zero,
            blocks=row.blocks,
            provisional=row.provisional,
        )
        for row in rows
    ]


def without_luck(table: Table) -> Table:
    """Return a table with its adjusted ratings in the place of the plain ones; who has none is not in it."""
    rows = [
        replace(row, rating=row.adjusted_rating, interval=row.adjusted_interval)
        for row in table.rows
        if row.adjusted_rating is not None and row.adjusted_interval is not None
    ]
    return replace(table, rows=tuple(rows))


def figures(ladders: Sequence[Sequence[Line]]) -> dict[str, Figure]:
    """Return the figures of the lines of several ladders; those with an error are of independent ladders.

    `coverage` is the part of the intervals that hold the truth, `settled` the same of those that are not
    provisional. `stretch` is by how much differences are too large, as a part of them; `strong` and `weak`
    are by how many points the strongest and the weakest third are rated too high on average. These three are
    of bots that have played at least half as many blocks as the average.
    """
    regular = [_regular(ladder) for ladder in ladders]
    every = [line for ladder in ladders for line in ladder]
    settled = [line for line in every if not line.provisional]
    return {
        "intervals": len(every),
        "coverage": _coverage(every),
        "coverage_error": _error_of(_coverages(ladders)),
        "settled_intervals": len(settled),
        "settled": _coverage(settled),
        "median_interval": _median([line.interval for line in every]),
        "off_by": round(math.sqrt(_mean([line.off**2 for line in every])), 1),
        "stretch": _with_error([_stretch(ladder) for ladder in regular], 4),
        "strong": _with_error([_third(ladder, strongest=True) for ladder in regular], 1),
        "weak": _with_error([_third(ladder, strongest=False) for ladder in regular], 1),
    }


def _average(points: Sequence[float], rows: Sequence[Row]) -> float:
    """Return the average over all seats that were played."""
    seats = sum(row.matches for row in rows)
    return sum(each * row.matches for each, row in zip(points, rows, strict=True)) / seats


def _coverage(some: Sequence[Line]) -> float | None:
    return round(_held(some), 4) if some else None


def _coverages(ladders: Iterable[Sequence[Line]]) -> list[float]:
    return [_held(ladder) for ladder in ladders]


def _held(some: Sequence[Line]) -> float:
    return sum(abs(line.off) <= line.interval for line in some) / len(some)


def _regular(ladder: Sequence[Line]) -> Sequence[Line]:
    enough = _mean([line.blocks for line in ladder]) / 2
    return [line for line in ladder if line.blocks >= enough]


def _stretch(ladder: Sequence[Line]) -> float:
    squares = sum(line.away**2 for line in ladder)
    return sum(line.off * line.away for line in ladder) / max(squares, _SOME)


def _third(ladder: Sequence[Line], *, strongest: bool) -> float:
    ordered = sorted(ladder, key=lambda line: line.away, reverse=strongest)
    return _mean([line.off for line in ordered[: max(1, len(ordered) // 3)]])


def _with_error(values: Sequence[float], digits: int) -> dict[str, Figure]:
    return {"mean": round(_mean(values), digits), "error": round(_error(values), digits)}


def _error_of(values: Sequence[float]) -> float:
    return round(_error(values), 4)


def _error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of independent values."""
    middle = _mean(values)
    squares = sum((each - middle) ** 2 for each in values)
    return math.sqrt(squares / max(1, len(values) - 1) / len(values))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
