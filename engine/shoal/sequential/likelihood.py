"""The generalized log-likelihood ratio of two hypotheses about the mean gap of blocks.

Gaps are taken as normal with a variance that nobody knows: under each hypothesis its most likely value is the
mean square off the hypothesis' mean, and the ratio of the two likelihoods is what is left. Nothing is said
about which gaps there can be, so the same ratio serves for scores that are adjusted for luck.

The first blocks would say that there is no variance at all, and decide. So the variance starts as if
`PRIOR` blocks had been played with the one that equal bots have.
"""

import math
from typing import Final

from shoal.sequential.elo import Scale
from shoal.sequential.sample import Sample

PRIOR: Final = 8
"""So many blocks the variance to expect counts for; docs/testing.md says how it was chosen."""


def variance(sample: Sample, scale: Scale) -> float:
    """Return the variance of a block's gap, as the sample and what is to be expected have it."""
    return (sample.squares + PRIOR * scale.variance) / (sample.blocks + PRIOR)


def log_ratio(sample: Sample, scale: Scale, gap0: float, gap1: float) -> float:
    """Return how much likelier the sample is, as a logarithm, if the mean gap is `gap1` and not `gap0`."""
    spread = variance(sample, scale)
    off0, off1 = sample.gap - gap0, sample.gap - gap1
    return sample.blocks / 2 * math.log((spread + off0 * off0) / (spread + off1 * off1))
