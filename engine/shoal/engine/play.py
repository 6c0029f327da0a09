"""How a match is played: start it, ask what is to be decided, apply the answer."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from shoal.engine.cards import Card
from shoal.engine.chance import Chance, KeyedChance, Purpose
from shoal.engine.drawing import DRAWINGS
from shoal.engine.effects import effect_of
from shoal.engine.errors import BadSetup, IllegalMove, Reason
from shoal.engine.events import (
    TOOK_TOP,
    TURN_ENDED,
    Called,
    CardPicked,
    DuoPlayed,
    Event,
    Kept,
    SeatLeft,
)
from shoal.engine.luck import pick
from shoal.engine.model import Decision, DecisionKind, Pending, State
from shoal.engine.moves import (
    EndTurn,
    Keep,
    LastChance,
    Move,
    PickCard,
    PlayDuo,
    Stop,
    TakeDeck,
    TakePile,
)
from shoal.engine.questions import QUESTIONS
from shoal.engine.results import Ending, Result, RoundEnding
from shoal.engine.rounds import (
    end_match,
    end_round,
    reveal,
    start_round,
    start_turn,
    win_by_mermaids,
)
from shoal.engine.ruleset import Ruleset
from shoal.engine.terms import terms_under
from shoal.engine.zones import gain, place

MAX_SEED_BYTES = 64


def new_match(ruleset: Ruleset, seats: int, seed: bytes) -> State:
    """Return a match whose first round is dealt.

    All chance follows from `seed` (1 to 64 bytes, 32 where it must stay secret). Raise BadSetup for
    another length, or a number of seats that the ruleset has no target for.
    """
    if not 1 <= len(seed) <= MAX_SEED_BYTES:
        raise BadSetup(f"a seed has 1 to {MAX_SEED_BYTES} bytes, not {len(seed)}")
    return new_match_with(ruleset, seats, KeyedChance(seed))


def new_match_with(ruleset: Ruleset, seats: int, chance: Chance) -> State:
    """Return a match whose first round is dealt by the given chance; raise BadSetup."""
    if seats not in ruleset.targets:
        raise BadSetup(f"{ruleset.name} is not for {seats} seats")
    state = State()
    state.rules = ruleset
    state.terms = [terms_under(ruleset)] * seats
    state.seats = seats
    state.chance = chance
    state.uses = {}
    state.round = 0
    state.totals = [0] * seats
    state.last_points = [0] * seats
    state.left = []
    state.result = None
    start_round(state, pick(state, Purpose.STARTER, seats), [])
    _ask(state, [])
    return state


def decision(state: State) -> Decision | None:
    """Return what is being asked, or None when the match is over."""
    return state.asked


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the options of the open decision; none when the match is over."""
    asked = state.asked
    return () if asked is None else asked.options


def result(state: State) -> Result | None:
    """Return the outcome, or None while the match goes on."""
    return state.result


def apply(state: State, move: Move) -> list[Event]:
    """Answer the open decision, and return what happened, up to the next decision.

    Raise IllegalMove, and change nothing, unless the move is one of `legal_moves`.
    """
    asked = state.asked
    if asked is None:
        raise IllegalMove(Reason.MATCH_OVER)
    if move not in asked.options:
        raise IllegalMove(Reason.NOT_AN_OPTION)
    events: list[Event] = []
    _CARRY_OUT[type(move)](state, move, events)
    _ask(state, events)
    return events


def leave(state: State, seat: int) -> list[Event]:
    """Let a seat leave: its decisions take their default from now on (rules 7.2).

    Return what happened, up to the next decision of a seat in play. Raise IllegalMove, and change
    nothing, when the match is over or the seat has left already.
    """
    if state.result is not None:
        raise IllegalMove(Reason.MATCH_OVER)
    if not 0 <= seat < state.seats:
        raise IllegalMove(Reason.NO_SUCH_SEAT)
    if seat in state.left:
        raise IllegalMove(Reason.SEAT_HAS_LEFT)
    events: list[Event] = [SeatLeft(seat)]
    state.left.append(seat)
    in_play = [other for other in range(state.seats) if other not in state.left]
    if len(in_play) == 1:
        end_match(state, Ending.LAST_SEAT, in_play[0], events)
    _ask(state, events)
    return events


def _ask(state: State, events: list[Event]) -> None:
    """Go on to the next decision of a seat in play: the top of the stack, or the end."""
    while state.pending:
        pending = state.pending[-1]
        asked = QUESTIONS[pending.kind](state, pending)
        if asked is None:
            _UNASKED[pending.kind](state, pending, events)
        elif state.left and pending.seat in state.left:
            _CARRY_OUT[type(asked.default)](state, asked.default, events)
        else:
            state.asked = asked
            return
    state.asked = None


def _skip(state: State, _pending: Pending, _events: list[Event]) -> None:
    """Go on without an answer: there is nothing to take (rules 3.1)."""
    state.pending.pop()


def _win(state: State, pending: Pending, events: list[Event]) -> None:
    """End the match for the seat that is about to play with enough mermaids (rules 6)."""
    win_by_mermaids(state, pending.seat, events)


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
    gain(state, seat, card)
    events.append(TOOK_TOP[seat][number][card])


def _keep(state: State, move: Keep, events: list[Event]) -> None:
    """Keep one drawn card, and discard the other (rules 3.2)."""
    pending = state.pending.pop()
    seat = pending.seat
    card, pile, discarded = move.card, move.pile, None
    if pile is not None:
        first, second = pending.drawn
        discarded = second if card == first else first
        state.piles[pile].append(discarded)
    gain(state, seat, card)
    events.append(Kept(seat, card, discarded, pile))


def _play_duo(state: State, move: PlayDuo, events: list[Event]) -> None:
    """Place a duo and resolve its effect (rules 4)."""
    seat = state.active
    place(state, seat, (move.first, move.second))
    events.append(DuoPlayed(seat, move.first, move.second, move.target))
    effect = effect_of(state.rules, move.first, move.second)
    events += effect.resolve(state, seat, move.target)


def _pick_card(state: State, move: PickCard, events: list[Event]) -> None:
    """Take a card out of the searched pile; the others keep their order (rules 4.1)."""
    pending = state.pending.pop()
    seat, number = pending.seat, pending.pile
    assert number is not None
    pile = state.piles[number]
    places = [place for place, card in enumerate(pile) if card == move.card]
    del pile[places[-1 - move.copy]]
    gain(state, seat, move.card)
    events.append(CardPicked(seat, number, move.card, len(pile), pile[-1] if pile else None))


def _end_turn(state: State, _move: Move, events: list[Event]) -> None:
    """End the turn, and with it the round if nobody goes on (rules 3.4, 5)."""
    seat = state.active
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
    start_turn(state, following)


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
    start_turn(state, (state.active + 1) % state.seats)


_Unasked: TypeAlias = Callable[[State, Pending, list[Event]], None]

_UNASKED: Mapping[DecisionKind, _Unasked] = {DecisionKind.TAKE: _skip, DecisionKind.PLAY: _win}
"""What follows where a decision of this kind has nothing to ask."""

_CarryOut: TypeAlias = Callable[[State, Any, list[Event]], None]

_CARRY_OUT: Mapping[type[Move], _CarryOut] = {
    TakeDeck: _take_deck,
    TakePile: _take_pile,
    Keep: _keep,
    PlayDuo: _play_duo,
    PickCard: _pick_card,
    EndTurn: _end_turn,
    Stop: _stop,
    LastChance: _last_chance,
}
"""What each class of moves does; the top of the stack is the decision that the move answers."""
