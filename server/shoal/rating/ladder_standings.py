"""The order of a ladder's bots: by rating, where tournaments go by points."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shoal.competition.rating import Rating, interval, shown
from shoal.rating.model import Row as Rated
from shoal.rating.model import Table

NOTHING: Final = Table()
"""The table before anything was published."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a ladder knows of one bot; only rated matches are counted."""

    bot_id: str
    rating: Rating
    matches: int
    wins: int
    placement_sum: int
    joined: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings; a bot without a match has placement 0.

    `rank` is that of the published table, 0 of a bot that is not in it: nothing is known of it yet. `rating`
    and `interval` are those that tables are made with.
    """

    rank: int
    bot_id: str
    rating: float
    interval: float
    matches: int
    wins: int
    average_placement: float
    joined: bool
    published: Rated | None = None


def standings(rows: Iterable[Row], table: Table = NOTHING) -> tuple[Standing, ...]:
    """Return the rows, best first: those of the published table in its order, then the others.

    Of these what is shown decides: the rating as displayed to a tenth of a point, then the smaller
    interval, then more wins, then the id, so that the order never depends on that of the rows.
    """
    rated = {row.bot_id: row for row in table.rows}
    return tuple(sorted((_line(row, rated.get(row.bot_id)) for row in rows), key=_order))


def _order(line: Standing) -> tuple[bool, int, int, float, float, int, str]:
    rated = line.published
    group = 0 if rated is None else rated.group
    own = (-line.rating, line.interval, -line.wins, line.bot_id)
    return (rated is None, group, line.rank, *own)


def _line(row: Row, rated: Rated | None) -> Standing:
    return Standing(
        rank=0 if rated is None else rated.rank,
        bot_id=row.bot_id,
        rating=round(shown(row.rating), 1),
        interval=round(interval(row.rating), 1),
        matches=row.matches,
        wins=row.wins,
        average_placement=row.placement_sum / row.matches if row.matches else 0.0,
        joined=row.joined,
        published=rated,
    )
