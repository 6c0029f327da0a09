"""What is believed of a bot's strength, and how it is shown. What changes it is the server's business."""

from dataclasses import dataclass
from typing import Final

from shoal.competition.scale import MEAN, SCALE, SHOWN_MEAN, SPREAD

ANCHORED: Final = 1e-6
"""The sigma of a bot whose rating is given: there is no doubt about it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a bot's strength: a normal distribution."""

    mu: float = MEAN
    sigma: float = SPREAD


def shown(rating: Rating) -> float:
    """Return the rating as people read it: 1500 is a newcomer, 400 points are odds of 10 to 1."""
    return SHOWN_MEAN + SCALE * (rating.mu - MEAN)


def anchored(points: float) -> Rating:
    """Return the rating that is shown as so many points, and is certain."""
    return Rating(MEAN + (points - SHOWN_MEAN) / SCALE, ANCHORED)


def interval(rating: Rating) -> float:
    """Return how far the displayed rating may be off, with a probability of 95 %."""
    return 1.96 * SCALE * rating.sigma
