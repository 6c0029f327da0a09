"""The order of a ladder's bots: by rating, where tournaments go by points."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from shoal.competition.rating import Rating, interval, shown


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
    """One line of the standings; `rank` 1 is the best and a bot without a match has placement 0."""

    rank: int
    bot_id: str
    rating: float
    interval: float
    matches: int
    wins: int
    average_placement: float
    joined: bool


def standings(rows: Iterable[Row]) -> tuple[Standing, ...]:
    """Return the rows ranked, best first.

    What is shown decides: the rating as displayed to a tenth of a point, then the smaller
    interval, then more wins, then the id, so that the order never depends on that of the rows. No
    rank is shared.
    """
    ordered = sorted(map(_unranked, rows), key=_order)
    return tuple(replace(line, rank=rank) for rank, line in enumerate(ordered, start=1))


def _order(line: Standing) -> tuple[float, float, int, str]:
    return (-line.rating, line.interval, -line.wins, line.bot_id)


def _unranked(row: Row) -> Standing:
    return Standing(
        rank=0,
        bot_id=row.bot_id,
        rating=round(shown(row.rating), 1),
        interval=round(interval(row.rating), 1),
        matches=row.matches,
        wins=row.wins,
        average_placement=row.placement_sum / row.matches if row.matches else 0.0,
        joined=row.joined,
    )
