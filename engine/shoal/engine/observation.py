"""What one seat may know. The only module that turns hidden facts into visible ones.

Both `observe` and `redact` build up what they show, field by field: whatever is not named here
stays hidden. A seat of None is a spectator, who sees what every seat sees.
"""

from dataclasses import dataclass
from typing import assert_never

from shoal.engine.cards import Card
from shoal.engine.errors import IllegalMove, Reason
from shoal.engine.events import (
    Called,
    CardPicked,
    DuoPlayed,
    Event,
    FishDrawn,
    HandRevealed,
    Kept,
    MatchEnded,
    MermaidsShown,
    PileSearched,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    Stolen,
    Took,
    TurnEnded,
)
from shoal.engine.model import DecisionKind, State
from shoal.engine.moves import Move
from shoal.engine.results import Result
from shoal.engine.scoring import color_bonus_of, points_of
from shoal.engine.terms import call_points, target_of


@dataclass(frozen=True, slots=True)
class PileView:
    """A discard pile: how many cards it has, and the one on top."""

    size: int
    top: Card | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody knows about one seat.

    `table` are its groups in the order placed. `revealed_hand` is its hand, ascending, once it was
    shown to all in this round, else None. `left` says that the seat has left the match.
    """

    seat: int
    hand_size: int
    table: tuple[tuple[Card, ...], ...]
    revealed_hand: tuple[Card, ...] | None
    total: int
    left: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What everybody knows about the open decision: whom it asks, and about what.

    `pile` is the discard pile being searched, for PICK.
    """

    seat: int
    kind: DecisionKind
    pile: int | None


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one seat, or a spectator (`seat` None), may know about a state.

    Public: `target` ends the match, `active` is the seat whose turn it is, `caller` the one whose
    LAST CHANCE is running, `players` are in seat order, `question` is None once there is a
    `result`.

    The seat's own, empty or None for a spectator: `hand` (ascending), `points` and `color_bonus`
    of its cards now, `call_points` that it needs to end a round.

    Only while it is asked itself: `shown`, the cards that the question shows it (the drawn ones,
    ascending, or the searched pile from bottom to top), its `options`, and the `default`.
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


def observe(state: State, seat: int | None) -> Observation:
    """Return what a seat, or a spectator, may know; raise IllegalMove for a seat that is not."""
    if seat is not None and not 0 <= seat < state.seats:
        raise IllegalMove(Reason.NO_SUCH_SEAT)
    asked = state.asked
    is_asked = asked is not None and asked.seat == seat
    return Observation(
        seat=seat,
        ruleset=state.rules.name,
        ruleset_version=state.rules.version,
        seats=state.seats,
        target=target_of(state),
        round=state.round,
        starter=state.starter,
        active=state.active,
        caller=state.caller,
        deck_size=len(state.deck),
        piles=tuple(PileView(len(pile), pile[-1] if pile else None) for pile in state.piles),
        players=tuple(_player(state, other) for other in range(state.seats)),
        question=_question(state),
        result=state.result,
        hand=() if seat is None else tuple(state.hands[seat]),
        points=None if seat is None else points_of(state, seat),
        color_bonus=None if seat is None else color_bonus_of(state, seat),
        call_points=None if seat is None else call_points(state, seat),
        shown=_shown(state) if is_asked else (),
        options=asked.options if asked is not None and is_asked else (),
        default=asked.default if asked is not None and is_asked else None,
    )


def _player(state: State, seat: int) -> PlayerView:
    """Return what everybody knows about a seat."""
    hand = state.hands[seat]
    return PlayerView(
        seat=seat,
        hand_size=len(hand),
        table=tuple(state.tables[seat]),
        revealed_hand=tuple(hand) if state.revealed[seat] else None,
        total=state.totals[seat],
        left=seat in state.left,
    )


def _question(state: State) -> Question | None:
    """Return what everybody knows about the open decision."""
    if state.asked is None:
        return None
    pending = state.pending[-1]
    return Question(pending.seat, pending.kind, pending.pile)


def _shown(state: State) -> tuple[Card, ...]:
    """Return the cards that the open decision shows to the seat it asks."""
    pending = state.pending[-1]
    if pending.pile is not None:
        return tuple(state.piles[pending.pile])
    return pending.drawn


def redact(event: Event, seat: int | None) -> Event:
    """Return the event as a seat, or a spectator, sees it: what it may not know is None."""
    match event:
        case Took(taker, pile, count, cards):
            known = pile is not None or seat == taker
            return Took(taker, pile, count, cards if known else None)
        case Kept(keeper, card, discarded, pile):
            return Kept(keeper, card if seat == keeper else None, discarded, pile)
        case PileSearched(searcher, pile, size, cards):
            return PileSearched(searcher, pile, size, cards if seat == searcher else None)
        case CardPicked(picker, pile, card, size, top):
            return CardPicked(picker, pile, card if seat == picker else None, size, top)
        case FishDrawn(drawer, card):
            return FishDrawn(drawer, card if seat == drawer else None)
        case Stolen(thief, victim, card):
            return Stolen(thief, victim, card if seat in (thief, victim) else None)
        case (
            RoundStarted()
            | DuoPlayed()
            | TurnEnded()
            | Called()
            | HandRevealed()
            | RoundEnded()
            | MermaidsShown()
            | SeatLeft()
            | MatchEnded()
        ):
            return event  # everything in these is known to all
        case _:
            assert_never(event)
