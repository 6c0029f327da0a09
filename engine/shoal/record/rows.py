"""The types of the fields of events, in their order: a row for each class.

They stand in the classes too, but cannot be read there: a card is an int, and once the engine is
compiled nothing is left of `tuple[Card, ...]`. A test holds the rows against the source.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from shoal.engine import (
    Called,
    CardDrawn,
    CardPicked,
    Caught,
    DeckSearched,
    DrawCause,
    DuoPlayed,
    DuoStolen,
    Ending,
    EventAwarded,
    EventCard,
    EventDiscarded,
    EventRevealed,
    FishDrawn,
    HandRevealed,
    HandSeen,
    Kept,
    MatchEnded,
    MermaidsShown,
    PileSearched,
    Result,
    RoundEnded,
    RoundEnding,
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
from shoal.record.shape import CardName

Card: TypeAlias = Annotated[int, CardName()]
_Card: TypeAlias = Card | None
_Cards: TypeAlias = tuple[Card, ...]
_Numbers: TypeAlias = tuple[int, ...]

ROWS: Mapping[type, tuple[Any, ...]] = {
    RoundStarted: (int, int, _Cards, int),
    Took: (int, int | None, int, _Cards | None),
    Kept: (int, _Card, _Card, int | None),
    DuoPlayed: (int, Card, Card, int | None),
    TrioPlayed: (int, Card, Card, Card),
    PileSearched: (int, int, int, _Cards | None),
    CardPicked: (int, int, _Card, int, _Card),
    FishDrawn: (int, _Card),
    Stolen: (int, int, _Card),
    Stung: (int,),
    CardDrawn: (int, DrawCause, _Card),
    DeckSearched: (int, int, _Cards | None),
    Caught: (int, _Card, int),
    Shielded: (int, _Card),
    HandSeen: (int, int, int, _Cards | None),
    Swapped: (int, int, _Card, _Card),
    SwapDeclined: (int, int),
    DuoStolen: (int, int, _Cards),
    TurnEnded: (int,),
    Called: (int, RoundEnding),
    HandRevealed: (int, _Cards),
    RoundEnded: (
        *(int, RoundEnding, int | None, bool | None),
        *(_Numbers | None, _Numbers | None, _Numbers, _Numbers),
    ),
    MermaidsShown: (int, int),
    SeatLeft: (int,),
    EventRevealed: (EventCard,),
    EventAwarded: (EventCard, int | None),
    EventDiscarded: (int, EventCard),
    MatchEnded: (Result,),
    Result: (Ending, _Numbers, _Numbers, _Numbers),
}
"""By class: the type of each field."""
