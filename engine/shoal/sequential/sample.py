"""What has been played: the scores of blocks, added up.

A block is the same table once in every rotation of its seats, and the unit of inference (T56): its matches
have the seats in common, and here the deals too, so they are not independent; blocks are.
"""

from dataclasses import dataclass
from typing import NamedTuple, final


@final
class BlockScore(NamedTuple):
    """What A and B scored in a block, as means of its matches: parts of the possible points, or adjusted."""

    a: float
    b: float

    @property
    def gap(self) -> float:
        """By how much B did better."""
        return self.b - self.a


@final
@dataclass(slots=True)
class Sample:
    """The sums over blocks that a test needs."""

    blocks: int = 0
    _a: float = 0.0
    _b: float = 0.0
    _mean: float = 0.0
    _squares: float = 0.0

    def add(self, score: BlockScore) -> None:
        """Count a block."""
        self.blocks += 1
        self._a += score.a
        self._b += score.b
        off = score.gap - self._mean
        self._mean += off / self.blocks
        self._squares += off * (score.gap - self._mean)

    @property
    def gap(self) -> float:
        """The mean gap; 0 before the first block."""
        return self._mean

    @property
    def squares(self) -> float:
        """The sum of the squares of what the gaps are off their mean."""
        return self._squares

    @property
    def level(self) -> float:
        """The mean score of A and B together, as if one block more had been even."""
        return (self._a + self._b + 1) / (2 * self.blocks + 2)

    @property
    def scores(self) -> BlockScore:
        """The mean scores; ½ before the first block."""
        if not self.blocks:
            return BlockScore(0.5, 0.5)
        return BlockScore(self._a / self.blocks, self._b / self.blocks)
