"""What seats know of each other's hands (rules 9.1): the only module that keeps it.

`state.shown` has by seat the cards of its hand that everybody knows. `state.seen` has for each
observer and holder, at `observer * seats + holder`, those that the observer knows beyond them. A
known card is in the hand for certain: where one may have gone, it is forgotten.
"""

from collections.abc import Callable, Iterable

from shoal.engine.cards import KIND_OF, Card, Kind
from shoal.engine.model import State


def clear_memory(state: State) -> None:
    """Forget everything: a new round is dealt."""
    state.shown = [()] * state.seats
    state.seen = [()] * (state.seats * state.seats)


def known_cards(state: State, observer: int | None, holder: int) -> tuple[Card, ...]:
    """Return the cards, ascending, that a seat, or a spectator, knows to be in another's hand."""
    shown = state.shown[holder]
    if observer is not None:
        shown += state.seen[observer * state.seats + holder]
    return tuple(sorted(shown))


def show(state: State, holder: int, card: Card) -> None:
    """Let everybody know that a card went into a hand."""
    state.shown[holder] += (card,)


def note(state: State, observer: int, holder: int, card: Card) -> None:
    """Let one seat know that a card went into another's hand."""
    state.seen[observer * state.seats + holder] += (card,)


def look(state: State, observer: int, holder: int) -> None:
    """Let one seat know the whole hand of another."""
    unseen = without(state.hands[holder], state.shown[holder])
    state.seen[observer * state.seats + holder] = unseen


def forget_played(state: State, holder: int, card: Card) -> None:
    """Take a card off what is known of a hand: everybody saw it leave."""
    if card in state.shown[holder]:
        state.shown[holder] = without(state.shown[holder], [card])
    else:
        for place in range(holder, len(state.seen), state.seats):
            if card in state.seen[place]:
                state.seen[place] = without(state.seen[place], [card])


def forget_passed(state: State, holder: int, card: Card, other: int) -> None:
    """Take off what is known of a hand a card that went to or from it in secret.

    The other seat knows which one it was; for everybody else it may have been any.
    """
    place = other * state.seats + holder
    left = without(state.shown[holder] + state.seen[place], [card])
    _forget(state, holder, lambda _: True)
    state.seen[place] = left


def forget_hidden(state: State, holder: int, kind: Kind) -> None:
    """Forget the cards of one kind in a hand: one of them left it, and nobody saw which."""
    _forget(state, holder, lambda card: KIND_OF[card] == kind)


def _forget(state: State, holder: int, is_doubtful: Callable[[Card], bool]) -> None:
    """Keep for nobody the cards of a hand that may have gone."""

    def kept(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(card for card in cards if not is_doubtful(card))

    state.shown[holder] = kept(state.shown[holder])
    for place in range(holder, len(state.seen), state.seats):
        state.seen[place] = kept(state.seen[place])


def without(cards: Iterable[Card], taken: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards less those taken, as far as they are among them."""
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return tuple(left)
