"""What counts of cards are worth under a ruleset (rules 8), each part a function that remembers.

Few different counts of the kinds that matter to one part ever occur, so that looking a part up is
cheaper than working it out.
"""

from dataclasses import dataclass
from functools import cache

from shoal.engine.counts import MERMAIDS, count, count_mermaids, largest_groups, mask_of
from shoal.engine.remembered import Remembered
from shoal.engine.ruleset import Duo, Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """The parts of the points that follow from counts by kind, under one ruleset.

    Each is asked with the counts of its own kinds alone, which its mask cuts out: those of a hand
    for `duos` and for `possible_duos`, the rows of which the hand has both kinds; those of hand and
    table for the others. `multiplier_mask` has only the kinds that count, without the counted ones.
    """

    duo_mask: int
    duos: Remembered[int, int]
    possible_duos: Remembered[int, tuple[Duo, ...]]
    collector_mask: int
    collectors: Remembered[int, int]
    multiplier_mask: int
    counted_mask: int
    multipliers: Remembered[int, int]


@cache
def worth_under(rules: Ruleset) -> Worth:
    """Return the parts under a ruleset, made once."""
    return Worth(
        duo_mask=mask_of(kind for row in rules.duos for kind in row[:2]),
        duos=Remembered(lambda counts: _duos(rules, counts)),
        possible_duos=Remembered(lambda counts: _possible_duos(rules, counts)),
        collector_mask=mask_of(row.kind for row in rules.collectors),
        collectors=Remembered(lambda counts: _collectors(rules, counts)),
        multiplier_mask=mask_of(row.kind for row in rules.multipliers),
        counted_mask=mask_of(kind for row in rules.multipliers for kind in row[:2]),
        multipliers=Remembered(lambda counts: _multipliers(rules, counts)),
    )


def mermaid_points(held: int) -> int:
    """Return the sizes of as many of the largest color groups as there are mermaids (rules 8.1)."""
    return largest_groups(held, count_mermaids(held)) if held & MERMAIDS else 0


def _duos(rules: Ruleset, in_hand: int) -> int:
    """Return the largest number of duos that the cards of a hand can form (rules 8.2)."""
    duos = 0
    for first, second, _ in rules.duos:
        if first == second:
            duos += count(in_hand, first) // 2
        else:
            duos += min(count(in_hand, first), count(in_hand, second))
    return duos


def _possible_duos(rules: Ruleset, in_hand: int) -> tuple[Duo, ...]:
    """Return the rows of duos that the cards of a hand can form."""
    return tuple(
        duo
        for duo in rules.duos
        if count(in_hand, duo.first) and count(in_hand, duo.second) > (duo.first == duo.second)
    )


def _collectors(rules: Ruleset, held: int) -> int:
    """Return the points of the sets (rules 8.3)."""
    return sum(points[count(held, kind)] for kind, points in rules.collectors)


def _multipliers(rules: Ruleset, held: int) -> int:
    """Return the points of the cards that count other cards (rules 8.4)."""
    return sum(
        each * count(held, kind) * count(held, counted) for kind, counted, each in rules.multipliers
    )
