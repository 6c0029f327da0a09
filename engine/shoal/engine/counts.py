"""How many cards of each kind there are, packed into one int: four bits for each kind.

Adding a card is adding its unit, and the counts of a few kinds, cut out with a mask, are a small
key to remember results by. No kind has more than fifteen cards.
"""

from collections.abc import Iterable

from shoal.engine.cards import KIND_OF, Card, Kind

_BITS = 4
_MASK = (1 << _BITS) - 1

UNIT: tuple[int, ...] = tuple(1 << _BITS * kind for kind in KIND_OF)
"""What a card adds to the counts, by face id."""


def count(counts: int, kind: int) -> int:
    """Return how many cards of this kind are counted."""
    return counts >> _BITS * kind & _MASK


def count_kinds(cards: Iterable[Card]) -> int:
    """Return the counts of these cards."""
    return sum(UNIT[card] for card in cards)


def mask_of(kinds: Iterable[Kind]) -> int:
    """Return the mask that keeps the counts of these kinds and clears the others."""
    return sum(_MASK << _BITS * kind for kind in set(kinds))
