"""Weighting what was counted so that its means are what they are asked to be, and little else is changed."""

from collections.abc import Callable, Sequence
from math import exp
from typing import Final, TypeAlias

Weights: TypeAlias = Sequence[float]

_STEPS: Final = 200
_LONGEST: Final = 1.0
"""No step changes a number of the tilt by more, so that the first ones do not overshoot."""

_FURTHEST: Final = 100.0
"""A tilt beyond it leaves next to nothing of what was counted but the very best of it."""

_NEAR: Final = 1e-11
_RIDGE: Final = 1e-9
"""Added to variances, so that there is a step where features say the same, or nothing."""


class UnreachableError(ValueError):
    """No weights have the means that were asked for."""


def tilted(
    counts: Weights, features: Sequence[Weights], wanted: Callable[[Weights], Weights]
) -> Weights:
    """Return weights with which the means of the features are those that are `wanted` of these weights.

    Of all such weights they are the ones nearest to the counts: each count times the exponential of what
    its features sum up to. Newton's steps find them. Raise UnreachableError.
    """
    tilt = [0.0] * len(features[0])
    for _ in range(_STEPS):
        weights = [
            count * exp(sum([one * number for one, number in zip(tilt, row, strict=True)]))
            for count, row in zip(counts, features, strict=True)
        ]
        means = mean_of(weights, features)
        off = [want - mean for want, mean in zip(wanted(weights), means, strict=True)]
        if max(map(abs, off)) < _NEAR:
            return weights
        step = _solved(_variances(weights, features, means), off)
        shorter = min(1.0, _LONGEST / max(_NEAR, *map(abs, step)))
        tilt = [one + shorter * more for one, more in zip(tilt, step, strict=True)]
        if max(map(abs, tilt)) > _FURTHEST:
            break
    raise UnreachableError


def mean_of(weights: Weights, rows: Sequence[Weights]) -> Weights:
    """Return the mean of each column."""
    total = sum(weights)
    return [
        sum([weight * number for weight, number in zip(weights, column, strict=True)]) / total
        for column in zip(*rows, strict=True)
    ]


def _variances(weights: Weights, rows: Sequence[Weights], means: Weights) -> list[list[float]]:
    total = sum(weights)
    columns = [
        [number - mean for number in column]
        for column, mean in zip(zip(*rows, strict=True), means, strict=True)
    ]
    return [
        [
            sum([each * a * b for each, a, b in zip(weights, one, other, strict=True)]) / total
            + (_RIDGE if one is other else 0.0)
            for other in columns
        ]
        for one in columns
    ]


def _solved(matrix: list[list[float]], result: Weights) -> Weights:
    """Return what the matrix, of variances, makes the result of."""
    rows = [[*row, number] for row, number in zip(matrix, result, strict=True)]
    for place, pivot in enumerate(rows):
        pivot[:] = [number / pivot[place] for number in pivot]
        for row in rows:
            if row is not pivot:
                factor = row[place]
                row[:] = [one - factor * other for one, other in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]
