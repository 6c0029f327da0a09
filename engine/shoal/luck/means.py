"""Means over all that the deck could have brought, exact for any value of each card.

Whoever sees all hands and piles knows which cards are left, and nothing of their order: each set of so
many of them is as likely as any other. `counts` has by card how many are left, `left` how many in all.
A mean is a sum over cards, each with its weight: how often it is the one that counts. All of it may be by
kind instead, where cards of a kind are worth the same.
"""

from collections.abc import Sequence
from itertools import accumulate, compress
from math import comb
from operator import mul
from typing import NamedTuple, TypeAlias, final

from shoal.engine.cards import Card

Numbers: TypeAlias = Sequence[float]
"""Of each card by its face id, what it is worth, or how much it is wanted."""


@final
class Weights(NamedTuple):
    """How likely it is for each of these cards to be the one that counts; the parts add up to 1."""

    cards: Sequence[Card]
    parts: Sequence[float]


def mean(weights: Weights, worth: Numbers) -> float:
    """Return the mean worth."""
    total: float = sum(map(mul, weights.parts, map(worth.__getitem__, weights.cards)))
    return total


def of_hand(cards: Sequence[Card]) -> Weights:
    """Return the weights of one card of a hand."""
    return Weights(cards, [1 / len(cards)] * len(cards))


def of_one(counts: Sequence[int], left: int) -> Weights:
    """Return the weights of one card."""
    cards = _cards(counts)
    return Weights(cards, [counts[card] / left for card in cards])


def of_two(counts: Sequence[int], left: int, wanted: Numbers) -> tuple[Weights, Weights]:
    """Return the weights of the better of two cards, and those of the other one.

    The better is the one that is `wanted` more; of those wanted as much, the higher face id.
    """
    pairs = left * (left - 1) / 2
    cards = _by_wish(counts, wanted)
    of_each = list(map(counts.__getitem__, cards))
    wanted_less = [0, *accumulate(of_each)]
    both = list(zip(of_each, wanted_less, strict=False))
    # Of each card there are `number`, with so many `below` them, and others of its own kind beside it.
    better = [number * (below + (number - 1) / 2) / pairs for number, below in both]
    other = [number * (left - below - number + (number - 1) / 2) / pairs for number, below in both]
    return Weights(cards, better), Weights(cards, other)


def of_best(counts: Sequence[int], left: int, shown: int, wanted: Numbers) -> Weights:
    """Return the weights of the best of so many cards that are shown."""
    cards = _by_wish(counts, wanted)
    total = comb(left, shown)
    sets = [comb(below, shown) for below in accumulate(map(counts.__getitem__, cards))]
    parts = [(now - before) / total for before, now in zip([0, *sets], sets, strict=False)]
    return Weights(cards, parts)


def _by_wish(counts: Sequence[int], wanted: Numbers) -> list[Card]:
    """Return what is left, the most wanted last; sorting is stable, so of equal ones the highest."""
    return sorted(_cards(counts), key=wanted.__getitem__)


def _cards(counts: Sequence[int]) -> list[Card]:
    """Return what is left."""
    return list(compress(range(len(counts)), counts))
