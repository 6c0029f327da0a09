"""What an Elo difference makes of the scores of a block, and back. Logistic: 400 points are odds of ten.

A score is the part of the possible points: of two, ½ is as many wins as losses; of four, a bot that is as
good as the others leaves half of them behind. So a bot that is d better than each of its opponents scores
`1 / (1 + 10^(-d/400))` at a table of any size.

A *gap* is the mean score of B minus that of A.

- **Direct**: A and B meet. B scores s(d) and A what is left, so the gap is 2·s(d) - 1.
- **With a field**: both meet the same others, and what d is worth depends on how strong these are: against a
  much weaker field there is nothing left to gain. So the *level*, the mean score of A and B together, is
  estimated from the same blocks, and the gap is that of two bots d apart whose mean score it is.
"""

import math
from dataclasses import dataclass
from typing import Final, final

ADJUSTED_PART: Final = 0.7
"""About the part of a gap's variance that is left of scores adjusted for luck (docs/testing.md)."""

_PER_POINT: Final = math.log(10) / 400
_LEAST: Final = 1e-4
"""A score nearer to 0 or 1 is taken for this: nobody is infinitely strong."""


def expected_score(elo: float) -> float:
    """Return the score to expect of a bot that is so much better than its opponents."""
    return 1 / (1 + math.exp(-_PER_POINT * elo))


def elo_of(score: float) -> float:
    """Return how much better than its opponents a bot with this score is."""
    within = min(max(score, _LEAST), 1 - _LEAST)
    return math.log(within / (1 - within)) / _PER_POINT


@final
@dataclass(frozen=True, slots=True)
class Scale:
    """How a block is played: so many seats, and with a `field` or A directly against B, in two seats.

    `adjusted` is whether scores are adjusted for luck: they have less variance, and may be beyond 0 and 1.
    """

    seats: int
    field: bool
    adjusted: bool = False

    @property
    def matches(self) -> int:
        """How many matches a block has."""
        return self.seats * (2 if self.field else 1)

    @property
    def variance(self) -> float:
        """The variance of a block's gap if all seats are as good and nothing ties its matches together."""
        return (ADJUSTED_PART if self.adjusted else 1.0) * self.plain_variance

    @property
    def plain_variance(self) -> float:
        """The same of plain scores."""
        of_match = (self.seats + 1) / (12 * (self.seats - 1))
        return (2 if self.field else 4) * of_match / self.seats

    def gap(self, elo: float, level: float = 0.5) -> float:
        """Return the gap to expect where B is so much better than A."""
        if not self.field:
            return 2 * expected_score(elo) - 1
        # With y = 10^(-x/400), x halfway between both: y² · level + y · (2 · level - 1) · c + level - 1 = 0
        level = min(max(level, _LEAST), 1 - _LEAST)
        c = math.cosh(_PER_POINT * elo / 2)
        half = (2 * level - 1) * c / 2
        y = (math.sqrt(half * half + level * (1 - level)) - half) / level
        middle = -math.log(y) / _PER_POINT
        return expected_score(middle + elo / 2) - expected_score(middle - elo / 2)

    def elo(self, gap: float, level: float = 0.5) -> float:
        """Return the Elo difference at which a gap is to be expected."""
        if not self.field:
            return elo_of((1 + gap) / 2)
        return elo_of(level + gap / 2) - elo_of(level - gap / 2)
