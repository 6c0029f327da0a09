"""How events are called in a record, and their fields, with their types: a row for each class.

The names are those of `proto/shoal/v1/event.proto`, so that what is read of a stream is read of a record
too; they stand here, so that a class may be renamed and the format stays. The types stand in the classes
as well, but cannot be read there: a card is an int, and once the engine is compiled nothing is left of
`tuple[Card, ...]`. Tests hold the rows against the protos and the source.
"""

from collections.abc import Callable, Mapping
from enum import Enum, unique
from typing import Annotated, Any, NamedTuple, TypeAlias, final

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
from shoal.record.shape import CardName, Items

Card: TypeAlias = Annotated[int, CardName()]
_Card: TypeAlias = Card | None
_Cards: TypeAlias = tuple[Card, ...]
_OneCard: TypeAlias = Annotated[_Cards, Items(CardName(), exactly=1)]
_Numbers: TypeAlias = tuple[int, ...]


@unique
class Cause(Enum):
    """Why a seat drew a card off the deck: what the engine tells by class, and by DrawCause."""

    FISH = "fish"
    JELLYFISH = "jellyfish"
    DOLPHINS = "dolphins"


@final
class Row(NamedTuple):
    """What an event is called in a record, and its fields there: names and types, in their order.

    They are the fields of the class, in the order of the class, unless the row says how an event is
    taken `apart` into them and `made` of them again.
    """

    kind: str
    fields: Mapping[str, Any]
    apart: Callable[[Any], tuple[Any, ...]] | None = None
    made: Callable[..., Any] | None = None


def _drawn_apart(event: FishDrawn | CardDrawn) -> tuple[int, Cause, tuple[int | None]]:
    """Return the fields of an event by which one card was drawn."""
    cause = Cause.FISH if isinstance(event, FishDrawn) else Cause(event.cause.value)
    return event.seat, cause, (event.card,)


def _drawn(seat: int, cause: Cause, cards: tuple[int]) -> FishDrawn | CardDrawn:
    """Return the event that has these fields: the cause tells its class."""
    (card,) = cards
    return (
        FishDrawn(seat, card)
        if cause is Cause.FISH
        else CardDrawn(seat, DrawCause(cause.value), card)
    )


def _ended_apart(event: MatchEnded) -> tuple[Any, ...]:
    """Return the fields of the match's end, which are its result's."""
    result = event.result
    return result.ending, result.ranks, result.winners, result.totals


def _ended(
    ending: Ending, ranks: tuple[int, ...], winners: tuple[int, ...], totals: tuple[int, ...]
) -> MatchEnded:
    """Return the match's end that has these fields."""
    return MatchEnded(Result(ending, ranks, winners, totals))


_DRAWN = Row("cards_drawn", {"seat": int, "cause": Cause, "cards": _OneCard}, _drawn_apart, _drawn)

ROWS: Mapping[type, Row] = {
    RoundStarted: Row(
        "round_started", {"round": int, "starter": int, "piles": _Cards, "deck_size": int}
    ),
    Took: Row(
        "cards_taken", {"seat": int, "pile": int | None, "count": int, "cards": _Cards | None}
    ),
    Kept: Row("card_kept", {"seat": int, "card": _Card, "discarded": _Card, "pile": int | None}),
    DuoPlayed: Row(
        "duo_played", {"seat": int, "first": Card, "second": Card, "target": int | None}
    ),
    TrioPlayed: Row("trio_played", {"seat": int, "first": Card, "second": Card, "third": Card}),
    PileSearched: Row(
        "pile_searched", {"seat": int, "pile": int, "size": int, "cards": _Cards | None}
    ),
    CardPicked: Row(
        "card_picked", {"seat": int, "pile": int, "card": _Card, "size": int, "top": _Card}
    ),
    FishDrawn: _DRAWN,
    Stolen: Row("card_stolen", {"seat": int, "victim": int, "card": _Card}),
    Stung: Row("opponents_stung", {"seat": int}),
    CardDrawn: _DRAWN,
    DeckSearched: Row("deck_searched", {"seat": int, "count": int, "cards": _Cards | None}),
    Caught: Row("card_caught", {"seat": int, "card": _Card, "deck_size": int}),
    Shielded: Row("shield_laid", {"seat": int, "card": _Card}),
    HandSeen: Row("hand_seen", {"seat": int, "victim": int, "size": int, "hand": _Cards | None}),
    Swapped: Row("cards_swapped", {"seat": int, "victim": int, "given": _Card, "gained": _Card}),
    SwapDeclined: Row("swap_declined", {"seat": int, "victim": int}),
    DuoStolen: Row("duo_stolen", {"seat": int, "victim": int, "cards": _Cards}),
    TurnEnded: Row("turn_ended", {"seat": int}),
    Called: Row("round_called", {"seat": int, "call": RoundEnding}),
    HandRevealed: Row("hand_revealed", {"seat": int, "hand": _Cards}),
    RoundEnded: Row(
        "round_ended",
        {
            "round": int,
            "ending": RoundEnding,
            "caller": int | None,
            "bet_won": bool | None,
            "card_points": _Numbers | None,
            "color_bonus": _Numbers | None,
            "round_points": _Numbers,
            "totals": _Numbers,
        },
    ),
    MermaidsShown: Row("mermaids_shown", {"seat": int, "count": int}),
    SeatLeft: Row("seat_left", {"seat": int}),
    EventRevealed: Row("event_revealed", {"event_card": EventCard}),
    EventAwarded: Row("event_awarded", {"event_card": EventCard, "seat": int | None}),
    EventDiscarded: Row("event_discarded", {"seat": int, "event_card": EventCard}),
    MatchEnded: Row(
        "match_ended",
        {"ending": Ending, "placements": _Numbers, "winners": _Numbers, "totals": _Numbers},
        _ended_apart,
        _ended,
    ),
}
"""By class. Kinds and fields are never renamed: that would be another format."""
