"""What counts of cards are worth under a ruleset (rules 8), each part a function that remembers.

Few different counts of the kinds that matter to one part ever occur, so that looking a part up is
cheaper than working it out. Rulesets with equal rows share what is remembered.
"""

from dataclasses import dataclass
from functools import cache

from shoal.engine.cards import Kind
from shoal.engine.counts import MERMAIDS, count, mask_of, unit_of
from shoal.engine.remembered import Remembered
from shoal.engine.ruleset import Collector, Duo, Multiplier, Ruleset

TRIO_BONUS = 2
"""What a third card adds to a duo (rules 11.4)."""


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """The parts of the points that follow from counts by kind, under one ruleset.

    Each is asked with the counts of its own kinds alone, which its mask cuts out: those of a hand
    for `duos` and for `possible_duos`, the rows of which the hand has both kinds; those of hand and
    table for the others. `multiplier_mask` has only the kinds that count, without the counted ones.
    `mermaid_mask` keeps the mermaids if they score, and `trio_mask` the third cards of trios.
    """

    duo_mask: int
    duos: Remembered[int, int]
    possible_duos: Remembered[int, tuple[Duo, ...]]
    collector_mask: int
    collectors: Remembered[int, int]
    multiplier_mask: int
    counted_mask: int
    multipliers: Remembered[int, int]
    mermaid_mask: int
    trio_kind: Kind | None
    trio_mask: int


@cache
def worth_under(rules: Ruleset) -> Worth:
    """Return the parts under a ruleset, made once."""
    duos, collectors, multipliers = rules.duos, rules.collectors, rules.multipliers
    trio = [] if rules.trio_kind is None else [rules.trio_kind]
    joker = [] if rules.joker is None else [rules.joker]
    return Worth(
        duo_mask=mask_of([kind for row in duos for kind in row[:2]] + trio),
        duos=_duo_points(duos, rules.trio_kind),
        possible_duos=_duo_rows(duos),
        collector_mask=mask_of([row.kind for row in collectors] + joker),
        collectors=_collector_points(collectors, rules.joker),
        multiplier_mask=mask_of(row.kind for row in multipliers),
        counted_mask=mask_of(kind for row in multipliers for kind in row[:2]),
        multipliers=_multiplier_points(multipliers),
        mermaid_mask=MERMAIDS if rules.mermaids_score else 0,
        trio_kind=rules.trio_kind,
        trio_mask=mask_of(trio),
    )


@cache
def _duo_points(rows: tuple[Duo, ...], trio_kind: Kind | None) -> Remembered[int, int]:
    """Return what the duos that the cards of a hand can form are worth (rules 8.2, 11.4)."""

    def points(in_hand: int) -> int:
        duos = most_duos(rows, in_hand)
        thirds = 0 if trio_kind is None else count(in_hand, trio_kind)
        return duos + TRIO_BONUS * min(duos, thirds)

    return Remembered(points)


def most_duos(rows: tuple[Duo, ...], in_hand: int) -> int:
    """Return the largest number of duos that the cards of a hand can form.

    Every number of duos of the first row is tried, unless its kinds are in no other row: then as
    many as there are is best.
    """
    if not rows:
        return 0
    (first, second, _), others = rows[0], rows[1:]
    if first == second:
        possible = count(in_hand, first) // 2
    else:
        possible = min(count(in_hand, first), count(in_hand, second))
    one = unit_of(first) + unit_of(second)
    competing = any(kind in row for row in others for kind in (first, second))
    fewest = 0 if competing else possible
    return max(
        number + most_duos(others, in_hand - number * one) for number in range(fewest, possible + 1)
    )


@cache
def _duo_rows(rows: tuple[Duo, ...]) -> Remembered[int, tuple[Duo, ...]]:
    """Return the rows of duos that the cards of a hand can form."""

    def possible(in_hand: int) -> tuple[Duo, ...]:
        return tuple(
            row
            for row in rows
            if count(in_hand, row.first) and count(in_hand, row.second) > (row.first == row.second)
        )

    return Remembered(possible)


@cache
def _collector_points(rows: tuple[Collector, ...], joker: Kind | None) -> Remembered[int, int]:
    """Return the points of the sets; a joker adds a card to the best set begun (rules 8.3, 11.5)."""

    def points(held: int) -> int:
        numbers = [(row.points, count(held, row.kind)) for row in rows]
        total = sum(table[number] for table, number in numbers)
        if joker is not None and count(held, joker):
            total += max(
                (
                    table[number + 1] - table[number]
                    for table, number in numbers
                    if 0 < number < len(table) - 1
                ),
                default=0,
            )
        return total

    return Remembered(points)


@cache
def _multiplier_points(rows: tuple[Multiplier, ...]) -> Remembered[int, int]:
    """Return the points of the cards that count other cards (rules 8.4)."""

    def points(held: int) -> int:
        return sum(each * count(held, kind) * count(held, counted) for kind, counted, each in rows)

    return Remembered(points)
