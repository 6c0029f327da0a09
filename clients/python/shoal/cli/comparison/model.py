"""Blocks of bots whose difference is known: what the test is tried on, drawn here, or played and kept.

Ranks at a table follow from strength and chance: each seat's luck is drawn (Gumbel, so that odds of two are
logistic), the first seat has an advantage, and a match shares its luck with the others of its block, seat by
seat, as often as `shared` says, since the deals are the same. Blocks are drawn once, many of them, and
counted; the counts are then weighted so that B is exactly as much better as it is asked to be, and so that
luck, where it is known, has mean zero, as it has over all matches.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final, NamedTuple, final

from shoal.cli.comparison.tilt import Weights, mean_of, tilted
from shoal.sequential import Adjuster, BlockScore, Sample, Scale

ADVANTAGE: Final = math.log(0.55 / 0.45)
"""Of the first seat over the last, as a logarithm of odds: of two equal bots it wins 55 %."""

_TIED: Final = 0.01
"""How often a match has two that share a place."""

_PER_POINT: Final = math.log(10) / 400


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of test. `levels` is by how many points A and B are better than the field, block by block."""

    name: str
    scale: Scale
    levels: tuple[float, ...] = (0.0,)
    shared: float = 0.3


@final
class Drawn(NamedTuple):
    """What a block came to, and what of it was luck, if that is known."""

    score: BlockScore
    luck: BlockScore | None = None


@final
class Blocks:
    """Blocks in which B is a given number of points better."""

    def __init__(self, counts: "Counter[Drawn]", scale: Scale, elo: float) -> None:
        """Weight the blocks that were counted; raise UnreachableError where B cannot be so much better."""
        self._drawn = list(counts)

        def wanted(weights: Weights) -> Weights:
            level = mean_of(weights, [[(each.score.a + each.score.b) / 2] for each in self._drawn])
            return [scale.gap(elo, level[0])] + [0.0] * (len(features[0]) - 1)

        features = [_features(each, scale) for each in self._drawn]
        self._weights = tilted([counts[each] for each in self._drawn], features, wanted)
        self._sums = list(accumulate(self._weights))

    def variance(self, *, adjusted: bool) -> float:
        """Return the variance of a gap, plain or without all luck."""
        gaps = [
            each.score.gap - (each.luck.gap if adjusted and each.luck else 0.0)
            for each in self._drawn
        ]
        [mean] = mean_of(self._weights, [[gap] for gap in gaps])
        [square] = mean_of(self._weights, [[(gap - mean) ** 2] for gap in gaps])
        return square

    def draw(self, chance: Random, number: int) -> Sequence[Drawn]:
        """Return blocks at random."""
        return chance.choices(self._drawn, cum_weights=self._sums, k=number)


def _features(drawn: Drawn, scale: Scale) -> list[float]:
    """Return what a block is weighted by: its gap, and its luck; where A and B meet there is one of it."""
    luck = drawn.luck
    if luck is None:
        return [drawn.score.gap]
    return [drawn.score.gap, luck.a, luck.b] if scale.field else [drawn.score.gap, luck.gap]


def count_blocks(setting: Setting, number: int, chance: Random) -> "Counter[Drawn]":
    """Return so many blocks of equal bots, counted."""
    counts: Counter[Drawn] = Counter()
    for block in range(number):
        score = _block(setting, setting.levels[block % len(setting.levels)], chance)
        counts[Drawn(score)] += 1
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


@final
class Counted:
    """Blocks that were drawn, added up by plain or by adjusted scores as a test would."""

    def __init__(self, scale: Scale) -> None:
        """Begin with nothing."""
        self.sample = Sample()
        self._adjuster = Adjuster(scale) if scale.adjusted else None

    def add(self, drawn: Drawn) -> None:
        """Count a block."""
        score = drawn.score
        if self._adjuster is not None:
            assert drawn.luck is not None
            score = self._adjuster.adjusted(score, drawn.luck)
        self.sample.add(score)
