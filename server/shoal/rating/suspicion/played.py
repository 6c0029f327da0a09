"""What was played, held against the strengths that explain it best.

Strengths are of a fit without anchors: what is asked is whether results fit each other, and a rating that is
given would let all results of its bot look odd.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from shoal.rating.counting import SEATS
from shoal.rating.fit import chance, fit
from shoal.rating.groups import groups_of
from shoal.rating.model import Block
from shoal.rating.suspicion.nouns import Facts
from shoal.rating.tally import Floats, Tally, Whole, halves_of, pairs, placed_of, tally


@final
@dataclass(frozen=True, slots=True)
class Tables:
    """The blocks of one table size, a row for each; see `Played` for the numbers.

    `matches` is how many each has. `strengths` are by seat. `surplus` is by pair what the first has won
    beyond expectation, `expected` its chance in one match. `ended_ms` is when the last match ended.
    """

    seats: int
    matches: Whole
    bots: Whole
    owners: Whole
    rulesets: Whole
    ended_ms: Whole
    names: Whole
    strengths: Floats
    expected: Floats
    surplus: Floats


@final
@dataclass(frozen=True, slots=True)
class Played:
    """All blocks. Numbers of bots, owners and rulesets are places in their lists here.

    `several` tells of each owner whether several of its bots have played. `inverse` is that of the
    information on the strengths, 0 between two that no chain of matches joins.
    """

    bots: tuple[str, ...]
    owners: tuple[str, ...]
    rulesets: tuple[str, ...]
    several: np.typing.NDArray[np.bool_]
    tables: tuple[Tables, ...]
    inverse: Floats


def played(blocks: Sequence[Block], facts: Facts) -> Played:
    """Return what blocks come to. Raises NoFit."""
    tallied = tally(blocks)
    strengths, inverse = _fitted(tallied)
    number = {name: place for place, name in enumerate(tallied.names)}
    bot_ids = [facts.bots.get(name, name) for name in tallied.names]
    bots, bot_of = _numbered(bot_ids)
    owners, owner_of_bot = _numbered([facts.owners.get(bot, bot) for bot in bots])
    rulesets, ruleset_of = _numbered([facts.rulesets.get(block.key, "") for block in blocks])
    tables = []
    for seats in SEATS:
        rows = [place for place, block in enumerate(blocks) if len(block.matches[0].bots) == seats]
        if not rows:
            continue
        some = [blocks[row] for row in rows]
        placed = placed_of(some, number)
        first, second = pairs(seats)
        names, mine = placed.bots, strengths[placed.bots]
        expected = chance(mine[:, first] - mine[:, second])
        tables.append(
            Tables(
                seats=seats,
                matches=placed.matches,
                bots=bot_of[names],
                owners=owner_of_bot[bot_of[names]],
                rulesets=ruleset_of[rows],
                ended_ms=np.array(
                    [max(match.ended_ms for match in block.matches) for block in some], np.int64
                ),
                names=names,
                strengths=mine,
                expected=expected,
                surplus=halves_of(placed, seats) / 2 - placed.matches[:, None] * expected,
            )
        )
    several = np.bincount(owner_of_bot, minlength=len(owners)) > 1
    return Played(bots, owners, rulesets, several, tuple(tables), inverse)


def _fitted(tallied: Tally) -> tuple[Floats, Floats]:
    """Return the strengths of all groups, each with the mean 0, and the inverse of their information."""
    many = len(tallied.names)
    strengths, inverse = np.zeros(many), np.zeros((many, many))
    for members in groups_of(tallied, np.zeros(0, np.int64)):
        mine = np.ix_(members, members)
        found = fit(tallied.weights[mine], tallied.points[mine], {})
        strengths[members] = found.strengths
        inverse[mine] = found.inverse
    return strengths, inverse


def _numbered(words: Sequence[str]) -> tuple[tuple[str, ...], Whole]:
    """Return the different words, sorted, and for each word its number."""
    known = sorted(set(words))
    number = {word: place for place, word in enumerate(known)}
    return tuple(known), np.array([number[word] for word in words], np.int64)
