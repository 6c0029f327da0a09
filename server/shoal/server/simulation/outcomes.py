"""How a match between bots of known strength ends, drawn from the rating model."""

import math
from collections.abc import Sequence
from random import Random
from typing import Final, Protocol, final

from shoal.competition.scale import LOGIT, MEAN, SCALE, SPREAD

SEAT_EDGE: Final = 0.2
"""What the first seat is better by, in units of log odds: it wins 55 % between equal bots."""


class Outcomes(Protocol):
    """Where outcomes come from. What a strength is only it knows; `truth` is the same in units of mu."""

    def newcomer(self, chance: Random) -> float:
        """Return the strength of another bot."""

    def drifted(self, strength: float, points: float, chance: Random) -> float:
        """Return a strength that has changed at random, by a standard deviation in displayed points."""

    def truth(self, strength: float) -> float:
        """Return the mu that a perfect rating would have, up to one shift for all bots."""

    def placements(self, strengths: Sequence[float], chance: Random) -> tuple[int, ...]:
        """Return the placements by seat, 1 is the best, equal seats share one."""


@final
class ModelOutcomes:
    """Plackett-Luce with the scale of the ratings: between any two it is the model's own odds.

    Strengths are values of mu, spread like the ratings of newcomers. The first seat has its edge, of which
    the ratings know nothing.
    """

    def newcomer(self, chance: Random) -> float:
        """Return the strength of another bot."""
        return chance.gauss(MEAN, SPREAD)

    def drifted(self, strength: float, points: float, chance: Random) -> float:
        """Return a strength that has changed at random."""
        return strength + chance.gauss(0.0, points / SCALE)

    def truth(self, strength: float) -> float:
        """Return the strength itself."""
        return strength

    def placements(self, strengths: Sequence[float], chance: Random) -> tuple[int, ...]:
        """Return placements without ties: noise of Gumbel's kind makes Plackett-Luce of an order."""
        shown = [strength / LOGIT - math.log(chance.expovariate(1.0)) for strength in strengths]
        shown[0] += SEAT_EDGE
        return tuple(1 + sum(other > mine for other in shown) for mine in shown)
