"""What seats know of each other's hands (rules 9.1). `zones` calls it when cards move.

`state.shown` has by seat the cards of its hand that everybody knows. `state.seen` has for each
observer and holder, at `observer * seats + holder`, those that the observer knows beyond them. A
known card is in the hand for certain: where one may have gone, it is forgotten.
"""

from collections.abc import Iterable

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
    return tuple(sorted(shown)) if len(shown) > 1 else shown


def note(state: State, observer: int, holder: int, card: Card) -> None:
    """Let one seat know that a card went into another's hand."""
    state.seen[observer * state.seats + holder] += (card,)


def look(state: State, observer: int, holder: int) -> None:
    """Let one seat know the whole hand of another."""
    unseen = without(state.hands[holder], state.shown[holder])
    state.seen[observer * state.seats + holder] = unseen


def forget_played(state: State, holder: int, cards: tuple[Card, ...]) -> None:
    """Take cards off what is known of a hand: everybody saw them leave."""
    shown = state.shown[holder]
    for card in cards:
        if card in shown:
            at = shown.index(card)
            shown = shown[:at] + shown[at + 1 :]
        elif any(state.seen):
            _forget_seen(state, holder, card)
    state.shown[holder] = shown


def _forget_seen(state: State, holder: int, card: Card) -> None:
    """Take a card off what single seats know of a hand."""
    for place in range(holder, len(state.seen), state.seats):
        state.seen[place] = without(state.seen[place], [card])


def forget_passed(state: State, holder: int, card: Card, other: int) -> None:
    """Take off what is known of a hand a card that went to or from it in secret.

    The other seat knows which one it was; for everybody else it may have been any.
    """
    place = other * state.seats + holder
    left = without(state.shown[holder] + state.seen[place], [card])
    state.shown[holder] = ()
    for each in range(holder, len(state.seen), state.seats):
        state.seen[each] = ()
    state.seen[place] = left


def forget_hidden(state: State, holder: int, kind: Kind) -> None:
    """Forget the cards of one kind in a hand: one of them left it, and nobody saw which."""

    def kept(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(card for card in cards if KIND_OF[card] != kind)

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
