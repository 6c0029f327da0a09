"""The strengths that explain best what was won: Bradley-Terry over all pairs of each match, by Newton.

Strengths are in logits: one that is higher by 1 has odds of e to 1. A tie is half a win. Then a fit
reproduces what each bot has won against all others together.
"""

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from shoal.rating.model import WIN
from shoal.rating.tally import UNIT, Floats, Whole

PRIOR: Final = 0.5
"""The ties that each bot brings along, in matches of two, shared out over those that it has met.

Without them a bot that has won everything is infinitely strong. A newcomer among veterans so has a quarter
of a win and of a loss more than it played, and where all play equally much, since both sides bring theirs,
half of each: Jeffreys' correction of odds, which takes away the bias of few results. It pulls nobody to a
mean, only to those that it met: so nothing is made up of two circles that have hardly met each other.
"""

LUCK: Final = 4.0
"""Of the luck of a match, that of two equals, `LUCK * p * (1 - p)` is taken away where the first wins p.

For equals that is all of it. Between unequal bots cards decide less, as the slope of the odds has it: who
wins nearly always has no luck to speak of. p is what the fit comes to: with the true p the mean of what is
taken away is zero, and so the fit has its rest there.
"""

_ENOUGH: Final = 1e-11
"""The last step in logits: two billionths of a point."""

_STEPS: Final = 200
_NEAR: Final = 1e-3
"""After a step this short all others are much shorter. A longer one has to be shown to lead forward."""


class NoFit(ArithmeticError):
    """The steps have not come to rest: a bug, since what is sought is unique and always there."""


@final
@dataclass(frozen=True, slots=True)
class Fit:
    """The strengths of a group, in logits, and what is known about them.

    `inverse` is that of the information, with the zero of the scale fixed somewhere: differences alone mean
    anything where nobody is anchored, and rows and columns of `fixed` bots are 0. `prior` is the part of the
    information that the ties brought along are.
    """

    strengths: Floats
    fixed: np.typing.NDArray[np.bool_]
    inverse: Floats
    prior: Floats


@final
@dataclass(frozen=True, slots=True)
class _Sought:
    """What is to be explained, between each two: how often they met, what was won, `LUCK` times its luck.

    How much of it is luck that is no strength depends on the strengths that are sought, so all is by what is
    `expected` of them.
    """

    met: Floats
    won: Floats
    luck: Floats

    def above(self, expected: Floats) -> Floats:
        """Return what was won above what is expected, without the luck in it."""
        result: Floats = self.won - self.met * expected - self.luck * expected * (1 - expected)
        return result

    def curve(self, expected: Floats) -> Floats:
        """Return how fast that falls with strength, at the least a fourth of the information.

        Of few matches luck may let it rise; steps by that would lead back.
        """
        falls = self.met + self.luck * (1 - 2 * expected)
        result: Floats = expected * (1 - expected) * np.maximum(falls, self.met / 4)
        return result

    def surprise(self, strengths: Floats) -> float:
        """Return how little strengths explain results, in nats: what is left above is its slope."""
        apart = strengths[:, None] - strengths[None, :]
        explained = self.met * np.logaddexp(0.0, apart) - self.won * apart
        return float((explained + self.luck * chance(apart)).sum())


def chance(difference: Floats) -> Floats:
    """Return the chance to be ahead, for a difference of strengths."""
    # By the half of a hyperbolic tangent: exactly 1/2 for 0, and p(-x) = 1 - p(x).
    result: Floats = 0.5 + 0.5 * np.tanh(0.5 * difference)
    return result


def fit(
    weights: Whole,
    points: Whole,
    given: dict[int, float],
    ties: float = PRIOR,
    luck: Whole | None = None,
) -> Fit:
    """Return the strengths of a connected group; see `Tally` for the arrays.

    `given` has strengths that are fixed, by number. Without any the strengths have the mean 0. `ties` are
    what each bot brings along. With `luck` that is taken away from what was won. Raises NoFit.
    """
    many = len(weights)
    fixed = np.zeros(many, np.bool_)
    fixed[list(given)] = True
    strengths = np.zeros(many)
    if given:
        strengths[:] = sum(given.values()) / len(given)
        strengths[list(given)] = list(given.values())
    brought = _brought(weights, fixed, ties)
    met = weights / UNIT + brought
    won = points / (2 * UNIT) + brought / 2
    sought = _Sought(met, won, np.zeros_like(won) if luck is None else LUCK * (luck / WIN))
    try:
        strengths = _rest(strengths, fixed, sought)
    except np.linalg.LinAlgError as error:
        raise NoFit(f"{many} strengths move without an end") from error
    expected = chance(strengths[:, None] - strengths[None, :])
    return Fit(
        strengths=strengths,
        fixed=fixed,
        inverse=_inverse(_information(met, expected), fixed),
        prior=_information(brought, expected),
    )


def _rest(strengths: Floats, fixed: np.typing.NDArray[np.bool_], sought: _Sought) -> Floats:
    """Return where the steps come to rest that begin at these strengths. Raises NoFit, LinAlgError."""
    for _ in range(_STEPS):
        expected = chance(strengths[:, None] - strengths[None, :])
        slope = np.where(fixed, 0.0, sought.above(expected).sum(axis=1))
        step = _inverse(_as_matrix(sought.curve(expected)), fixed) @ slope
        longest = float(np.abs(step).max(initial=0.0))
        if longest > _NEAR:
            step *= _forward(strengths, step, sought)
        strengths = strengths + step
        if longest < _ENOUGH:
            return strengths
    raise NoFit(f"{len(strengths)} strengths have not come to rest after {_STEPS} steps")


def _forward(strengths: Floats, step: Floats, sought: _Sought) -> float:
    """Return what part of a step is to be made: of 1, 1/2, 1/4 ... the first that explains more than now."""
    now = sought.surprise(strengths)
    part = 1.0
    while part > _NEAR and sought.surprise(strengths + part * step) > now:
        part /= 2
    return part


def _brought(weights: Whole, fixed: np.typing.NDArray[np.bool_], ties: float) -> Floats:
    """Return the ties between each two: each that is not fixed shares out its own by what it played."""
    played = weights.sum(axis=1)
    shared = ties * weights / np.maximum(played, 1)[:, None]
    shared[fixed] = 0.0
    result: Floats = shared + shared.T
    return result


def _information(met: Floats, expected: Floats) -> Floats:
    """Return the information of so many matches between each two, as a matrix."""
    return _as_matrix(met * expected * (1 - expected))


def _as_matrix(each: Floats) -> Floats:
    """Return what each two know of their difference as what all know of strengths."""
    result: Floats = np.diag(each.sum(axis=1)) - each
    return result


def _inverse(information: Floats, fixed: np.typing.NDArray[np.bool_]) -> Floats:
    """Return the inverse for those that are not fixed; where none is, with the mean as it is."""
    many = len(information)
    if not fixed.any():
        # What the mean is does not follow from results: any information on it leaves differences alone.
        level = float(np.trace(information)) / (many * many)
        return np.linalg.inv(information + level).astype(np.float64)
    free = np.flatnonzero(~fixed)
    result = np.zeros((many, many))
    if len(free):
        result[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
    return result
