"""What one seat may know. The only module that turns hidden facts into visible ones.

Both `observe` and `redact` build up what they show, field by field: whatever is not named here
stays hidden. A seat of None is a spectator, who sees what every seat sees. Like events, what is
made here is never changed, so that views and events may be shared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from shoal.engine.cards import Card
from shoal.engine.errors import IllegalMove, Reason
from shoal.engine.event_cards import EventCard
from shoal.engine.events import (
    Called,
    CardDrawn,
    CardPicked,
    Caught,
    DeckSearched,
    DuoPlayed,
    DuoStolen,
    Event,
    EventAwarded,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    HandRevealed,
    HandSeen,
    Kept,
    MatchEnded,
    MermaidsShown,
    PileSearched,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    Shielded,
    Stolen,
    Stung,
    SwapDeclined,
    Swapped,
    Took,
    TrioPlayed,
    TurnEnded,
)
from shoal.engine.memory import known_cards
from shoal.engine.model import DecisionKind, State
from shoal.engine.moves import SEATS, Move
from shoal.engine.piles import known_pile
from shoal.engine.remembered import Remembered
from shoal.engine.results import Result
from shoal.engine.scoring import color_bonus_of, points_of


@dataclass(slots=True)
class PileView:
    """A discard pile: how many cards it has, and the one on top."""

    size: int
    top: Card | None


@dataclass(slots=True)
class PlayerView:
    """What everybody knows about one seat.

    `table` are its groups in the order placed. `revealed_hand` is its hand, ascending, once it was
    shown to all in this round, else None. `left` says that the seat has left the match.

    With expansions: `shielded` says that a card lies face down before it, `stung` that it loses its
    next turn; `event_cards` are those it owns, two while it is asked which to keep.
    """

    seat: int
    hand_size: int
    table: tuple[tuple[Card, ...], ...]
    revealed_hand: tuple[Card, ...] | None
    total: int
    left: bool
    shielded: bool
    stung: bool
    event_cards: tuple[EventCard, ...]


@dataclass(slots=True)
class Question:
    """What everybody knows about the open decision: whom it asks, and about what.

    `pile` is the discard pile being searched, for PICK; `victim` the seat whose hand is looked at,
    for SWAP.
    """

    seat: int
    kind: DecisionKind
    pile: int | None
    victim: int | None


@dataclass(slots=True)
class Observation:
    """Everything that one seat, or a spectator (`seat` None), may know about a state.

    Public: `target` ends the match, `active` is the seat whose turn it is, `caller` the one whose
    LAST CHANCE is running, `players` are in seat order, `question` is None once there is a
    `result`.

    The seat's own, empty or None for a spectator: `hand` (ascending), `points` and `color_bonus`
    of its cards now, `call_points` that it needs to end a round, and its `shield`, the card that it
    laid face down.

    `known` are by seat, ascending, the cards that this seat knows to be in the other's hand from
    what it has seen (rules 9.1); for a spectator, those that everybody knows. Empty for its own
    hand and for revealed ones, which are told above.

    Only while it is asked itself: `shown`, the cards that the question shows it (the drawn ones or
    the other seat's hand, ascending, or the searched pile from bottom to top), its `options`, and
    the `default`.

    Extra Pepper: `event_card` is in force in this round for everybody, `event_deck_size` counts
    those not yet seen, `event_discards` are those that come back when there are no others.

    `pile_cards` are by pile the top cards that this seat knows from what it has seen (rules 9.1), the
    top last; for a spectator, those that everybody knows. The whole pile where it knows all.
    """

    seat: int | None
    ruleset: str
    ruleset_version: int
    seats: int
    target: int
    round: int
    starter: int
    active: int
    caller: int | None
    deck_size: int
    piles: tuple[PileView, ...]
    players: tuple[PlayerView, ...]
    question: Question | None
    result: Result | None
    hand: tuple[Card, ...]
    points: int | None
    color_bonus: int | None
    call_points: int | None
    shown: tuple[Card, ...]
    options: tuple[Move, ...]
    default: Move | None
    shield: Card | None
    known: tuple[tuple[Card, ...], ...]
    event_card: EventCard | None
    event_deck_size: int
    event_discards: tuple[EventCard, ...]
    pile_cards: tuple[tuple[Card, ...], ...]


def _pile(fields: tuple[int, Card | None]) -> PileView:
    """Return the view with these fields."""
    return PileView(*fields)


def _question(fields: tuple[int, DecisionKind, int | None, int | None]) -> Question:
    """Return the question with these fields."""
    return Question(*fields)


# Views that come up again and again are made once.
_PILE = Remembered(_pile)
_QUESTION = Remembered(_question)


def observe(state: State, seat: int | None) -> Observation:
    """Return what a seat, or a spectator, may know; raise IllegalMove for a seat that is not."""
    if seat is not None and not 0 <= seat < state.seats:
        raise IllegalMove(Reason.NO_SUCH_SEAT)
    question: Question | None = None
    hand: tuple[Card, ...] = ()
    points: int | None = None
    color_bonus: int | None = None
    needed: int | None = None
    shown: tuple[Card, ...] = ()
    options: tuple[Move, ...] = ()
    default: Move | None = None
    shield: Card | None = None
    if seat is not None:
        hand = tuple(state.hands[seat])
        points = points_of(state, seat)
        color_bonus = color_bonus_of(state, seat)
        needed = state.terms[seat].call_points
        shield = state.shields[seat]
    asked = state.asked
    if asked is not None:
        pending = state.pending[-1]
        question = _QUESTION[asked.seat, asked.kind, pending.pile, pending.victim]
        if asked.seat == seat:
            shown = _shown(state)
            options = asked.options
            default = asked.default
    rules = state.rules
    pile_0, pile_1 = state.piles
    return Observation(
        seat,
        rules.name,
        rules.version,
        state.seats,
        rules.targets[state.seats],
        state.round,
        state.starter,
        state.active,
        state.caller,
        len(state.deck),
        (
            _PILE[len(pile_0), pile_0[-1] if pile_0 else None],
            _PILE[len(pile_1), pile_1[-1] if pile_1 else None],
        ),
        tuple([_player(state, other) for other in SEATS[: state.seats]]),
        question,
        state.result,
        hand,
        points,
        color_bonus,
        needed,
        shown,
        options,
        default,
        shield,
        tuple([_known(state, seat, other) for other in SEATS[: state.seats]]),
        state.event_card,
        len(state.event_deck),
        state.event_discards,
        (known_pile(state, seat, 0), known_pile(state, seat, 1))
        if state.buried
        else (tuple(pile_0), tuple(pile_1)),
    )


def _known(state: State, seat: int | None, holder: int) -> tuple[Card, ...]:
    """Return what a seat knows of a hand that is neither its own nor revealed."""
    if holder == seat or state.revealed[holder]:
        return ()
    return known_cards(state, seat, holder)


def _player(state: State, seat: int) -> PlayerView:
    """Return what everybody knows about a seat."""
    hand = state.hands[seat]
    return PlayerView(
        seat,
        len(hand),
        tuple(state.tables[seat]),
        tuple(hand) if state.revealed[seat] else None,
        state.totals[seat],
        seat in state.left,
        state.shields[seat] is not None,
        seat in state.stung,
        state.event_cards[seat],
    )


def _shown(state: State) -> tuple[Card, ...]:
    """Return the cards that the open decision shows to the seat it asks."""
    pending = state.pending[-1]
    if pending.pile is not None:
        return tuple(state.piles[pending.pile])
    if pending.victim is not None:
        return tuple(state.hands[pending.victim])
    return pending.drawn


def redact(event: Event, seat: int | None) -> Event:
    """Return the event as a seat, or a spectator, sees it: what it may not know is None."""
    hide = _HIDE[type(event)]
    return event if hide is None else hide(event, seat)


def _hide_took(event: Took, seat: int | None) -> Took:
    """Hide what came from the deck, from all but the seat."""
    if event.pile is not None or event.seat == seat:
        return event
    return Took(event.seat, None, event.count, None)


def _hide_kept(event: Kept, seat: int | None) -> Kept:
    """Hide the kept card from all but the seat."""
    if event.seat == seat:
        return event
    return Kept(event.seat, None, event.discarded, event.pile)


def _hide_searched(event: PileSearched, seat: int | None) -> PileSearched:
    """Hide the pile's cards from all but the seat."""
    if event.seat == seat:
        return event
    return PileSearched(event.seat, event.pile, event.size, None)


def _hide_picked(event: CardPicked, seat: int | None) -> CardPicked:
    """Hide the picked card from all but the seat."""
    if event.seat == seat:
        return event
    return CardPicked(event.seat, event.pile, None, event.size, event.top)


def _hide_drawn(event: FishDrawn, seat: int | None) -> FishDrawn:
    """Hide the drawn card from all but the seat."""
    return event if event.seat == seat else FishDrawn(event.seat, None)


def _hide_stolen(event: Stolen, seat: int | None) -> Stolen:
    """Hide the stolen card from all but thief and victim."""
    if seat is not None and seat in (event.thief, event.victim):
        return event
    return Stolen(event.thief, event.victim, None)


def _hide_card_drawn(event: CardDrawn, seat: int | None) -> CardDrawn:
    """Hide the drawn card from all but the seat."""
    return event if event.seat == seat else CardDrawn(event.seat, event.cause, None)


def _hide_deck_searched(event: DeckSearched, seat: int | None) -> DeckSearched:
    """Hide the deck's cards from all but the seat."""
    return event if event.seat == seat else DeckSearched(event.seat, event.count, None)


def _hide_caught(event: Caught, seat: int | None) -> Caught:
    """Hide the caught card from all but the seat."""
    return event if event.seat == seat else Caught(event.seat, None, event.deck_size)


def _hide_shielded(event: Shielded, seat: int | None) -> Shielded:
    """Hide the card that lies face down from all but the seat."""
    return event if event.seat == seat else Shielded(event.seat, None)


def _hide_hand_seen(event: HandSeen, seat: int | None) -> HandSeen:
    """Hide the hand from all but the seat that looks and the one that holds it."""
    if seat is not None and seat in (event.seat, event.victim):
        return event
    return HandSeen(event.seat, event.victim, event.size, None)


def _hide_swapped(event: Swapped, seat: int | None) -> Swapped:
    """Hide the two cards from all but the two seats."""
    if seat is not None and seat in (event.seat, event.victim):
        return event
    return Swapped(event.seat, event.victim, None, None)


_Hide: TypeAlias = Callable[[Any, int | None], Event]

_HIDE: Mapping[type[Event], _Hide | None] = {
    Took: _hide_took,
    Kept: _hide_kept,
    PileSearched: _hide_searched,
    CardPicked: _hide_picked,
    FishDrawn: _hide_drawn,
    Stolen: _hide_stolen,
    RoundStarted: None,
    DuoPlayed: None,
    TurnEnded: None,
    Called: None,
    HandRevealed: None,
    RoundEnded: None,
    MermaidsShown: None,
    SeatLeft: None,
    MatchEnded: None,
    CardDrawn: _hide_card_drawn,
    DeckSearched: _hide_deck_searched,
    Caught: _hide_caught,
    Shielded: _hide_shielded,
    HandSeen: _hide_hand_seen,
    Swapped: _hide_swapped,
    TrioPlayed: None,
    Stung: None,
    SwapDeclined: None,
    DuoStolen: None,
    EventRevealed: None,
    EventAwarded: None,
    EventDiscarded: None,
}
"""What hides the secrets of each class of events; None where all know everything."""
