"""How sure a fit is: intervals from blocks, since a block is what is drawn anew and not a match (T56).

What the model expects of chance is right only if the model is: but seats have an edge, some ties are no
accident, and a bot may lose to one kind of opponent alone. So of each block it is asked how far it alone has
moved each strength, and how far it was to be expected to. The ratio of the sums of their squares is the
dispersion of a bot: 1 if the model is right, more if its blocks scatter more. The model's variance times it
is the sandwich estimate of the variance, and what blocks expect takes into account that the fit follows each.

Five blocks tell next to nothing of the dispersion of a bot: intervals from them alone would be too narrow as
often as too wide, and hold the truth too rarely. So a bot borrows the dispersion of the whole group, which
weighs as much as `BORROWED` independent squares; its own weighs as much as it has of them. What is left of
doubt about it widens the interval by Student's distribution.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from shoal.rating.fit import LUCK, Fit, chance
from shoal.rating.model import WIN
from shoal.rating.student import student
from shoal.rating.tally import PAIR_WEIGHT, UNIT, Floats, Sized, pairs

BORROWED: Final = 50.0
"""What the dispersion of the group weighs in that of a bot, in degrees of freedom."""

_TRUSTED: Final = 20.0
"""What the word of the model, a dispersion of 1, weighs in that of the group: little once much was played."""

_AT_ONCE: Final = 200_000
"""About how many numbers one array has: it should fit into the cache of a core."""


@final
@dataclass(frozen=True, slots=True)
class Scatter:
    """By bot: half the width of the 95 % interval, in logits. `dispersion` is that of the group."""

    intervals: Floats
    dispersion: float


@final
@dataclass(slots=True)
class _Sums:
    """By bot, over all blocks: squared moves, those to be expected, and of the expected ones the squares.

    `information` is what the squares would be without the fit having followed each block.
    """

    moved: Floats
    expected: Floats
    squares: Floats
    information: Floats


def scatter(
    fitted: Fit, blocks: Iterable[Sized], center: Floats, *, adjusted: bool = False
) -> Scatter:
    """Return the intervals of a fit to these blocks, whose zero is the mean by the weights `center`, if any.

    `center` are zeros where bots are anchored: then the zero is given. If the fit is `adjusted` for luck,
    so is what each block has moved.
    """
    reach = fitted.inverse - center @ fitted.inverse
    zero = np.zeros(len(reach))
    sums = _Sums(zero.copy(), zero.copy(), zero.copy(), zero.copy())
    for sized in blocks:
        for some in _slices(sized, len(reach)):
            _add(some, fitted, reach, sums, adjusted=adjusted)
    own = _ratio(sums.moved, sums.expected)
    # Where the fit follows each block nearly all the way, little is left to judge by.
    seen = _ratio(sums.expected, sums.information)
    freedom = seen * _ratio(sums.expected**2, sums.squares)
    group = float((_TRUSTED + freedom @ own) / (_TRUSTED + freedom.sum()))
    dispersion = (BORROWED * group + freedom * own) / (BORROWED + freedom)
    prior = np.einsum("ij,jk,ik->i", reach, fitted.prior, reach, optimize=True)
    deviations = np.sqrt(dispersion * sums.information + np.maximum(prior, 0.0))
    return Scatter(deviations * student(BORROWED + freedom), group)


def _slices(sized: Sized, many: int) -> Iterator[Sized]:
    """Yield the blocks in parts whose arrays, with a column for each bot, are not too large."""
    rows = max(1, _AT_ONCE // (many * sized.seats))
    for start in range(0, len(sized.bots), rows):
        part = slice(start, start + rows)
        yield Sized(
            sized.seats,
            sized.bots[part],
            sized.points[part],
            sized.matches[part],
            sized.luck[part],
        )


def _add(sized: Sized, fitted: Fit, reach: Floats, sums: _Sums, *, adjusted: bool) -> None:
    """Add what these blocks have moved.

    All is told by differences from the first bot of each table: the last of them follows from the others.
    """
    surplus, information = _told(sized, fitted.strengths, adjusted=adjusted)
    base, rest = sized.bots[:, :1], sized.bots[:, 1:]
    lever = reach.T[rest] - reach.T[base]
    inverse = fitted.inverse
    spread = (
        inverse[rest[:, :, None], rest[:, None, :]]
        - inverse[base, rest][:, None, :]
        - inverse[rest, base][:, :, None]
        + inverse[base, base][:, :, None]
    )
    moved = np.einsum("bk,bki->bi", surplus, lever)
    pushed = information @ lever
    expected = (pushed * lever).sum(axis=1)
    left = expected - (pushed * (spread @ pushed)).sum(axis=1)
    sums.moved += (moved**2).sum(axis=0)
    sums.information += expected.sum(axis=0)
    sums.expected += left.sum(axis=0)
    sums.squares += (left**2).sum(axis=0)


def _told(sized: Sized, strengths: Floats, *, adjusted: bool) -> tuple[Floats, Floats]:
    """Return by block and bot what was won above expectation, and the information; without the first bot."""
    seats, blocks = sized.seats, len(sized.bots)
    first, second = pairs(seats)
    weight, played = PAIR_WEIGHT[seats] / UNIT, sized.matches[:, None]
    expected = chance(strengths[sized.bots[:, first]] - strengths[sized.bots[:, second]])
    above = weight * (sized.points / 2 - played * expected)
    if adjusted:
        above -= LUCK * expected * (1 - expected) * (sized.luck / WIN)
    each = weight * played * expected * (1 - expected)
    surplus = np.zeros((blocks, seats))
    information = np.zeros((blocks, seats, seats))
    for column, (one, other) in enumerate(zip(first, second, strict=True)):
        surplus[:, one] += above[:, column]
        surplus[:, other] -= above[:, column]
        information[:, one, one] += each[:, column]
        information[:, other, other] += each[:, column]
        information[:, one, other] -= each[:, column]
        information[:, other, one] -= each[:, column]
    return surplus[:, 1:], information[:, 1:, 1:]


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Return the quotients, 0 where there is nothing to divide by."""
    result: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return result
