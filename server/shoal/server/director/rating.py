"""How results change ratings: Weng-Lin Bradley-Terry-Full. Pure; the only module that knows it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryFull

MEAN: Final = 25.0
"""The mu of a newcomer."""

SPREAD: Final = MEAN / 3
"""The sigma of a newcomer."""

BETA: Final = MEAN / 6
"""What chance adds to each seat's strength in one match, as a standard deviation."""

SCALE: Final = 400 / (math.log(10) * math.sqrt(2) * BETA)
"""Displayed points for one unit of mu.

The model gives seat i odds of `exp((mu_i - mu_q) / c)` against seat q, with
`c = sqrt(sigma_i² + sigma_q² + 2·BETA²)`, and `c = sqrt(2)·BETA` between two certain bots.
Odds of 10 are then `c·ln 10` units of mu apart, and those are to be shown as 400 points.
"""

SHOWN_MEAN: Final = 1500.0
"""The displayed rating of a newcomer."""

ANCHORED: Final = 1e-6
"""The sigma of a bot whose rating is given: there is no doubt about it."""

_MODEL: Final = BradleyTerryFull(mu=MEAN, sigma=SPREAD, beta=BETA)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a bot's strength: a normal distribution."""

    mu: float = MEAN
    sigma: float = SPREAD


def rate(ratings: Sequence[Rating], placements: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after one match of these seats.

    Placements are by seat, 1 is the best, and equal seats share one. The seats are taken in an
    order that depends on their numbers alone, so that who sat where changes not even the last
    bit. Raises ValueError unless there are two or more seats and as many placements.
    """
    if len(ratings) != len(placements):
        msg = f"{len(ratings)} ratings and {len(placements)} placements"
        raise ValueError(msg)
    order = sorted(
        range(len(ratings)),
        key=lambda seat: (placements[seat], ratings[seat].mu, ratings[seat].sigma),
    )
    after = _MODEL.rate(
        [[_MODEL.rating(ratings[seat].mu, ratings[seat].sigma)] for seat in order],
        ranks=[float(placements[seat]) for seat in order],
    )
    by_seat = {
        seat: Rating(team[0].mu, team[0].sigma) for seat, team in zip(order, after, strict=True)
    }
    return tuple(by_seat[seat] for seat in range(len(ratings)))


def shown(rating: Rating) -> float:
    """Return the rating as people read it: 1500 is a newcomer, 400 points are odds of 10 to 1."""
    return SHOWN_MEAN + SCALE * (rating.mu - MEAN)


def anchored(points: float) -> Rating:
    """Return the rating that is shown as so many points, and is certain."""
    return Rating(MEAN + (points - SHOWN_MEAN) / SCALE, ANCHORED)


def interval(rating: Rating) -> float:
    """Return how far the displayed rating may be off, with a probability of 95 %."""
    return 1.96 * SCALE * rating.sigma
