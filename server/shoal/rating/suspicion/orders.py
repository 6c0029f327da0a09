"""How the pairs of one match hang together: the moments of what is won, over all orders of the table.

Who wins is ahead of all: the pairs of a match are not independent. By the model of Plackett and Luce, whose
pairs have the odds of the ratings, the variance and the third moment of any sum of them are exact.
"""

from itertools import permutations

import numpy as np

from shoal.rating.tally import Floats, Whole, pairs


def moments(strengths: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    """Return variance and third central moment of weighted pairs of one match, for each row.

    `strengths` are in logits by row and seat; `coefficients` by row and pair, for the first being ahead.
    """
    orders = _orders(strengths.shape[1])
    odds = _chances(strengths, orders)
    first, second = pairs(strengths.shape[1])
    place = np.argsort(orders, axis=1)
    ahead = (place[:, first] < place[:, second]).astype(np.float64)
    won = coefficients @ ahead.T
    away = won - (odds * won).sum(axis=1)[:, None]
    squares = odds * away**2
    return squares.sum(axis=1), (squares * away).sum(axis=1)


def _orders(seats: int) -> Whole:
    return np.array(list(permutations(range(seats))), np.int64)


def _chances(strengths: Floats, orders: Whole) -> Floats:
    """Return the chance of each order, for each row: each place is drawn of those who are left."""
    worth = np.exp(strengths - strengths.max(axis=1)[:, None])[:, orders]
    left = np.cumsum(worth[:, :, ::-1], axis=2)[:, :, ::-1]
    result: Floats = (worth / left).prod(axis=2)
    return result
