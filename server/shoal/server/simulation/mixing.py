"""Whether everybody meets everybody, or circles keep to themselves (T64)."""

import math
from collections.abc import Sequence
from operator import mul
from typing import Final

_STEPS: Final = 400
_ENOUGH: Final = 1e-7


def second_eigenvalue(met: Sequence[int], number: int) -> float:
    """Return the second eigenvalue of the random walk from opponent to opponent.

    0 if after one step it could be anywhere, 1 if some can never be reached from others. Whoever has met
    nobody is left out; 0 if there are fewer than three others. `met` is a square of counts, row by row,
    and symmetric. By power iteration, across the known first eigenvector.
    """
    some = [one for one in range(number) if any(met[one * number : (one + 1) * number])]
    if len(some) < 3:
        return 0.0
    rows = [[met[one * number + other] for other in some] for one in some]
    degree = [sum(row) for row in rows]
    total = sum(degree)
    walk = [math.sin(13.0 * place + 1.0) for place in range(len(some))]
    value = before = 0.0
    for _ in range(_STEPS):
        middle = sum(map(mul, degree, walk)) / total
        walk = [each - middle for each in walk]
        size = math.sqrt(
            sum(weight * each * each for weight, each in zip(degree, walk, strict=True))
        )
        if size == 0.0:
            return 0.0
        walk = [each / size for each in walk]
        # Half of the time it stays, so that no eigenvalue is negative and this finds the largest.
        walk = [
            (each + sum(map(mul, row, walk)) / weight) / 2
            for each, row, weight in zip(walk, rows, degree, strict=True)
        ]
        value = math.sqrt(
            sum(weight * each * each for weight, each in zip(degree, walk, strict=True))
        )
        if abs(value - before) < _ENOUGH:
            break
        before = value
    return 2 * value - 1
