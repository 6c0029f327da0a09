"""What a hand and a table are worth (rules 8): from loose cards, or from a state's kept counts."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from shoal.engine.cards import Card, Kind
from shoal.engine.counts import color_groups, count, count_colors, count_kinds, mask_of
from shoal.engine.model import State
from shoal.engine.ruleset import BASE, Ruleset
from shoal.engine.worth import mermaid_points, worth_under

_MERMAID = int(Kind.MERMAID)

MERMAIDS = mask_of([Kind.MERMAID])
"""The mermaids, as a mask of counts."""


class Score(NamedTuple):
    """The worth of one seat's cards: `points` is the sum of the four parts after `color_bonus`.

    `color_bonus` is the number of cards in the most frequent color; it counts only in the
    settlement of LAST CHANCE (rules 5.2).
    """

    points: int
    color_bonus: int
    mermaids: int
    duos: int
    collectors: int
    multipliers: int


def score(
    hand: Sequence[Card], table: Sequence[Sequence[Card]] = (), ruleset: Ruleset = BASE
) -> Score:
    """Score a hand and the groups on a table."""
    worth = worth_under(ruleset)
    cards = [*hand, *chain.from_iterable(table)]
    held = count_kinds(cards)
    colors = count_colors(cards)
    mermaids = mermaid_points(count(held, _MERMAID), colors)
    duos = len(table) + worth.duos[count_kinds(hand) & ruleset.duo_mask]
    collectors = worth.collectors[held & ruleset.collector_mask]
    multipliers = worth.multipliers[held & ruleset.counted_mask]
    return Score(
        points=mermaids + duos + collectors + multipliers,
        color_bonus=max(color_groups(colors)),
        mermaids=mermaids,
        duos=duos,
        collectors=collectors,
        multipliers=multipliers,
    )


def points_of(state: State, seat: int) -> int:
    """Return a seat's card points, from the kept counts."""
    rules = state.rules
    worth = state.worth
    held = state.held[seat]
    points = (
        len(state.tables[seat])
        + worth.duos[state.in_hand[seat] & rules.duo_mask]
        + worth.collectors[held & rules.collector_mask]
    )
    if held & rules.multiplier_mask:
        points += worth.multipliers[held & rules.counted_mask]
    if held & MERMAIDS:
        points += mermaid_points(count(held, _MERMAID), state.colors[seat])
    return points


def color_bonus_of(state: State, seat: int) -> int:
    """Return the number of a seat's cards in its most frequent color."""
    return max(color_groups(state.colors[seat]))
