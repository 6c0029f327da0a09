"""Ridge regression on rows that are mostly zero. Plain Python: it is a minute once, and needs no package."""

from collections.abc import Mapping
from typing import TypeAlias, final

Row: TypeAlias = Mapping[str, float]
"""What is not zero in a row, by the name of its column."""


@final
class LeastSquares:
    """Sums over rows, from which the numbers follow that explain the results best."""

    def __init__(self) -> None:
        """Begin without a row."""
        self._squares: dict[str, dict[str, float]] = {}
        self._sums: dict[str, float] = {}
        self.rows = 0

    def add(self, row: Row, result: float, weight: float = 1.0) -> None:
        """Add a row."""
        self.rows += 1
        for name, number in row.items():
            scaled = weight * number
            self._sums[name] = self._sums.get(name, 0.0) + scaled * result
            line = self._squares.setdefault(name, {})
            for other, more in row.items():
                line[other] = line.get(other, 0.0) + scaled * more

    def solved(self, penalty: float) -> dict[str, float]:
        """Return the number of each column; `penalty` pulls those of which few rows tell to zero."""
        names = sorted(self._sums)
        matrix = [
            [
                self._squares[name].get(other, 0.0) + (penalty if name == other else 0.0)
                for other in names
            ]
            + [self._sums[name]]
            for name in names
        ]
        for place, pivot_line in enumerate(matrix):
            pivot = pivot_line[place]
            pivot_line[:] = [number / pivot for number in pivot_line]
            for each, line in enumerate(matrix):
                factor = line[place]
                if each != place and factor:
                    line[:] = [
                        number - factor * other
                        for number, other in zip(line, pivot_line, strict=True)
                    ]
        return {name: line[-1] for name, line in zip(names, matrix, strict=True)}
