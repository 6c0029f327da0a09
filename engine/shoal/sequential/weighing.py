"""Scores without luck, and how much of it is subtracted.

Luck has mean zero, so any part of it may be subtracted that was settled before the block was played: the mean
of what is left is that of the plain score. All of it is right among equals. Against a field that is much
weaker chance decides little, and all of it would be more noise than it takes away. So what suits the blocks
before is taken, beginning with all.
"""

from typing import Final, final

from shoal.sequential.elo import Scale
from shoal.sequential.sample import BlockScore

_PRIOR: Final = 10
"""So many blocks of equal bots the word counts for that all luck is to be subtracted."""

_LUCK_PART: Final = 0.3
"""About the part of a gap's variance that the variance of its luck is, among equals."""

_MOST: Final = 1.2
"""More than this part is never right: a value function that hedges is off by some percent."""


@final
class Adjuster:
    """Adjusts the scores of blocks, one after another, in the order in which they count."""

    def __init__(self, scale: Scale) -> None:
        """Begin with no block."""
        self._blocks = 0
        self._gap = 0.0
        self._squares = self._products = _PRIOR * _LUCK_PART * scale.plain_variance

    @property
    def weight(self) -> float:
        """The part of luck that is subtracted of the next block."""
        return min(max(self._products / self._squares, 0.0), _MOST)

    def adjusted(self, score: BlockScore, luck: BlockScore) -> BlockScore:
        """Return the scores of a block without its luck, and learn from it for those that follow."""
        weight = self.weight
        found = BlockScore(score.a - weight * luck.a, score.b - weight * luck.b)
        self._squares += luck.gap * luck.gap
        self._products += luck.gap * (score.gap - self._gap)
        self._blocks += 1
        self._gap += (score.gap - self._gap) / self._blocks
        return found
