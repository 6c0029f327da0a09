"""How results change ratings: Weng-Lin Bradley-Terry-Full. Pure; the only module that knows it."""

from collections.abc import Sequence
from typing import Final

from openskill.models import BradleyTerryFull

from shoal.competition.rating import Rating
from shoal.competition.scale import BETA, MEAN, SPREAD

_MODEL: Final = BradleyTerryFull(mu=MEAN, sigma=SPREAD, beta=BETA)


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
