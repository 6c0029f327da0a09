"""Where cards lie. The only module that moves cards into and out of hands and tables.

It keeps the counts of the state in step with the cards, and what seats know of each other's hands.
"""

from bisect import bisect_left, insort
from itertools import chain

from shoal.engine.cards import FACES_OF, KIND_OF, Card, Kind
from shoal.engine.counts import UNIT, counts_of
from shoal.engine.memory import (
    clear_memory,
    forget_hidden,
    forget_passed,
    forget_played,
    note,
)
from shoal.engine.model import State
from shoal.engine.piles import NOBODY_FORGOT

_FACES_OF = tuple((faces.start, faces.stop) for faces in FACES_OF)


def gain(state: State, seat: int, card: Card) -> None:
    """Put a card into a seat's hand."""
    insort(state.hands[seat], card)
    state.in_hand[seat] += UNIT[card]


def gain_shown(state: State, seat: int, card: Card) -> None:
    """Put a card that everybody sees into a seat's hand."""
    insort(state.hands[seat], card)
    state.in_hand[seat] += UNIT[card]
    state.shown[seat] += (card,)


def hand_over(state: State, giver: int, taker: int, card: Card) -> None:
    """Move a card from one hand to another; the two seats alone know which."""
    _lose(state, giver, card)
    forget_passed(state, giver, card, taker)
    gain(state, taker, card)
    note(state, giver, taker, card)


def place(state: State, seat: int, group: tuple[Card, ...]) -> None:
    """Lay cards of a seat's hand on its table, as one group."""
    forget_played(state, seat, group)
    for card in group:
        _lose(state, seat, card)
        state.on_table[seat] += UNIT[card]
    state.tables[seat].append(group)


def hide(state: State, seat: int, card: Card) -> None:
    """Lay a card of a seat's hand face down, where it counts for nothing."""
    _lose(state, seat, card)
    forget_hidden(state, seat, Kind(KIND_OF[card]))
    state.shields[seat] = card


def pass_group(state: State, giver: int, position: int, taker: int) -> tuple[Card, ...]:
    """Move the group at this position from one table to another, and return it."""
    group = state.tables[giver].pop(position)
    counts = counts_of(group)
    state.on_table[giver] -= counts
    state.on_table[taker] += counts
    state.tables[taker].append(group)
    return group


def _lose(state: State, seat: int, card: Card) -> None:
    """Take a card out of a seat's hand."""
    state.hands[seat].remove(card)
    state.in_hand[seat] -= UNIT[card]


def cards_in_hand(state: State, seat: int, kind: Kind) -> tuple[Card, ...]:
    """Return the cards of one kind in a hand, ascending: neighbors, since the hand is sorted."""
    hand = state.hands[seat]
    first, end = _FACES_OF[kind]
    return tuple(hand[bisect_left(hand, first) : bisect_left(hand, end)])


def clear(state: State) -> None:
    """Take all cards off hands, tables and piles, and forget who held them."""
    seats = state.seats
    clear_memory(state)
    state.shields = [None] * seats
    state.piles = [[], []]
    state.buried = NOBODY_FORGOT
    state.hands = [[] for _ in range(seats)]
    state.tables = [[] for _ in range(seats)]
    state.in_hand = [0] * seats
    state.on_table = [0] * seats


def recount(state: State) -> None:
    """Derive the kept counts from the cards."""
    state.in_hand = [counts_of(hand) for hand in state.hands]
    state.on_table = [counts_of(chain(*table)) for table in state.tables]
