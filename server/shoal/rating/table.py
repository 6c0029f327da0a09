"""From blocks to the published table: the same for the same blocks, in whatever order, anywhere (T63).

Two machines may add in another order, so what they compute differs by about a billionth of a point. It is
rounded to millionths first, and then to whole points, a half upwards. What is a half by the symmetry of
results is so the same everywhere: a billionth more or less is the same millionth. They disagree by one point
where a rating happens to lie within a billionth of the border of the millionth below a half: of a
hundred million ratings about one does.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from shoal.competition.scale import POINTS, SHOWN_MEAN
from shoal.rating.counting import checked
from shoal.rating.fit import PRIOR, NoFit, fit
from shoal.rating.groups import groups_of
from shoal.rating.model import Block, Group, Row, Table
from shoal.rating.scatter import scatter
from shoal.rating.tally import Tally, Whole, of_group, tally

NARROW: Final = 100
"""How wide half an interval may be, in points, of a rating that is not provisional.

Whoever is 100 points better wins 64 of 100: a rating that may be off by more does not even say who of two
near ones would win two of three. Among near equals it takes about 22 blocks of two, or 7 of four.
"""


def rate(
    blocks: Iterable[Block],
    anchors: Mapping[str, float] | None = None,
    *,
    by_adjusted: bool = False,
    ties: float = PRIOR,
) -> Table:
    """Return the table of the blocks that count; `anchors` are ratings that are given, in displayed points.

    It is ordered by the plain ratings or, `by_adjusted`, by those without luck, where there are any. Raises
    BadBlock, see `counting.checked`, and NoFit. `ties` are what the fit has each bot bring along.
    """
    tallied = tally(checked(blocks))
    anchors = anchors or {}
    held = np.array(
        [place for place, name in enumerate(tallied.names) if name in anchors], np.int64
    )
    rows: list[Row] = []
    groups: list[Group] = []
    dispersion = 1.0
    for number, members in enumerate(groups_of(tallied, held), start=1):
        given = {
            place: anchors[tallied.names[bot]]
            for place, bot in enumerate(members.tolist())
            if tallied.names[bot] in anchors
        }
        plain = _rated(tallied, members, given, ties, adjusted=False)
        adjusted = _without_luck(tallied, members, given, ties)
        dispersion = plain.dispersion if number == 1 else dispersion
        official = adjusted if by_adjusted and adjusted is not None else plain
        rows += _rows(tallied, members, given, _Found(plain, adjusted, official), number)
        matches = sum(int(sized.matches.sum()) for sized in of_group(tallied, members))
        groups.append(Group(number, len(members), matches, bool(given)))
    return Table(
        rows=tuple(rows),
        groups=tuple(groups),
        blocks=sum(len(sized.bots) for sized in tallied.sized),
        matches=sum(group.matches for group in groups),
        dispersion=round(dispersion, 3),
    )


@final
@dataclass(frozen=True, slots=True)
class _Rated:
    """Ratings and intervals of a group as they are published, and its dispersion."""

    ratings: list[int]
    intervals: list[int]
    dispersion: float


@final
@dataclass(frozen=True, slots=True)
class _Found:
    """What a group comes to: plain, without luck where that is known, and by which it is ordered."""

    plain: _Rated
    adjusted: _Rated | None
    official: _Rated


def _rated(
    tallied: Tally, members: Whole, given: Mapping[int, float], ties: float, *, adjusted: bool
) -> _Rated:
    """Return what a group is rated, by plain results or by those without luck."""
    mine = np.ix_(members, members)
    logits = {place: (points - SHOWN_MEAN) / POINTS for place, points in given.items()}
    luck = tallied.luck[mine] if adjusted else None
    fitted = fit(tallied.weights[mine], tallied.points[mine], logits, ties, luck)
    played = tallied.matches[members]
    center = np.zeros(len(members)) if given else played / played.sum()
    found = scatter(fitted, of_group(tallied, members), center, adjusted=adjusted)
    strengths = fitted.strengths - center @ fitted.strengths
    return _Rated(
        [published(SHOWN_MEAN + POINTS * each) for each in strengths.tolist()],
        [published(POINTS * each) for each in found.intervals.tolist()],
        found.dispersion,
    )


def _without_luck(
    tallied: Tally, members: Whole, given: Mapping[int, float], ties: float
) -> _Rated | None:
    """Return what a group is rated without luck, None where that is known of none of its matches.

    And where no such ratings are found: of few matches luck may be out of all proportion, and what cannot be
    adjusted must not keep the plain table back.
    """
    if not tallied.adjusted[members].any():
        return None
    try:
        return _rated(tallied, members, given, ties, adjusted=True)
    except NoFit:
        return None


def _rows(
    tallied: Tally, members: Whole, given: Mapping[int, float], found: _Found, group: int
) -> list[Row]:
    """Return the rows of a group, best first.

    The official rating decides, as it is published, and never how sure it is (T66); of equal ones that with
    the smaller interval is first, then that with more wins, then the id. Each group counts from 1.
    """
    plain, adjusted, official = found.plain, found.adjusted, found.official
    order = sorted(
        (
            -official.ratings[place],
            official.intervals[place],
            -int(tallied.wins[bot]),
            tallied.names[bot],
            place,
            bot,
        )
        for place, bot in enumerate(members.tolist())
    )
    return [
        Row(
            rank=rank,
            bot_id=name,
            rating=plain.ratings[place],
            interval=plain.intervals[place],
            blocks=int(tallied.blocks[bot]),
            matches=int(tallied.matches[bot]),
            wins=-wins,
            placement_sum=int(tallied.placement_sums[bot]),
            group=group,
            anchored=place in given,
            provisional=place not in given and (group > 1 or interval > NARROW),
            adjusted_rating=None if adjusted is None else adjusted.ratings[place],
            adjusted_interval=None if adjusted is None else adjusted.intervals[place],
            adjusted_matches=int(tallied.adjusted[bot]),
        )
        for rank, (_, interval, wins, name, place, bot) in enumerate(order, start=1)
    ]


def published(points: float) -> int:
    """Return points as they are published: a whole number, a half upwards."""
    return math.floor(round(points, 6) + 0.5)
