"""How many blocks a test needs, known before the first is played (T57)."""

import math

from shoal.sequential.elo import Scale
from shoal.sequential.likelihood import PRIOR
from shoal.sequential.rule import Rule


def least_blocks(rule: Rule, scale: Scale) -> int:
    """Return after how many blocks a test can end at the earliest, whatever happens in them.

    The ratio grows fastest when all blocks have one gap, the best one for the variance that is left.
    """
    gap0, gap1 = scale.gap(rule.elo0), scale.gap(rule.elo1)
    middle, half = (gap0 + gap1) / 2, (gap1 - gap0) / 2
    blocks = 0
    while True:
        blocks += 1
        spread = PRIOR * scale.variance / (blocks + PRIOR)
        best = math.sqrt(half * half + spread)
        for target, side in ((rule.upper, 1), (-rule.lower, -1)):
            # No gap of plain scores is beyond 1.
            off = best if scale.adjusted else min(best, 1 - side * middle)
            ratio = math.log((spread + (off + half) ** 2) / (spread + (off - half) ** 2))
            if blocks / 2 * ratio >= target:
                return blocks


def expected_blocks(rule: Rule, scale: Scale) -> tuple[float, float, float]:
    """Return about how many blocks a test takes on average if H0 is true, halfway between, and if H1 is.

    As a random walk between the bounds, with the variance that equal bots have and what the level of ½ makes
    of the hypotheses. Between them it takes longest.
    """
    step = (scale.gap(rule.elo1) - scale.gap(rule.elo0)) ** 2 / scale.variance
    at0 = (1 - rule.alpha) * -rule.lower - rule.alpha * rule.upper
    at1 = (1 - rule.beta) * rule.upper + rule.beta * rule.lower
    return 2 * at0 / step, -rule.lower * rule.upper / step, 2 * at1 / step
