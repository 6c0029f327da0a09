"""Counts of cards, by kind and by color, packed into one int: some bits for each.

Adding a card is adding its unit, and the counts of two heaps together are their sum. The counts of
a few kinds, cut out with a mask, are a small key to remember results by. No kind has more than 15
cards, so that four bits do; counts by color follow, as bytes.
"""

from collections.abc import Iterable

from shoal.engine.cards import FACES, Card, Color, Kind
from shoal.engine.remembered import Remembered

_KIND_BITS = 4
_MASK = (1 << _KIND_BITS) - 1

_COLOR_BITS = 8
_COLOR_BIT = len(Kind) * _KIND_BITS
_HALF_COLORS = (len(Color) + 1) // 2
_HALF_BITS = _HALF_COLORS * _COLOR_BITS
_HALF = (1 << _HALF_BITS) - 1

_MERMAID_BIT = _KIND_BITS * Kind.MERMAID

UNIT: tuple[int, ...] = tuple(
    (1 << _KIND_BITS * face.kind) + (1 << _COLOR_BIT + _COLOR_BITS * face.color) for face in FACES
)
"""What a card adds to the counts, by face id."""


def count(counts: int, kind: int) -> int:
    """Return how many cards of this kind are counted."""
    return counts >> _KIND_BITS * kind & _MASK


def count_mermaids(counts: int) -> int:
    """Return how many mermaids are counted."""
    return counts >> _MERMAID_BIT & _MASK


def unit_of(kind: int) -> int:
    """Return the counts of one card of this kind, without its color."""
    return 1 << _KIND_BITS * kind


def mermaid_count(number: int) -> int:
    """Return the counts of so many mermaids and nothing else."""
    return number << _MERMAID_BIT


def counts_of(cards: Iterable[Card]) -> int:
    """Return the counts of these cards."""
    return sum(UNIT[card] for card in cards)


def largest_groups(counts: int, number: int) -> int:
    """Return how many cards the so many largest groups of one color have together."""
    first = _GROUPS[counts >> _COLOR_BIT & _HALF]
    second = _GROUPS[counts >> _COLOR_BIT + _HALF_BITS]
    if number == 1:
        return max(second[0], first[0])
    return sum(sorted(first + second, reverse=True)[:number])


def _groups(half: int) -> tuple[int, ...]:
    """Return the sizes of one half of the groups, descending."""
    return tuple(sorted(half.to_bytes(_HALF_COLORS, "little"), reverse=True))


# All groups at once would be too many different keys to remember.
_GROUPS = Remembered(_groups)


def mask_of(kinds: Iterable[Kind]) -> int:
    """Return the mask that keeps the counts of these kinds and clears the others."""
    return sum(_MASK << _KIND_BITS * kind for kind in set(kinds))


MERMAIDS = mask_of([Kind.MERMAID])
"""The mask that keeps the count of the mermaids."""
