"""Counts of cards, by kind and by color, packed into one int: some bits for each.

Adding a card is adding its unit. The counts of a few kinds, cut out with a mask, are a small key to
remember results by. No kind has more than 15 cards, so that four bits do; counts by color are read
as bytes.
"""

from collections.abc import Iterable

from shoal.engine.cards import COLOR_OF, KIND_OF, Card, Color, Kind

_KIND_BITS = 4
_COLOR_BITS = 8
_MASK = (1 << _KIND_BITS) - 1

KIND_UNIT: tuple[int, ...] = tuple(1 << _KIND_BITS * kind for kind in KIND_OF)
"""What a card adds to the counts by kind, by face id."""

COLOR_UNIT: tuple[int, ...] = tuple(1 << _COLOR_BITS * color for color in COLOR_OF)
"""What a card adds to the counts by color, by face id."""


def count(counts: int, kind: int) -> int:
    """Return how many cards of this kind are counted."""
    return counts >> _KIND_BITS * kind & _MASK


def count_kinds(cards: Iterable[Card]) -> int:
    """Return the counts of these cards by kind."""
    return sum(KIND_UNIT[card] for card in cards)


def count_colors(cards: Iterable[Card]) -> int:
    """Return the counts of these cards by color."""
    return sum(COLOR_UNIT[card] for card in cards)


def color_groups(colors: int) -> bytes:
    """Return how many cards there are of each color."""
    return colors.to_bytes(len(Color), "little")


def mask_of(kinds: Iterable[Kind]) -> int:
    """Return the mask that keeps the counts of these kinds and clears the others."""
    return sum(_MASK << _KIND_BITS * kind for kind in set(kinds))
