"""What every move does: one function for each class (rules 3, 4, 11, 12)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from shoal.engine.awards import discard_event_card
from shoal.engine.cards import KIND_OF, Card
from shoal.engine.chance import Purpose
from shoal.engine.drawing import DRAWINGS
from shoal.engine.effects import effect_of, show_pile
from shoal.engine.events import (
    TOOK_TOP,
    Called,
    CardDrawn,
    CardPicked,
    Caught,
    DrawCause,
    DuoPlayed,
    Event,
    Kept,
    Shielded,
    SwapDeclined,
    Swapped,
    TrioPlayed,
)
from shoal.engine.luck import shuffle
from shoal.engine.model import State
from shoal.engine.moves import (
    Catch,
    EndTurn,
    Keep,
    KeepEventCard,
    LastChance,
    Move,
    NoSwap,
    PickCard,
    PlayDuo,
    PlayTrio,
    Shield,
    Stop,
    Swap,
    TakeDeck,
    TakeEqualTop,
    TakePile,
)
from shoal.engine.piles import pick_unseen, uncover_top
from shoal.engine.results import RoundEnding
from shoal.engine.rounds import end_round, reveal, start_next_round, win_by_mermaids
from shoal.engine.scoring import has_winning_mermaids
from shoal.engine.turns import end_turn, finish_turn, start_turn
from shoal.engine.zones import gain, gain_shown, hand_over, hide, place


def _take_deck(state: State, _move: Move, events: list[Event]) -> None:
    """Draw two cards, or the only one (rules 3.1)."""
    pending, deck = state.pending, state.deck
    first = deck.pop()
    drawn: tuple[Card, ...]
    if deck:
        second = deck.pop()
        drawn = (first, second) if first <= second else (second, first)
    else:
        drawn = (first,)
    drawing = DRAWINGS[pending[-1].seat][drawn]
    pending[-1] = drawing.pending
    events.append(drawing.took)


def _take_pile(state: State, move: TakePile, events: list[Event]) -> None:
    """Take the top card of a pile (rules 3.1)."""
    seat = state.pending.pop().seat
    number = move.pile
    card = state.piles[number].pop()
    if state.buried:
        uncover_top(state, number)
    gain_shown(state, seat, card)
    events.append(TOOK_TOP[seat][number][card])


def _keep(state: State, move: Keep, events: list[Event]) -> None:
    """Keep one drawn card, and discard the other, which may draw one more (rules 3.2, 12.2)."""
    pending = state.pending.pop()
    seat = pending.seat
    card, pile, discarded = move.card, move.pile, None
    if pile is not None:
        first, second = pending.drawn
        discarded = second if card == first else first
        state.piles[pile].append(discarded)
    gain(state, seat, card)
    events.append(Kept(seat, card, discarded, pile))
    draws_after = state.terms[seat].draws_after
    if draws_after and state.deck and discarded is not None and KIND_OF[discarded] in draws_after:
        drawn = state.deck.pop()
        gain(state, seat, drawn)
        events.append(CardDrawn(seat, DrawCause.DOLPHINS, drawn))


def _play_duo(state: State, move: PlayDuo, events: list[Event]) -> None:
    """Place a duo and resolve its effect (rules 4)."""
    seat = state.active
    place(state, seat, (move.first, move.second))
    events.append(DuoPlayed(seat, move.first, move.second, move.target))
    effect = effect_of(state.terms[seat], move.first, move.second)
    events += effect.resolve(state, seat, move.target)


def _pick_card(state: State, move: PickCard, events: list[Event]) -> None:
    """Take a card out of the searched pile; the others keep their order (rules 4.1).

    Where a second pile is to be searched, it is shown now (rules 12.2, hermit crab).
    """
    pending = state.pending.pop()
    seat, number = pending.seat, pending.pile
    assert number is not None
    pile = state.piles[number]
    top = pile[-1]
    places = [place for place, card in enumerate(pile) if card == move.card]
    del pile[places[-1 - move.copy]]
    pick_unseen(state, seat, number, top)
    gain(state, seat, move.card)
    events.append(CardPicked(seat, number, move.card, len(pile), pile[-1] if pile else None))
    following = state.pending[-1].pile
    if following is not None:
        events.append(show_pile(state, seat, following))


def _play_trio(state: State, move: PlayTrio, events: list[Event]) -> None:
    """Place a duo with a third card, which takes its effect away (rules 11.4)."""
    seat = state.active
    place(state, seat, (move.first, move.second, move.third))
    events.append(TrioPlayed(seat, move.first, move.second, move.third))


def _shield(state: State, move: Shield, events: list[Event]) -> None:
    """Lay a card face down (rules 12.2, coral reef)."""
    hide(state, state.active, move.card)
    events.append(Shielded(state.active, move.card))


def _catch(state: State, move: Catch, events: list[Event]) -> None:
    """Keep one of the cards that the lobster showed, and shuffle the others in (rules 11.2)."""
    pending = state.pending.pop()
    others = list(pending.drawn)
    others.remove(move.card)
    gain(state, pending.seat, move.card)
    state.deck += others
    shuffle(state, Purpose.LOBSTER, state.deck)
    events.append(Caught(pending.seat, move.card, len(state.deck)))


def _swap(state: State, move: Swap, events: list[Event]) -> None:
    """Exchange two cards with the seat that was looked at (rules 12.2, water rodeo)."""
    pending = state.pending.pop()
    seat, victim = pending.seat, pending.victim
    assert victim is not None
    hand_over(state, seat, victim, move.given)
    hand_over(state, victim, seat, move.gained)
    events.append(Swapped(seat, victim, move.given, move.gained))


def _no_swap(state: State, _move: Move, events: list[Event]) -> None:
    """Leave both hands as they are."""
    pending = state.pending.pop()
    assert pending.victim is not None
    events.append(SwapDeclined(pending.seat, pending.victim))


def _take_equal_top(state: State, move: TakeEqualTop, events: list[Event]) -> None:
    """Take one of two tops of one color, and then end the turn (rules 12.2, angelfish)."""
    seat, number = state.active, move.pile
    card = state.piles[number].pop()
    if state.buried:
        uncover_top(state, number)
    gain_shown(state, seat, card)
    events.append(TOOK_TOP[seat][number][card])
    if has_winning_mermaids(state, seat):
        win_by_mermaids(state, seat, events)
    else:
        finish_turn(state, seat, events)


def _keep_event_card(state: State, move: KeepEventCard, events: list[Event]) -> None:
    """Discard the other event card, and go on with the next round (rules 12.1)."""
    seat = state.pending.pop().seat
    (other,) = (card for card in state.event_cards[seat] if card is not move.event_card)
    discard_event_card(state, seat, other, events)
    start_next_round(state, events)


def _stop(state: State, _move: Move, events: list[Event]) -> None:
    """End the round at once (rules 5.1)."""
    state.caller = state.active
    events.append(Called(state.active, RoundEnding.STOP))
    end_round(state, RoundEnding.STOP, events)


def _last_chance(state: State, _move: Move, events: list[Event]) -> None:
    """Reveal the caller's hand, and give everyone else a last turn (rules 5.2)."""
    state.caller = state.active
    events.append(Called(state.active, RoundEnding.LAST_CHANCE))
    reveal(state, state.active, events)
    start_turn(state, (state.active + 1) % state.seats, events)


_CarryOut: TypeAlias = Callable[[State, Any, list[Event]], None]

CARRY_OUT: Mapping[type[Move], _CarryOut] = {
    TakeDeck: _take_deck,
    TakePile: _take_pile,
    Keep: _keep,
    PlayDuo: _play_duo,
    PickCard: _pick_card,
    EndTurn: end_turn,
    Stop: _stop,
    LastChance: _last_chance,
    PlayTrio: _play_trio,
    Shield: _shield,
    Catch: _catch,
    Swap: _swap,
    NoSwap: _no_swap,
    TakeEqualTop: _take_equal_top,
    KeepEventCard: _keep_event_card,
}
"""What each class of moves does; the top of the stack is the decision that the move answers."""
