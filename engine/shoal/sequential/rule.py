"""When a sequential test ends: its hypotheses, its bounds, and what is decided at them.

Wald's bounds: it ends for H1 at `ln((1-beta)/alpha)` and for H0 at `ln(beta/(1-alpha))`. `alpha` is then how
often a B that is only `elo0` better is taken for better, `beta` how often one that is `elo1` better is not.
"""

import math
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from shoal.sequential.elo import Scale
from shoal.sequential.likelihood import log_ratio
from shoal.sequential.sample import Sample

FURTHEST: Final = 800.0
"""Elo differences beyond it are scores so near to 0 and 1 that no number of blocks tells them apart."""


class BadRule(ValueError):
    """Hypotheses or error rates that no test can have; the message names the one."""


@unique
class Verdict(Enum):
    """What is decided."""

    OPEN = "open"
    H0 = "H0"
    H1 = "H1"


@final
@dataclass(frozen=True, slots=True)
class Standing:
    """The ratio now, and what it decides."""

    log_ratio: float
    verdict: Verdict


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """H0: B is `elo0` better than A; H1: it is `elo1` better. Raises BadRule."""

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not abs(elo) <= FURTHEST:
                raise BadRule(f"{name} {elo:g}: must be from -{FURTHEST:g} to {FURTHEST:g}")
        if not self.elo0 < self.elo1:
            raise BadRule(f"elo0 {self.elo0:g} must be less than elo1 {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise BadRule(f"{name} {rate:g}: must be more than 0 and less than 0.5")

    @property
    def lower(self) -> float:
        """At this ratio H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this ratio H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def standing(self, sample: Sample, scale: Scale) -> Standing:
        """Return how the test stands after these blocks; to be asked after each one."""
        level = sample.level
        ratio = log_ratio(sample, scale, scale.gap(self.elo0, level), scale.gap(self.elo1, level))
        if ratio >= self.upper:
            return Standing(ratio, Verdict.H1)
        return Standing(ratio, Verdict.H0 if ratio <= self.lower else Verdict.OPEN)
