"""What a hand and a table are worth (rules 8): from loose cards, or from a state's kept counts."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from shoal.engine.cards import Card
from shoal.engine.counts import MERMAIDS, count_mermaids, counts_of, largest_groups
from shoal.engine.model import State
from shoal.engine.ruleset import BASE, Ruleset
from shoal.engine.worth import mermaid_points, worth_under


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
    in_hand = counts_of(hand)
    held = in_hand + counts_of(chain.from_iterable(table))
    mermaids = mermaid_points(held)
    duos = len(table) + worth.duos[in_hand & worth.duo_mask]
    collectors = worth.collectors[held & worth.collector_mask]
    multipliers = worth.multipliers[held & worth.counted_mask]
    return Score(
        points=mermaids + duos + collectors + multipliers,
        color_bonus=largest_groups(held, 1),
        mermaids=mermaids,
        duos=duos,
        collectors=collectors,
        multipliers=multipliers,
    )


def points_of(state: State, seat: int) -> int:
    """Return a seat's card points, from the kept counts."""
    worth = state.terms[seat].worth
    in_hand = state.in_hand[seat]
    held = in_hand + state.on_table[seat]
    points = (
        len(state.tables[seat])
        + worth.duos[in_hand & worth.duo_mask]
        + worth.collectors[held & worth.collector_mask]
    )
    if held & worth.multiplier_mask:
        points += worth.multipliers[held & worth.counted_mask]
    if held & MERMAIDS:
        points += largest_groups(held, count_mermaids(held))
    return points


def color_bonus_of(state: State, seat: int) -> int:
    """Return the number of a seat's cards in its most frequent color."""
    return largest_groups(state.in_hand[seat] + state.on_table[seat], 1)
