"""Who did what: an event's actor from its own field, and what is left of its line without it."""

from typing import NamedTuple, assert_never

from shoal.engine import (
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
    format_event,
)


class Deed(NamedTuple):
    """What the notation says of an event, without its actor; `seat` is None where nobody did it."""

    seat: int | None
    text: str


def deed(event: Event) -> Deed:
    """Return who did what."""
    seat, text = actor(event), format_event(event)
    return Deed(seat, text if seat is None else text.removeprefix(f"seat {seat} "))


def actor(event: Event) -> int | None:
    """Return the seat that did something; None for what happened to all."""
    match event:
        case (
            Took()
            | Kept()
            | DuoPlayed()
            | PileSearched()
            | CardPicked()
            | FishDrawn()
            | TurnEnded()
            | Called()
            | HandRevealed()
            | MermaidsShown()
            | SeatLeft()
            | TrioPlayed()
            | Stung()
            | CardDrawn()
            | DeckSearched()
            | Caught()
            | Shielded()
            | HandSeen()
            | Swapped()
            | SwapDeclined()
            | EventDiscarded()
        ):
            return event.seat
        case Stolen() | DuoStolen():
            return event.thief
        case RoundStarted() | RoundEnded() | MatchEnded() | EventRevealed() | EventAwarded():
            return None
        case _:
            assert_never(event)
