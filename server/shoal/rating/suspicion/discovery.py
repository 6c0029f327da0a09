"""From sums to findings: how rare a sum is by chance, and which of many rare ones are worth a look.

Who asks a thousand questions hears something rare a few times. The rule of Benjamini and Hochberg keeps the
expected part of false ones among the findings below a rate; where nothing is to be found at all, it gives
any finding as seldom as that.
"""

import math
from typing import Final

import numpy as np

from shoal.rating.tally import Floats

_HALF: Final = 0.6744897501960817
"""Half of all normal numbers are nearer to 0."""

_SLIGHT: Final = 1e-3


def without_skew(z: Floats, skewness: Floats) -> Floats:
    """Return sums, in standard deviations, as normal ones that are as rare; never surer than they were.

    What is won beyond expectation by a weak bot is skewed: 4 wins instead of half a one are not as rare as
    five standard deviations are. By the cube root of Wilson and Hilferty, which makes a gamma distribution
    with this skewness normal.
    """
    lopsided = skewness * np.sign(z)  # with the long tail on the side of the sum
    shape = np.where(lopsided > _SLIGHT, 4 / np.maximum(lopsided, _SLIGHT) ** 2, np.inf)
    root = np.sqrt(np.where(np.isfinite(shape), shape, 1.0))
    size = np.abs(z)
    straight = 3 * root * (np.cbrt(1 + size / root) - 1 + 1 / (9 * root**2))
    better = np.where(np.isfinite(shape), np.minimum(straight, size), size)
    result: Floats = np.sign(z) * np.maximum(better, 0.0)
    return result


def without_doubt(t: Floats, freedom: Floats) -> Floats:
    """Return sums whose standard deviation was estimated as normal ones (Abramowitz and Stegun, 26.7.8)."""
    result: Floats = t * (1 - 1 / (4 * freedom)) / np.sqrt(1 + t**2 / (2 * freedom))
    return result


def spread_of(z: Floats) -> float:
    """Return by how much these scatter more than chance may, at least 1; a few large ones do not count.

    No model is quite true of a game. Where all bots are off by a bit, that is no news about one of them.
    """
    error = 1 / math.sqrt(len(z))  # about the standard error of the quotient, if nothing is off
    return max(1.0, float(np.median(np.abs(z))) / _HALF / (1 + error))


def chances(z: Floats, *, two_sided: bool) -> Floats:
    """Return how often chance alone comes to that much, or, if `two_sided`, that far to any side."""
    sides = np.abs(z) if two_sided else z
    times = 1.0 if two_sided else 0.5
    return np.array([times * math.erfc(each / math.sqrt(2)) for each in sides.tolist()])


def false_shares(odds: Floats) -> Floats:
    """Return for each the expected part of false ones among all that are as rare or rarer."""
    order = np.argsort(odds, kind="stable")
    number = np.arange(1, len(odds) + 1)
    shares = odds[order] * len(odds) / number
    result = np.empty(len(odds))
    result[order] = np.minimum(np.minimum.accumulate(shares[::-1])[::-1], 1.0)
    return result
