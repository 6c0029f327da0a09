"""What a match of two is expected to tell of their strength: most of near and uncertain ones."""

import math

from shoal.competition.scale import BETA, LOGIT


def odds(mu: float, sigma: float, other_mu: float, other_sigma: float) -> float:
    """Return the chance that the first of the two wins, as far as is known."""
    doubt = (sigma * sigma + other_sigma * other_sigma) / (2 * BETA * BETA)
    difference = (mu - other_mu) / (LOGIT * math.sqrt(1 + math.pi * doubt / 8))
    return 1 / (1 + math.exp(-min(max(difference, -30.0), 30.0)))


def information(mu: float, sigma: float, other_mu: float, other_sigma: float) -> float:
    """Return by how much, in nats, a match makes the difference of the two more certain.

    A result with the odds p has the information p(1-p) for each square logit, and their difference is
    now known to `doubt` square logits.
    """
    doubt = (sigma * sigma + other_sigma * other_sigma) / (2 * BETA * BETA)
    chance = odds(mu, sigma, other_mu, other_sigma)
    return 0.5 * math.log1p(doubt * chance * (1 - chance))
