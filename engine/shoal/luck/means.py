"""Means over all that the deck could have brought, exact for any value of each card.

Whoever sees all hands and piles knows which cards are left, and nothing of their order: each set of so
many of them is as likely as any other. `counts` has by card how many are left, `left` how many in all.
A mean is a sum over cards, each with its weight: how often it is the one that counts. All of it may be by
kind instead, where cards of a kind are worth the same.
"""

from collections.abc import Sequence
from math import comb
from typing import TypeAlias

from shoal.engine.cards import Card

Numbers: TypeAlias = Sequence[float]
"""Of each card by its face id, what it is worth, or how much it is wanted."""

Weights: TypeAlias = list[tuple[Card, float]]
"""How likely it is for cards to be the one that counts; all of them add up to 1."""


def mean(weights: Weights, worth: Numbers) -> float:
    """Return the mean worth."""
    return sum([weight * worth[card] for card, weight in weights])


def of_hand(cards: Sequence[Card]) -> Weights:
    """Return the weights of one card of a hand."""
    part = 1 / len(cards)
    return [(card, part) for card in cards]


def of_one(counts: Sequence[int], left: int) -> Weights:
    """Return the weights of one card."""
    return [(card, count / left) for card, count in enumerate(counts) if count]


def of_two(counts: Sequence[int], left: int, wanted: Numbers) -> tuple[Weights, Weights]:
    """Return the weights of the better of two cards, and those of the other one.

    The better is the one that is `wanted` more; of those wanted as much, the higher face id.
    """
    better: Weights = []
    other: Weights = []
    pairs = left * (left - 1) / 2
    below = 0
    for card in _by_wish(counts, wanted):
        count = counts[card]
        same = (count - 1) / 2
        better.append((card, count * (below + same) / pairs))
        below += count
        other.append((card, count * (left - below + same) / pairs))
    return better, other


def of_best(counts: Sequence[int], left: int, shown: int, wanted: Numbers) -> Weights:
    """Return the weights of the best of so many cards that are shown."""
    weights: Weights = []
    total = comb(left, shown)
    below = before = 0
    for card in _by_wish(counts, wanted):
        below += counts[card]
        sets = comb(below, shown)
        weights.append((card, (sets - before) / total))
        before = sets
    return weights


def _by_wish(counts: Sequence[int], wanted: Numbers) -> list[Card]:
    """Return what is left, the most wanted last; sorting is stable, so of equal ones the highest."""
    return sorted([card for card, count in enumerate(counts) if count], key=wanted.__getitem__)
