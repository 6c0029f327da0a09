"""The arithmetic of the figures. Pure."""

import math
from collections.abc import Sequence

from shoal.server.simulation.ledger import Belief

WITHIN: float = 1.96
"""So many standard deviations to both sides hold 95 % of a normal distribution."""


def coverage(beliefs: Sequence[Belief]) -> float:
    """Return how many of the 95 % intervals hold the truth, as a share of 1.

    Only differences of ratings mean anything, so what all ratings are off by on average is not held
    against them.
    """
    shift = _shift(beliefs)
    held = sum(abs(each.mu - each.truth - shift) <= WITHIN * each.sigma for each in beliefs)
    return held / len(beliefs)


def off_by(beliefs: Sequence[Belief]) -> float:
    """Return how far ratings are from the truth, as the root of the mean square, in units of mu."""
    shift = _shift(beliefs)
    squares = sum((each.mu - each.truth - shift) ** 2 for each in beliefs)
    return math.sqrt(squares / len(beliefs))


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation, equal values sharing their ranks; 0 where all are equal."""
    first, second = _ranks(one), _ranks(other)
    middle = (len(first) + 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = math.sqrt(
        sum((a - middle) ** 2 for a in first) * sum((b - middle) ** 2 for b in second)
    )
    return both / spread if spread else 0.0


def gini(values: Sequence[float]) -> float:
    """Return how unequal values are: 0 if all are equal, towards 1 if one has everything."""
    total = sum(values)
    if not total:
        return 0.0
    number = len(values)
    ordered = sorted(values)
    return sum((2 * place - number - 1) * each for place, each in enumerate(ordered, 1)) / (
        number * total
    )


def quantile(values: Sequence[float], part: float) -> float:
    """Return the value that this part of the values is not above; 0 of none."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def _shift(beliefs: Sequence[Belief]) -> float:
    return sum(each.mu - each.truth for each in beliefs) / len(beliefs)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks
