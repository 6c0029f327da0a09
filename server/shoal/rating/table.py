"""From blocks to the published table: the same for the same blocks, in whatever order, anywhere (T63).

Two machines may add in another order, so what they compute differs by about a billionth of a point. It is
rounded to millionths first, and then to whole points, a half upwards. What is a half by the symmetry of
results is so the same everywhere: a billionth more or less is the same millionth. They disagree by one point
where a rating happens to lie within a billionth of the border of the millionth below a half: of a
hundred million ratings about one does.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from shoal.competition.scale import POINTS, SHOWN_MEAN
from shoal.rating.counting import checked
from shoal.rating.fit import PRIOR, fit
from shoal.rating.groups import groups_of
from shoal.rating.model import Block, Group, Row, Table
from shoal.rating.scatter import scatter
from shoal.rating.tally import Floats, Tally, Whole, of_group, tally

NARROW: Final = 100
"""How wide half an interval may be, in points, of a rating that is not provisional.

Whoever is 100 points better wins 64 of 100: a rating that may be off by more does not even say who of two
near ones would win two of three. Among near equals it takes about 22 blocks of two, or 7 of four.
"""


def rate(
    blocks: Iterable[Block], anchors: Mapping[str, float] | None = None, *, ties: float = PRIOR
) -> Table:
    """Return the table of the blocks that count; `anchors` are ratings that are given, in displayed points.

    Raises BadBlock, see `counting.checked`, and NoFit. `ties` are what the fit has each bot bring along.
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
        ratings, intervals, scattered = _rated(tallied, members, given, ties)
        dispersion = scattered if number == 1 else dispersion
        rows += _rows(tallied, members, given, (ratings, intervals), number)
        matches = sum(int(sized.matches.sum()) for sized in of_group(tallied, members))
        groups.append(Group(number, len(members), matches, bool(given)))
    return Table(
        rows=tuple(rows),
        groups=tuple(groups),
        blocks=sum(len(sized.bots) for sized in tallied.sized),
        matches=sum(group.matches for group in groups),
        dispersion=round(dispersion, 3),
    )


def _rated(
    tallied: Tally, members: Whole, given: Mapping[int, float], ties: float
) -> tuple[Floats, Floats, float]:
    """Return ratings and intervals of a group in displayed points, and its dispersion."""
    mine = np.ix_(members, members)
    logits = {place: (points - SHOWN_MEAN) / POINTS for place, points in given.items()}
    fitted = fit(tallied.weights[mine], tallied.points[mine], logits, ties)
    played = tallied.matches[members]
    center = np.zeros(len(members)) if given else played / played.sum()
    found = scatter(fitted, of_group(tallied, members), center)
    strengths = fitted.strengths - center @ fitted.strengths
    return SHOWN_MEAN + POINTS * strengths, POINTS * found.intervals, found.dispersion


def _rows(
    tallied: Tally,
    members: Whole,
    given: Mapping[int, float],
    found: tuple[Floats, Floats],
    group: int,
) -> list[Row]:
    """Return the rows of a group, best first.

    The rating decides, as it is published, and never how sure it is (T66); of equal ones that with the
    smaller interval is first, then that with more wins, then the id. Each group counts from 1.
    """
    lines = sorted(
        (
            -published(rating),
            published(interval),
            -int(tallied.wins[bot]),
            tallied.names[bot],
            bot,
            place in given,
        )
        for place, (bot, rating, interval) in enumerate(
            zip(members.tolist(), *(each.tolist() for each in found), strict=True)
        )
    )
    return [
        Row(
            rank=rank,
            bot_id=name,
            rating=-rating,
            interval=interval,
            blocks=int(tallied.blocks[bot]),
            matches=int(tallied.matches[bot]),
            wins=-wins,
            placement_sum=int(tallied.placement_sums[bot]),
            group=group,
            anchored=anchored,
            provisional=not anchored and (group > 1 or interval > NARROW),
        )
        for rank, (rating, interval, wins, name, bot, anchored) in enumerate(lines, start=1)
    ]


def published(points: float) -> int:
    """Return points as they are published: a whole number, a half upwards."""
    return math.floor(round(points, 6) + 0.5)
