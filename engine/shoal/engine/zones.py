"""Where cards lie. The only module that moves cards into and out of hands and tables.

It keeps the counts of the state in step with the cards.
"""

from bisect import bisect_left, insort
from itertools import chain

from shoal.engine.cards import FACES_OF, Card, Kind
from shoal.engine.counts import COLOR_UNIT, KIND_UNIT, count_colors, count_kinds
from shoal.engine.model import State


def gain(state: State, seat: int, card: Card) -> None:
    """Put a card into a seat's hand."""
    insort(state.hands[seat], card)
    unit = KIND_UNIT[card]
    state.in_hand[seat] += unit
    state.held[seat] += unit
    state.colors[seat] += COLOR_UNIT[card]


def lose(state: State, seat: int, card: Card) -> None:
    """Take a card out of a seat's hand."""
    state.hands[seat].remove(card)
    unit = KIND_UNIT[card]
    state.in_hand[seat] -= unit
    state.held[seat] -= unit
    state.colors[seat] -= COLOR_UNIT[card]


def place(state: State, seat: int, group: tuple[Card, ...]) -> None:
    """Lay cards of a seat's hand on its table, as one group."""
    hand = state.hands[seat]
    for card in group:
        hand.remove(card)
        state.in_hand[seat] -= KIND_UNIT[card]
    state.tables[seat].append(group)


def cards_in_hand(state: State, seat: int, kind: Kind) -> tuple[Card, ...]:
    """Return the cards of one kind in a hand, ascending: neighbors, since the hand is sorted."""
    hand = state.hands[seat]
    faces = FACES_OF[kind]
    return tuple(hand[bisect_left(hand, faces.start) : bisect_left(hand, faces.stop)])


def clear(state: State) -> None:
    """Take all cards off hands, tables and piles."""
    seats = state.seats
    state.piles = [[], []]
    state.hands = [[] for _ in range(seats)]
    state.tables = [[] for _ in range(seats)]
    state.in_hand = [0] * seats
    state.held = [0] * seats
    state.colors = [0] * seats


def recount(state: State) -> None:
    """Derive the kept counts from the cards."""
    state.in_hand = [count_kinds(hand) for hand in state.hands]
    all_cards = [
        list(chain(hand, *table)) for hand, table in zip(state.hands, state.tables, strict=True)
    ]
    state.held = [count_kinds(cards) for cards in all_cards]
    state.colors = [count_colors(cards) for cards in all_cards]
