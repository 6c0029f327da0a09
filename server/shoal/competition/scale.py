"""The scale of the ratings: what a newcomer is taken for, and how strengths become displayed points.

The only place for these numbers. Who computes ratings with them is `shoal.server.director.rating`.
"""

import math
from typing import Final

MEAN: Final = 25.0
"""The mu of a newcomer."""

SPREAD: Final = MEAN / 3
"""The sigma of a newcomer."""

BETA: Final = MEAN / 6
"""What chance adds to each seat's strength in one match, as a standard deviation."""

LOGIT: Final = math.sqrt(2) * BETA
"""A logit in units of mu, between two whose strength is certain."""

POINTS: Final = 400 / math.log(10)
"""A logit in displayed points: odds of 10 to 1 are 400 points."""

SCALE: Final = 400 / (math.log(10) * math.sqrt(2) * BETA)
"""Displayed points for one unit of mu.

The model gives seat i odds of `exp((mu_i - mu_q) / c)` against seat q, with
`c = sqrt(sigma_i² + sigma_q² + 2·BETA²)`, and `c = sqrt(2)·BETA` between two certain bots.
Odds of 10 are then `c·ln 10` units of mu apart, and those are to be shown as 400 points.
"""

SHOWN_MEAN: Final = 1500.0
"""The displayed rating of a newcomer."""
