"""What cards are worth (rules 8). Pure: the same parts score a state's seat and a loose hand."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from shoal.engine.cards import COLOR_OF, Card, Kind
from shoal.engine.counts import count, count_kinds
from shoal.engine.model import State
from shoal.engine.ruleset import BASE, Ruleset

_MERMAID = int(Kind.MERMAID)


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
    cards = [*hand, *chain.from_iterable(table)]
    held = count_kinds(cards)
    mermaids = _mermaids(count(held, _MERMAID), cards)
    duos = len(table) + duos_in(ruleset, count_kinds(hand) & ruleset.duo_mask)
    collectors = _collectors(ruleset, held & ruleset.collector_mask)
    multipliers = _multipliers(ruleset, held & ruleset.counted_mask)
    return Score(
        points=mermaids + duos + collectors + multipliers,
        color_bonus=max(_color_groups(cards), default=0),
        mermaids=mermaids,
        duos=duos,
        collectors=collectors,
        multipliers=multipliers,
    )


def points_of(state: State, seat: int) -> int:
    """Return a seat's card points, from the kept counts."""
    return _points_but_mermaids(state, seat) + _points_of_mermaids(state, seat)


def has_points(state: State, seat: int, needed: int) -> bool:
    """Tell whether a seat's card points reach a number; colors are counted only if they decide."""
    points = _points_but_mermaids(state, seat)
    return points >= needed or points + _points_of_mermaids(state, seat) >= needed


def _points_but_mermaids(state: State, seat: int) -> int:
    """Return the sum of the parts that follow from the kept counts."""
    rules = state.rules
    held = state.held[seat]
    points = (
        len(state.tables[seat])
        + duos_in(rules, state.in_hand[seat] & rules.duo_mask)
        + _collectors(rules, held & rules.collector_mask)
    )
    if held & rules.multiplier_mask:
        points += _multipliers(rules, held & rules.counted_mask)
    return points


def _points_of_mermaids(state: State, seat: int) -> int:
    """Return the part that needs the colors of the cards."""
    mermaids = count(state.held[seat], _MERMAID)
    return _mermaids(mermaids, cards_of(state, seat)) if mermaids else 0


def color_bonus_of(state: State, seat: int) -> int:
    """Return the number of a seat's cards in its most frequent color."""
    return max(_color_groups(cards_of(state, seat)), default=0)


def cards_of(state: State, seat: int) -> list[Card]:
    """Return all cards of a seat, in hand and on the table."""
    return [*state.hands[seat], *chain.from_iterable(state.tables[seat])]


@lru_cache(maxsize=1 << 15)
def duos_in(rules: Ruleset, in_hand: int) -> int:
    """Return the largest number of duos that the cards of a hand can form (rules 8.2)."""
    duos = 0
    for first, second, _ in rules.duos:
        if first == second:
            duos += count(in_hand, first) // 2
        else:
            duos += min(count(in_hand, first), count(in_hand, second))
    return duos


@lru_cache(maxsize=1 << 12)
def _collectors(rules: Ruleset, held: int) -> int:
    """Return the points of the sets (rules 8.3)."""
    return sum(points[count(held, kind)] for kind, points in rules.collectors)


@lru_cache(maxsize=1 << 15)
def _multipliers(rules: Ruleset, held: int) -> int:
    """Return the points of the cards that count other cards (rules 8.4)."""
    return sum(
        each * count(held, kind) * count(held, counted) for kind, counted, each in rules.multipliers
    )


def _mermaids(mermaids: int, cards: Iterable[Card]) -> int:
    """Return the sizes of as many of the largest color groups as there are mermaids (rules 8.1)."""
    return sum(_color_groups(cards)[:mermaids])


def _color_groups(cards: Iterable[Card]) -> list[int]:
    """Return how many cards there are of each color that occurs, the most first."""
    colors = [COLOR_OF[card] for card in cards]
    return sorted(map(colors.count, set(colors)), reverse=True)
