"""Is one bot better than another? A sequential test on scores of blocks. Pure: the standard library alone.

`Sample` adds up blocks, a `Scale` says what an Elo difference makes of a block, `Rule` says after every
block whether the question is decided, and `estimate` gives an interval. `Adjuster` takes luck off the scores.
docs/testing.md has the reasons.
"""

from shoal.sequential.elo import Scale, elo_of, expected_score
from shoal.sequential.interval import Estimate, estimate
from shoal.sequential.likelihood import log_ratio
from shoal.sequential.reach import expected_blocks, least_blocks
from shoal.sequential.rule import BadRule, Rule, Standing, Verdict
from shoal.sequential.sample import BlockScore, Sample
from shoal.sequential.weighing import Adjuster

__all__ = [
    "Adjuster",
    "BadRule",
    "BlockScore",
    "Estimate",
    "Rule",
    "Sample",
    "Scale",
    "Standing",
    "Verdict",
    "elo_of",
    "estimate",
    "expected_blocks",
    "expected_score",
    "least_blocks",
    "log_ratio",
]
