"""Blocks of bots whose difference is known: what the test is tried on.

Ranks at a table follow from strength and chance: each seat's luck is drawn (Gumbel, so that odds of two are
logistic), the first seat has an advantage, and a match shares its luck with the others of its block, seat by
seat, as often as `shared` says, since the deals are the same. Blocks are drawn once, many of them, and
counted; the counts are then weighted so that B is exactly as much better as it is asked to be.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final, final

from shoal.sequential import BlockScore, Sample, Scale, elo_of

ADVANTAGE: Final = math.log(0.55 / 0.45)
"""Of the first seat over the last, as a logarithm of odds: of two equal bots it wins 55 %."""

_TIED: Final = 0.01
"""How often a match has two that share a place."""

_PER_POINT: Final = math.log(10) / 400
_STEPS: Final = 100


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of test. `levels` is by how many points A and B are better than the field, block by block."""

    name: str
    scale: Scale
    levels: tuple[float, ...] = (0.0,)
    shared: float = 0.3


@final
class Blocks:
    """Blocks in which B is a given number of points better."""

    def __init__(self, counts: "Counter[BlockScore]", scale: Scale, elo: float) -> None:
        """Weight the blocks that were counted."""
        self._scores = list(counts)
        self._of = [counts[score] for score in self._scores]
        low, high = -40.0, 40.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            self._weights = self._tilted(middle)
            low, high = (middle, high) if self._elo(scale) < elo else (low, middle)
        self._sums = list(accumulate(self._weights))

    @property
    def variance(self) -> float:
        """The variance of a gap."""
        total = sum(self._weights)
        pairs = list(zip(self._scores, self._weights, strict=True))
        mean = sum(score.gap * weight for score, weight in pairs) / total
        return sum((score.gap - mean) ** 2 * weight for score, weight in pairs) / total

    def draw(self, chance: Random, number: int) -> Sequence[BlockScore]:
        """Return blocks at random."""
        return chance.choices(self._scores, cum_weights=self._sums, k=number)

    def _tilted(self, tilt: float) -> list[float]:
        return [
            count * math.exp(tilt * score.gap)
            for score, count in zip(self._scores, self._of, strict=True)
        ]

    def _elo(self, scale: Scale) -> float:
        total = sum(self._weights)
        pairs = list(zip(self._scores, self._weights, strict=True))
        a = sum(score.a * weight for score, weight in pairs) / total
        b = sum(score.b * weight for score, weight in pairs) / total
        return elo_of(b) - elo_of(a) if scale.field else elo_of(b)


def count_blocks(setting: Setting, number: int, chance: Random) -> "Counter[BlockScore]":
    """Return so many blocks of equal bots, counted."""
    counts: Counter[BlockScore] = Counter()
    for block in range(number):
        counts[_block(setting, setting.levels[block % len(setting.levels)], chance)] += 1
    return counts


def _block(setting: Setting, level: float, chance: Random) -> BlockScore:
    seats = setting.scale.seats
    common = _luck(seats, chance)

    def score(seat: int) -> float:
        """Return what the tested bot scores at a seat."""
        luck = common if chance.random() < setting.shared else _luck(seats, chance)
        worth = [each + ADVANTAGE * (1 - place / (seats - 1)) for place, each in enumerate(luck)]
        worth[seat] += level * _PER_POINT
        ahead = sum(worth[seat] > other for other in worth)
        tied = chance.random() < _TIED
        return (ahead - (0.5 if tied and ahead else 0.0) + (0.5 if tied and not ahead else 0.0)) / (
            seats - 1
        )

    if not setting.scale.field:
        b = (score(0) + score(1)) / 2
        return BlockScore(1 - b, b)
    a = sum(map(score, range(seats))) / seats
    return BlockScore(round(a, 9), round(sum(map(score, range(seats))) / seats, 9))


def _luck(seats: int, chance: Random) -> list[float]:
    return [-math.log(-math.log(chance.random())) for _ in range(seats)]


def sample_of(blocks: Sequence[BlockScore]) -> Sample:
    """Return blocks, added up."""
    sample = Sample()
    for score in blocks:
        sample.add(score)
    return sample
