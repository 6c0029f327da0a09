"""What seats know of the discard piles from what they saw (rules 9.1).

A pile is known from its top down, and what lies at its bottom may be forgotten: `state.buried` has
at `observer * 2 + pile` how many of the lowest cards the observer does not know. The observer after
the seats is everybody. It is empty while everybody knows all, as in a round without crabs.
"""

from shoal.engine.cards import Card
from shoal.engine.model import State
from shoal.engine.moves import PILES

NOBODY_FORGOT: tuple[int, ...] = ()
"""Everybody knows both piles."""


def known_pile(state: State, observer: int | None, pile: int) -> tuple[Card, ...]:
    """Return the top cards of a pile that a seat, or a spectator, knows, the top last."""
    cards = state.piles[pile]
    if not state.buried:
        return tuple(cards)
    row = state.seats if observer is None else observer
    return tuple(cards[state.buried[row * len(PILES) + pile] :])


def forget_all_but_tops(state: State) -> None:
    """Let everybody know no more than the tops of both piles."""
    below = [_below_top(state, pile) for pile in PILES]
    _set_buried(state, below * (state.seats + 1))


def uncover_top(state: State, pile: int) -> None:
    """Let everybody see the card under one that was taken off a pile; who knew it learns nothing.

    Nothing is to be done while `state.buried` is empty.
    """
    below = _below_top(state, pile)
    buried = list(state.buried)
    if buried[pile - len(PILES)] <= below:  # nobody knows less than everybody
        return
    for place in range(pile, len(buried), len(PILES)):
        buried[place] = min(buried[place], below)
    _set_buried(state, buried)


def look_through(state: State, seat: int, pile: int) -> None:
    """Let a seat know the whole of a pile."""
    if state.buried:
        buried = list(state.buried)
        buried[seat * len(PILES) + pile] = 0
        _set_buried(state, buried)


def pick_unseen(state: State, seat: int, pile: int, top: Card) -> None:
    """Note that a seat, which sees it all, took some card out of a pile that had this top.

    Another top says that it was the old one; else it may have been any, and the top alone is known.
    """
    below = _below_top(state, pile)
    cards = state.piles[pile]
    if cards and cards[-1] == top:
        buried = list(state.buried) or [0] * (len(PILES) * (state.seats + 1))
        for place in range(pile, len(buried), len(PILES)):
            buried[place] = below
        buried[seat * len(PILES) + pile] = 0
        _set_buried(state, buried)
    elif state.buried:
        uncover_top(state, pile)


def _below_top(state: State, pile: int) -> int:
    """Return how many cards lie under the top of a pile."""
    return max(len(state.piles[pile]) - 1, 0)


def _set_buried(state: State, buried: list[int]) -> None:
    """Set what observers do not know, in its only form: empty when that is nothing."""
    state.buried = tuple(buried) if any(buried) else NOBODY_FORGOT
