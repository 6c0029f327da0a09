"""Event cards on their way: revealed for a round, awarded after it, kept or discarded (rules 12.1)."""

from shoal.engine.chance import Purpose
from shoal.engine.event_cards import OWNER, EventCard, Owner
from shoal.engine.events import Event, EventAwarded, EventDiscarded
from shoal.engine.luck import shuffle
from shoal.engine.model import State
from shoal.engine.terms import terms_under


def shuffle_event_cards(state: State) -> None:
    """Shuffle the ruleset's event cards, before the first round."""
    state.event_card = None
    state.event_discards = ()
    state.event_cards = ((),) * state.seats
    state.event_deck = ()
    if state.rules.event_cards:
        state.event_deck = _shuffled(state, state.rules.event_cards)
    set_terms(state)


def reveal_event_card(state: State) -> None:
    """Turn up the event card of the round; used ones are shuffled when there is no other."""
    if not state.event_deck:
        state.event_deck = _shuffled(state, state.event_discards)
        state.event_discards = ()
    card = state.event_deck[-1]
    state.event_deck = state.event_deck[:-1]
    state.event_card = card
    set_terms(state)


def award_event_card(state: State, events: list[Event]) -> int | None:
    """Take cards from seats that own them no longer by right, and award the round's card.

    Return the seat that owns two now, and must choose.
    """
    for seat, cards in enumerate(state.event_cards):
        for card in cards:
            if _owner_by_right(state, card) != seat:
                discard_event_card(state, seat, card, events)
    awarded = state.event_card
    assert awarded is not None
    owner = _owner_by_right(state, awarded)
    state.event_card = None
    events.append(EventAwarded(awarded, owner))
    if owner is None:
        state.event_discards += (awarded,)
    else:
        _set_owned(state, owner, (*state.event_cards[owner], awarded))
    set_terms(state)
    return owner if owner is not None and len(state.event_cards[owner]) > 1 else None


def discard_event_card(state: State, seat: int, card: EventCard, events: list[Event]) -> None:
    """Take an event card from a seat."""
    _set_owned(state, seat, tuple(kept for kept in state.event_cards[seat] if kept is not card))
    state.event_discards += (card,)
    events.append(EventDiscarded(seat, card))
    set_terms(state)


def set_terms(state: State) -> None:
    """Derive what applies to each seat from the round's event card and its own."""
    of_the_round = () if state.event_card is None else (state.event_card,)
    state.terms = tuple(
        terms_under(state.rules, frozenset(of_the_round + owned)) for owned in state.event_cards
    )


def _owner_by_right(state: State, card: EventCard) -> int | None:
    """Return the seat that alone has the highest or lowest total, as the card says."""
    wanted = max(state.totals) if OWNER[card] is Owner.HIGHEST else min(state.totals)
    return state.totals.index(wanted) if state.totals.count(wanted) == 1 else None


def _set_owned(state: State, seat: int, cards: tuple[EventCard, ...]) -> None:
    """Let a seat own these event cards."""
    owned = list(state.event_cards)
    owned[seat] = cards
    state.event_cards = tuple(owned)


def _shuffled(state: State, cards: tuple[EventCard, ...]) -> tuple[EventCard, ...]:
    """Return the event cards in a random order, shuffled from ascending numbers."""
    numbers = sorted(int(card) for card in cards)
    shuffle(state, Purpose.EVENTS, numbers)
    return tuple(EventCard(number) for number in numbers)
