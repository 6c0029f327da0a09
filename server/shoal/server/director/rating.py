"""How results change ratings: Weng-Lin Bradley-Terry-Full. Pure; the only module that knows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryFull

from shoal.competition.scale import BETA, MEAN, SCALE, SHOWN_MEAN, SPREAD

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
