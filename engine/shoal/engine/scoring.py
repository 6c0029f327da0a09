"""What a hand and a table are worth (rules 8): from loose cards, or from a state's kept counts."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from shoal.engine.cards import Card
from shoal.engine.counts import MERMAIDS, count, count_mermaids, counts_of, largest_groups
from shoal.engine.event_cards import EventCard
from shoal.engine.model import State
from shoal.engine.ruleset import BASE, Ruleset
from shoal.engine.terms import terms_under
from shoal.engine.worth import TRIO_BONUS, Worth


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
    hand: Sequence[Card],
    table: Sequence[Sequence[Card]] = (),
    ruleset: Ruleset = BASE,
    event_cards: Iterable[EventCard] = (),
) -> Score:
    """Score a hand and the groups on a table, for a seat for which these event cards count.

    A shell that lies face down is worth nothing, and is not among them (rules 12.2).
    """
    worth = terms_under(ruleset, frozenset(event_cards)).worth
    in_hand = counts_of(hand)
    on_table = counts_of(chain.from_iterable(table))
    held = in_hand + on_table
    scoring_mermaids = held & worth.mermaid_mask
    mermaids = largest_groups(held, count_mermaids(scoring_mermaids)) if scoring_mermaids else 0
    duos = len(table) + worth.duos[in_hand & worth.duo_mask] + _laid_trios(worth, on_table)
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
    on_table = state.on_table[seat]
    held = in_hand + on_table
    points = (
        len(state.tables[seat])
        + worth.duos[in_hand & worth.duo_mask]
        + worth.collectors[held & worth.collector_mask]
    )
    if held & worth.multiplier_mask:
        points += worth.multipliers[held & worth.counted_mask]
    if held & worth.mermaid_mask:
        points += largest_groups(held, count_mermaids(held))
    if worth.trio_mask and on_table & worth.trio_mask:
        points += _laid_trios(worth, on_table)
    return points


def color_bonus_of(state: State, seat: int) -> int:
    """Return the number of a seat's cards in its most frequent color."""
    return largest_groups(state.in_hand[seat] + state.on_table[seat], 1)


def has_winning_mermaids(state: State, seat: int) -> bool:
    """Tell whether a seat that may show its mermaids now wins by them (rules 6)."""
    return (
        state.in_hand[seat] & MERMAIDS >= state.terms[seat].winning_mermaids
        and seat not in state.left
    )


def _laid_trios(worth: Worth, on_table: int) -> int:
    """Return what the third cards of laid trios add (rules 11.4)."""
    return 0 if worth.trio_kind is None else TRIO_BONUS * count(on_table, worth.trio_kind)
