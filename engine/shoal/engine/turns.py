"""How turns begin and end: jellyfish, angelfish, last turns, the empty deck (rules 3.4, 5, 11.1)."""

from shoal.engine.cards import COLOR_OF
from shoal.engine.events import TURN_ENDED, CardDrawn, DrawCause, Event
from shoal.engine.model import DecisionKind, Pending, State
from shoal.engine.moves import EndTurn
from shoal.engine.results import RoundEnding
from shoal.engine.rounds import end_round, open_turn, reveal
from shoal.engine.zones import gain


def start_turn(state: State, seat: int, events: list[Event]) -> None:
    """Give a seat its turn, which a jellyfish takes away unless a shield protects (rules 11.1)."""
    if seat in state.stung:
        state.stung = tuple(other for other in state.stung if other != seat)
        if state.shields[seat] is None:
            _lose_turn(state, seat, events)
            return
    open_turn(state, seat)


def _lose_turn(state: State, seat: int, events: list[Event]) -> None:
    """Draw one card, if there is any, and end the turn."""
    state.active = seat
    state.pending = []
    if state.deck:
        card = state.deck.pop()
        gain(state, seat, card)
        events.append(CardDrawn(seat, DrawCause.JELLYFISH, card))
    finish_turn(state, seat, events)


def end_turn(state: State, _move: EndTurn, events: list[Event]) -> None:
    """End a turn without a call, after what the seat takes last (rules 3.4, 12.2, angelfish)."""
    seat = state.active
    if state.terms[seat].takes_equal_top and _tops_are_equal(state):
        state.pending = [Pending(DecisionKind.EQUAL_TOP, seat)]
    else:
        finish_turn(state, seat, events)


def _tops_are_equal(state: State) -> bool:
    """Tell whether both piles show the same color."""
    pile_0, pile_1 = state.piles
    return bool(pile_0 and pile_1 and COLOR_OF[pile_0[-1]] == COLOR_OF[pile_1[-1]])


def finish_turn(state: State, seat: int, events: list[Event]) -> None:
    """Go on with the next seat, or end the round if there is none (rules 3.4, 5)."""
    events.append(TURN_ENDED[seat])
    following = (seat + 1) % state.seats
    if state.caller is not None:
        reveal(state, seat, events)
        if following == state.caller:
            end_round(state, RoundEnding.LAST_CHANCE, events)
            return
    elif not state.deck:
        end_round(state, RoundEnding.EMPTY_DECK, events)
        return
    if state.stung:
        start_turn(state, following, events)
    else:
        open_turn(state, following)
