"""Blocks as arrays of numbers: what of them the model needs, in an order that follows from nothing else.

Everything is counted in whole numbers, so sums are the same in whatever order blocks come.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from shoal.rating.counting import SEATS
from shoal.rating.luck import is_adjusted, luck_of_first
from shoal.rating.model import Block

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

PAIR_WEIGHT: Final = {2: 20, 3: 15, 4: 12}
"""What one pair at a table of so many seats weighs, in twentieths of a match of two: 3/(n+1).

The pairs of a large table are not independent: who wins is ahead of all. With these weights, between equals,
what they tell scatters exactly as much as if they were, and tables of all sizes count for what they tell.
"""

UNIT: Final = 20
"""So many make the weight of one match of two."""


@final
@dataclass(frozen=True, slots=True)
class Sized:
    """The blocks of one table size.

    `bots` has a row for each block, with the numbers of its bots, ascending. `points` has the same rows and
    a column for each pair of those, as `pairs` has them: how often the first was ahead of the second, in
    halves, a tie being one. `matches` is how many the block has. `luck` has the rows and columns of `points`:
    what of it was luck of the first, in parts of the win by `WIN`; 0 where it is not known, and at tables of
    more than two.
    """

    seats: int
    bots: Whole
    points: Whole
    matches: Whole
    luck: Whole


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """The matches of the blocks of one table size, a row for each, those of a block one after the other.

    `placements` are by match and by the bots of its block, ascending; `bots` are those by block. `starts` has
    the row of the first match of each block, `matches` how many follow from there.
    """

    bots: Whole
    placements: Whole
    starts: Whole
    matches: Whole


@final
@dataclass(frozen=True, slots=True)
class Tally:
    """All that is rated. Bots have numbers by the order of their ids; arrays are by those.

    `weights[i, j]` is what the meetings of two bots weigh in `UNIT`, and `points[i, j]` what of it the
    first has won, in half units. `luck[i, j]` is what of that was luck of the first, in parts of the win by
    `WIN`, and `adjusted` are the matches of each of which that is known.
    """

    names: tuple[str, ...]
    sized: tuple[Sized, ...]
    weights: Whole
    points: Whole
    luck: Whole
    blocks: Whole
    matches: Whole
    wins: Whole
    placement_sums: Whole
    adjusted: Whole


def pairs(seats: int) -> tuple[Whole, Whole]:
    """Return the places in a row of all pairs, the lower one first."""
    first, second = np.triu_indices(seats, 1)
    return first.astype(np.int64), second.astype(np.int64)


def tally(blocks: Sequence[Block]) -> Tally:
    """Return what blocks come to, as `counting.checked` leaves them."""
    names = sorted({bot for block in blocks for bot in block.matches[0].bots})
    number = {name: place for place, name in enumerate(names)}
    many = len(names)
    weights, points, luck = np.zeros((3, many, many), np.int64)
    rows = np.zeros((5, many), np.int64)
    sized: list[Sized] = []
    for seats in SEATS:
        some = [block for block in blocks if len(block.matches[0].bots) == seats]
        if not some:
            continue
        placed = placed_of(some, number)
        made = _sized(placed, _luck_of(some), seats)
        sized.append(made)
        _add_pairs(made, weights, points, luck)
        _add_rows(placed, rows[:4])
    _add_adjusted(blocks, number, rows[4])
    return Tally(tuple(names), tuple(sized), weights, points, luck, *rows)


def placed_of(blocks: Sequence[Block], number: dict[str, int]) -> Placed:
    """Return the matches of some blocks whose tables have the same size; bots have these numbers."""
    every = [match for block in blocks for match in block.matches]
    seated = np.array([[number[bot] for bot in match.bots] for match in every], np.int64)
    by_seat = np.array([match.placements for match in every], np.int64)
    placements = np.take_along_axis(by_seat, np.argsort(seated, axis=1), axis=1)
    matches = np.array([len(block.matches) for block in blocks], np.int64)
    starts = np.cumsum(matches) - matches
    return Placed(np.sort(seated[starts], axis=1), placements, starts, matches)


def halves_of(placed: Placed, seats: int) -> Whole:
    """Return by block and pair how often the first was ahead of the second, in halves."""
    first, second = pairs(seats)
    ahead = 1 + np.sign(placed.placements[:, second] - placed.placements[:, first])
    result: Whole = np.add.reduceat(ahead, placed.starts)
    return result


def _luck_of(some: Sequence[Block]) -> Whole:
    """Return by block the luck of the one of its two bots whose name is first; 0 at larger tables."""
    return np.array([sum(map(luck_of_first, block.matches)) for block in some], np.int64)


def _sized(placed: Placed, luck: Whole, seats: int) -> Sized:
    """Return the blocks sorted by what is in them: equal ones may change places without any trace."""
    points = halves_of(placed, seats)
    by_pair = np.zeros_like(points)
    by_pair[:, 0] = luck
    keys = [luck, placed.matches, *points.T[::-1], *placed.bots.T[::-1]]
    order = np.lexsort(keys)
    return Sized(seats, placed.bots[order], points[order], placed.matches[order], by_pair[order])


def _add_pairs(sized: Sized, weights: Whole, points: Whole, luck: Whole) -> None:
    weight = PAIR_WEIGHT[sized.seats]
    for column, (one, other) in enumerate(zip(*pairs(sized.seats), strict=True)):
        low, high = sized.bots[:, one], sized.bots[:, other]
        met = weight * sized.matches
        won = weight * sized.points[:, column]
        np.add.at(weights, (low, high), met)
        np.add.at(weights, (high, low), met)
        np.add.at(points, (low, high), won)
        np.add.at(points, (high, low), 2 * met - won)
        np.add.at(luck, (low, high), sized.luck[:, column])
        np.add.at(luck, (high, low), -sized.luck[:, column])


def _add_rows(placed: Placed, rows: Whole) -> None:
    """Add blocks, matches, wins and placements of each bot."""
    blocks, matches, wins, sums = rows
    np.add.at(blocks, placed.bots, 1)
    np.add.at(matches, placed.bots, placed.matches[:, None])
    won = (placed.placements == 1).astype(np.int64)
    np.add.at(wins, placed.bots, np.add.reduceat(won, placed.starts))
    np.add.at(sums, placed.bots, np.add.reduceat(placed.placements, placed.starts))


def _add_adjusted(blocks: Sequence[Block], number: dict[str, int], adjusted: Whole) -> None:
    """Add the matches of each bot of which luck is known."""
    known = (match for block in blocks for match in block.matches if is_adjusted(match))
    seated = [number[bot] for match in known for bot in match.bots]
    np.add.at(adjusted, np.array(seated, np.int64), 1)


def of_group(tallied: Tally, members: Whole) -> Iterator[Sized]:
    """Yield the blocks of some bots, with their numbers among those; nobody else may be in them."""
    place = np.full(len(tallied.names), -1, np.int64)
    place[members] = np.arange(len(members))
    for sized in tallied.sized:
        bots = place[sized.bots]
        mine = bots[:, 0] >= 0
        if mine.any():
            yield Sized(
                sized.seats,
                bots[mine],
                sized.points[mine],
                sized.matches[mine],
                sized.luck[mine],
            )
