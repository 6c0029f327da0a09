"""What counts of cards are worth under a ruleset (rules 8), each part a function that remembers.

Few different counts of the kinds that matter to one part ever occur, so that looking a part up is
cheaper than working it out.
"""

from collections.abc import Callable
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from shoal.engine.counts import color_groups, count
from shoal.engine.ruleset import Duo, Ruleset

T = TypeVar("T")


class ByCounts(dict[int, T], Generic[T]):
    """A function of packed counts, called by subscript, that remembers every result."""

    def __init__(self, function: Callable[[int], T]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, counts: int) -> T:
        """Work out the result for counts that did not occur before."""
        result = self[counts] = self._function(counts)
        return result


class Worth(NamedTuple):
    """The parts of the points that follow from counts by kind, under one ruleset.

    Each is asked with the counts of its own kinds alone: those of a hand for `duos` and for
    `possible_duos`, the rows of which the hand has both kinds; those of hand and table for the
    others.
    """

    duos: ByCounts[int]
    possible_duos: ByCounts[tuple[Duo, ...]]
    collectors: ByCounts[int]
    multipliers: ByCounts[int]


@cache
def worth_under(rules: Ruleset) -> Worth:
    """Return the parts under a ruleset, made once."""
    return Worth(
        duos=ByCounts(lambda counts: _duos(rules, counts)),
        possible_duos=ByCounts(lambda counts: _possible_duos(rules, counts)),
        collectors=ByCounts(lambda counts: _collectors(rules, counts)),
        multipliers=ByCounts(lambda counts: _multipliers(rules, counts)),
    )


def mermaid_points(mermaids: int, colors: int) -> int:
    """Return the sizes of as many of the largest color groups as there are mermaids (rules 8.1)."""
    return sum(sorted(color_groups(colors), reverse=True)[:mermaids])


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
