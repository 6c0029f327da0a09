"""Where cards lie. The only module that moves cards into and out of hands and tables.

It keeps the counts of the state in step with the cards.
"""

from bisect import bisect_left, insort
from itertools import chain

from shoal.engine.cards import FACES_OF, Card, Kind
from shoal.engine.counts import UNIT, counts_of
from shoal.engine.model import State

_FACES_OF = tuple((faces.start, faces.stop) for faces in FACES_OF)


def gain(state: State, seat: int, card: Card) -> None:
    """Put a card into a seat's hand."""
    insort(state.hands[seat], card)
    state.in_hand[seat] += UNIT[card]


def lose(state: State, seat: int, card: Card) -> None:
    """Take a card out of a seat's hand."""
    state.hands[seat].remove(card)
    state.in_hand[seat] -= UNIT[card]


def place(state: State, seat: int, group: tuple[Card, ...]) -> None:
    """Lay cards of a seat's hand on its table, as one group."""
    for card in group:
        lose(state, seat, card)
        state.on_table[seat] += UNIT[card]
    state.tables[seat].append(group)


def cards_in_hand(state: State, seat: int, kind: Kind) -> tuple[Card, ...]:
    """Return the cards of one kind in a hand, ascending: neighbors, since the hand is sorted."""
    hand = state.hands[seat]
    first, end = _FACES_OF[kind]
    return tuple(hand[bisect_left(hand, first) : bisect_left(hand, end)])


def clear(state: State) -> None:
    """Take all cards off hands, tables and piles."""
    seats = state.seats
    state.piles = [[], []]
    state.hands = [[] for _ in range(seats)]
    state.tables = [[] for _ in range(seats)]
    state.in_hand = [0] * seats
    state.on_table = [0] * seats


def recount(state: State) -> None:
    """Derive the kept counts from the cards."""
    state.in_hand = [counts_of(hand) for hand in state.hands]
    state.on_table = [counts_of(chain(*table)) for table in state.tables]
