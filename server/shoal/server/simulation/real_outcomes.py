"""Outcomes drawn from real matches, played before: the engine with the kit's baselines at four strengths."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Final, TypeAlias, final

from shoal.competition.scale import LOGIT, MEAN, SCALE
from shoal.server.simulation.real_match import RealMatch, play_real_match

SHARES: Final = (0.0, 1 / 3, 2 / 3, 1.0)
"""The levels: of how many of its decisions the greedy baseline takes, the random one the rest."""

_FITTING: Final = 500
"""Rounds of the fit of the levels' strengths; it has long come to rest then."""

Levels: TypeAlias = tuple[int, ...]
"""The level at each seat."""

Pool: TypeAlias = Mapping[Levels, Sequence[RealMatch]]
"""The real matches by levels."""


def real_pool(
    sizes: Iterable[int], matches: int, seed: int, progress: Callable[[int, int], None]
) -> Pool:
    """Play about so many matches for each size, equally many for every seating of levels.

    The same seed gives the same ones. `progress` hears how many of how many have been played.
    """
    seatings = [
        (levels, max(1, round(matches / len(SHARES) ** size)))
        for size in sizes
        for levels in product(range(len(SHARES)), repeat=size)
    ]
    total, done = sum(number for _, number in seatings), 0
    pool: dict[Levels, list[RealMatch]] = {}
    for levels, number in seatings:
        shares = [SHARES[level] for level in levels]
        pool[levels] = []
        for each in range(number):
            pool[levels].append(play_real_match(shares, f"{seed} {levels} {each}"))
            done += 1
            progress(done, total)
    return pool


def level_strengths(pool: Pool) -> tuple[float, ...]:
    """Return the strength of each level in units of mu: Bradley-Terry, as all these matches have it.

    A tie is half a win. Each level is given half a win and half a loss against each other one besides, so
    that a level that won everything is not infinitely strong.
    """
    number = len(SHARES)
    wins = [[0.5] * number for _ in range(number)]
    for levels, outcomes in pool.items():
        for placements, _ in outcomes:
            for one, other in combinations(range(len(levels)), 2):
                ahead = (1 + _sign(placements[other] - placements[one])) / 2
                wins[levels[one]][levels[other]] += ahead
                wins[levels[other]][levels[one]] += 1 - ahead
    worth = [1.0] * number
    for _ in range(_FITTING):
        for one in range(number):
            others = [other for other in range(number) if other != one]
            won = sum(wins[one][other] for other in others)
            met = sum(
                (wins[one][other] + wins[other][one]) / (worth[one] + worth[other])
                for other in others
            )
            worth[one] = won / met
    logs = [math.log(each) for each in worth]
    middle = sum(logs) / number
    return tuple(MEAN + LOGIT * (each - middle) for each in logs)


@final
class RealOutcomes:
    """A strength is a level, or lies between two: then the bot plays each match as one of both."""

    def __init__(self, pool: Pool) -> None:
        """Draw from this pool."""
        self._pool = pool
        self._strengths = level_strengths(pool)
        span = max(self._strengths) - min(self._strengths)
        self._level_per_point = (len(SHARES) - 1) / (span * SCALE)

    def newcomer(self, chance: Random) -> float:
        """Return the strength of another bot: any between the weakest level and the strongest."""
        return chance.uniform(0.0, len(SHARES) - 1)

    def drifted(self, strength: float, points: float, chance: Random) -> float:
        """Return a strength that has changed at random, no further than the levels go."""
        moved = strength + chance.gauss(0.0, points * self._level_per_point)
        return min(max(moved, 0.0), len(SHARES) - 1.0)

    def truth(self, strength: float) -> float:
        """Return the fitted strength; between two levels, in a straight line."""
        below = min(int(strength), len(SHARES) - 2)
        over = strength - below
        return self._strengths[below] * (1 - over) + self._strengths[below + 1] * over

    def placements(self, strengths: Sequence[float], chance: Random) -> tuple[int, ...]:
        """Return those of one of the matches that were played at these levels."""
        return self._match(strengths, chance).placements

    def adjusted(
        self, strengths: Sequence[float], placements: tuple[int, ...], chance: Random
    ) -> tuple[int, ...]:
        """Return the parts of the win without luck of a match of two that ended with these placements.

        They are those of a match that was drawn like it, and ended so: which one it was does not matter.
        """
        while True:
            match = self._match(strengths, chance)
            if match.placements == placements:
                return match.adjusted

    def _match(self, strengths: Sequence[float], chance: Random) -> RealMatch:
        """Return one of the matches that were played at these levels."""
        levels = tuple(
            min(int(strength) + (chance.random() < strength % 1), len(SHARES) - 1)
            for strength in strengths
        )
        return chance.choice(self._pool[levels])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
