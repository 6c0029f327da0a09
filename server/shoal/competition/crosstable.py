"""Everybody against everybody, as a table."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import final

from shoal.competition.plan import Finished
from shoal.competition.score import Score, pair_points


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One bot: its points against each, by the order of the rows, and in all.

    A cell is None where the two have not met, and on the diagonal. At larger tables a row's total is the
    sum of its cells too, since a point is for one opponent left behind.
    """

    bot_id: str
    cells: tuple[Score | None, ...]
    total: Score


def crosstable(
    bots: Sequence[str], blocks: Iterable[Finished], uncounted: Collection[str] = ()
) -> tuple[Row, ...]:
    """Return a row for each bot, in the order given, as standings have it.

    What counts is what counts for the standings: blocks that were played or forfeited. What was done
    against bots that are not in the table is in the total alone. What was done against those whose results
    are `uncounted` is in the cells alone, and in their own totals.
    """
    places = {bot: place for place, bot in enumerate(bots)}
    cells: list[list[Score | None]] = [[None] * len(bots) for _ in bots]
    totals = [Score()] * len(bots)
    for block in blocks:
        for position, bot in enumerate(block.bots):
            if bot not in places or not block.matches:
                continue
            mine = places[bot]
            for other_position, other in enumerate(block.bots):
                if other == bot:
                    continue
                points = pair_points(block, position, other_position)
                if other in places:
                    before = cells[mine][places[other]] or Score()
                    cells[mine][places[other]] = _plus(before, points, len(block.matches))
                if bot in uncounted or other not in uncounted:
                    totals[mine] = _plus(totals[mine], points, len(block.matches))
    return tuple(
        Row(bot, tuple(line), total) for bot, line, total in zip(bots, cells, totals, strict=True)
    )


def _plus(score: Score, points: float, possible: float) -> Score:
    return Score(score.points + points, score.possible + possible)
