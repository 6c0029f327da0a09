"""From blocks to the report: the same for the same blocks."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from shoal.competition.scale import POINTS
from shoal.rating.counting import checked
from shoal.rating.model import Block
from shoal.rating.scatter import BORROWED
from shoal.rating.suspicion.discovery import (
    chances,
    false_shares,
    spread_of,
    without_doubt,
    without_skew,
)
from shoal.rating.suspicion.nouns import HOUR_MS, Asked, Facts, Finding, Kind, Report
from shoal.rating.suspicion.played import Played, played
from shoal.rating.suspicion.questions import subject_of
from shoal.rating.suspicion.sums import Sums, sums
from shoal.rating.tally import Floats

LEAST_BLOCKS: Final = 6
"""A question of which fewer blocks tell something is not asked."""

_ENOUGH: Final = 2.0
"""Nor one whose sum has a smaller variance, in matches won: it can hardly be off."""

_LEFT: Final = 0.1
"""Nor one of which strengths take away more than the rest of this: a bot that played on one day alone."""

_TRUSTED: Final = 20.0
"""What the word of the model, a dispersion of 1, weighs in that of a kind."""

_SEVERAL: Final = 20
"""So many questions say by how much surpluses scatter; fewer may all be about the one thing that is wrong."""

_APART: Final = 400 / POINTS
"""How far two bots are apart of which `Kind.PERIOD` speaks, in logits."""

_ONE_SIDED: Final = frozenset({Kind.TRANSFER, Kind.OWNERS})
"""Kinds that ask for more alone: who is hindered by another one does not get points of it."""


def suspect(
    blocks: Iterable[Block], facts: Facts | None = None, *, rate: float = 0.05, hours: int = 24
) -> Report:
    """Return what strengths do not explain in the blocks that count.

    False findings are kept to the part `rate` of all that are expected: it is shared out evenly over the
    kinds of which anything can be asked, so a ladder in which there is nothing has a finding as seldom as
    that. Periods have so many `hours`, and begin at midnight UTC where that is a day. Raises BadBlock, see
    `counting.checked`, and NoFit.
    """
    whole = sorted(checked(blocks), key=lambda block: block.key)
    if not whole:
        return Report()
    found = played(whole, facts or Facts())
    summed = {kind: _askable(sums(found, kind, hours * HOUR_MS)) for kind in Kind}
    asked = {kind: each for kind, each in summed.items() if each is not None}
    made = [
        _findings(found, kind, each, rate / len(asked), hours * HOUR_MS)
        for kind, each in asked.items()
    ]
    return Report(
        blocks=len(whole),
        asked=tuple(each for each, _ in made),
        findings=tuple(finding for _, findings in made for finding in findings),
    )


def _askable(summed: Sums | None) -> Sums | None:
    """Return the sums of questions that can be asked, None if there are none."""
    if summed is None:
        return None
    left = _left(summed)
    asked = (summed.blocks >= LEAST_BLOCKS) & (left >= _LEFT) & (summed.variance * left >= _ENOUGH)
    return summed.of(asked) if asked.any() else None


def _left(summed: Sums) -> Floats:
    """Return what part of the information on each question strengths leave to it."""
    result: Floats = 1 - np.divide(
        summed.explained,
        summed.information,
        out=np.ones_like(summed.explained),
        where=summed.information > 0,
    )
    return result


def _findings(
    found: Played, kind: Kind, summed: Sums, rate: float, period_ms: int
) -> tuple[Asked, list[Finding]]:
    """Return how much was asked, and the findings, the surest first."""
    z, dispersion, spread = _deviations(summed)
    odds = chances(z, two_sided=kind not in _ONE_SIDED)
    shares = false_shares(odds)
    rows = np.flatnonzero(shares <= rate)
    rows = rows[np.lexsort((rows, odds[rows]))]
    asked = Asked(kind, len(z), rate, round(dispersion, 3), round(spread, 3))
    points = POINTS * summed.score / (summed.information * _left(summed))
    if kind is Kind.PERIOD:
        points = points * _APART
    figures = (points, z, odds, shares)
    return asked, [_finding(found, kind, summed, row, figures, period_ms) for row in rows.tolist()]


def _deviations(summed: Sums) -> tuple[Floats, float, float]:
    """Return each score in standard deviations, and the dispersion and the spread of all.

    The model's variance times a dispersion, which is in part that of the question's own blocks (see
    `shoal.rating.scatter`); and all that is taken off for doubt, for skewness and for what is usual here.
    """
    # Around the mean of the question's own blocks: what is to be found should not hide itself.
    around = (summed.squares - summed.score**2 / summed.blocks) / (1 - 1 / summed.blocks)
    own = around / summed.variance
    freedom = summed.variance**2 / summed.variances
    common = float((_TRUSTED + freedom @ own) / (_TRUSTED + freedom.sum()))
    dispersion = (BORROWED * common + freedom * own) / (BORROWED + freedom)
    t = summed.score / np.sqrt(dispersion * summed.variance * _left(summed))
    sure = without_doubt(t, BORROWED + freedom)
    straight = without_skew(sure, summed.third / summed.variance**1.5)
    spread = spread_of(straight) if len(straight) >= _SEVERAL else 1.0
    return straight / spread, common, spread


def _finding(
    found: Played,
    kind: Kind,
    summed: Sums,
    row: int,
    figures: tuple[Floats, Floats, Floats, Floats],
    period_ms: int,
) -> Finding:
    points, z, odds, shares = (float(each[row]) for each in figures)
    about = subject_of(kind, found, int(summed.question[row]))
    people = found.owners if kind is Kind.OWNERS else found.bots
    in_period = about.period >= 0
    begin = about.period * period_ms if in_period else int(summed.first_ms[row])
    end = begin + period_ms if in_period else int(summed.last_ms[row]) + 1
    return Finding(
        kind=kind,
        subject=people[about.subject] if about.subject >= 0 else "",
        other=people[about.other] if about.other >= 0 else "",
        ruleset=found.rulesets[about.ruleset] if about.ruleset >= 0 else "",
        seats=about.seats,
        from_ms=begin,
        until_ms=end,
        blocks=int(summed.blocks[row]),
        points=round(points, 1),
        surplus=round(float(summed.surplus[row]), 2),
        from_other=round(float(summed.from_other[row]), 2),
        z=round(z, 2),
        chance=float(f"{odds:.3g}"),
        false_share=float(f"{shares:.3g}"),
    )
