"""The events: what happened, with its secrets. `observation.redact` makes the visible forms.

Events are records: made once and never changed (they are not frozen only because making frozen
objects takes three times as long). A field that can be hidden says who may know it; for everybody
else it is None.
"""

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias

from shoal.engine.cards import FACES, Card
from shoal.engine.event_cards import EventCard
from shoal.engine.moves import PILES, SEATS
from shoal.engine.results import Result, RoundEnding


@dataclass(slots=True, unsafe_hash=True)
class RoundStarted:
    """The cards were shuffled and two of them turned up as the piles (rules 2)."""

    round: int
    starter: int
    pile_tops: tuple[Card, ...]
    deck_size: int


@dataclass(slots=True, unsafe_hash=True)
class Took:
    """A seat took cards: the top of a pile, or `count` from the deck when `pile` is None.

    `cards`, ascending, are known to all when they come from a pile, else to the seat alone.
    """

    seat: int
    pile: int | None
    count: int
    cards: tuple[Card, ...] | None


@dataclass(slots=True, unsafe_hash=True)
class Kept:
    """A seat kept one drawn card and put the other face up on a pile.

    `card` is known to the seat alone. `discarded` and `pile` are None when one card was drawn.
    """

    seat: int
    card: Card | None
    discarded: Card | None
    pile: int | None


@dataclass(slots=True, unsafe_hash=True)
class DuoPlayed:
    """A seat placed a duo; `target` is the pile or seat that it chose, if any."""

    seat: int
    first: Card
    second: Card
    target: int | None


@dataclass(slots=True, unsafe_hash=True)
class PileSearched:
    """A seat looked through a pile of `size` cards.

    `cards`, from bottom to top, are shown to the seat alone.
    """

    seat: int
    pile: int
    size: int
    cards: tuple[Card, ...] | None


@dataclass(slots=True, unsafe_hash=True)
class CardPicked:
    """A seat took a card from the pile it searched, which now has `size` cards and shows `top`.

    `card` is known to the seat alone.
    """

    seat: int
    pile: int
    card: Card | None
    size: int
    top: Card | None


@dataclass(slots=True, unsafe_hash=True)
class FishDrawn:
    """A fish duo drew the top card of the deck; `card` is known to the seat alone."""

    seat: int
    card: Card | None


@dataclass(slots=True, unsafe_hash=True)
class Stolen:
    """A random card went from one hand to another; `card` is known to thief and victim."""

    thief: int
    victim: int
    card: Card | None


@dataclass(slots=True, unsafe_hash=True)
class TurnEnded:
    """A seat ended its turn without a call."""

    seat: int


@dataclass(slots=True, unsafe_hash=True)
class Called:
    """A seat ended the round: `call` is STOP or LAST_CHANCE."""

    seat: int
    call: RoundEnding


@dataclass(slots=True, unsafe_hash=True)
class HandRevealed:
    """A seat showed its hand to all."""

    seat: int
    hand: tuple[Card, ...]


@dataclass(slots=True, unsafe_hash=True)
class RoundEnded:
    """A round is over; numbers are by seat.

    `bet_won` is None unless the round was ended by LAST_CHANCE. `card_points` and `color_bonus`
    are None after EMPTY_DECK, when nobody shows a hand. `round_points` were added to the totals.
    """

    round: int
    ending: RoundEnding
    caller: int | None
    bet_won: bool | None
    card_points: tuple[int, ...] | None
    color_bonus: tuple[int, ...] | None
    round_points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(slots=True, unsafe_hash=True)
class MermaidsShown:
    """A seat showed enough mermaids to win the match (rules 6)."""

    seat: int
    count: int


@dataclass(slots=True, unsafe_hash=True)
class SeatLeft:
    """A seat left the match: from now on its decisions take their default (rules 7.2)."""

    seat: int


@dataclass(slots=True, unsafe_hash=True)
class MatchEnded:
    """The match is over."""

    result: Result


@dataclass(slots=True, unsafe_hash=True)
class TrioPlayed:
    """A seat placed a duo with a third card, for its points alone (rules 11.4)."""

    seat: int
    first: Card
    second: Card
    third: Card


@dataclass(slots=True, unsafe_hash=True)
class Stung:
    """A seat's jellyfish makes all opponents lose their next turn (rules 11.1)."""

    seat: int


@unique
class DrawCause(Enum):
    """Why a seat drew one card off the deck."""

    JELLYFISH = "jellyfish"
    DOLPHINS = "dolphins"


@dataclass(slots=True, unsafe_hash=True)
class CardDrawn:
    """A seat drew the top card of the deck; `card` is known to the seat alone.

    For JELLYFISH it is all that the seat does in its turn (rules 11.1).
    """

    seat: int
    cause: DrawCause
    card: Card | None


@dataclass(slots=True, unsafe_hash=True)
class DeckSearched:
    """A lobster shows a seat the `count` top cards of the deck (rules 11.2).

    `cards`, ascending, are known to the seat alone.
    """

    seat: int
    count: int
    cards: tuple[Card, ...] | None


@dataclass(slots=True, unsafe_hash=True)
class Caught:
    """A seat kept a card that its lobster showed, and the deck, now of this size, was shuffled.

    `card` is known to the seat alone.
    """

    seat: int
    card: Card | None
    deck_size: int


@dataclass(slots=True, unsafe_hash=True)
class Shielded:
    """A seat laid a card face down in front of itself; `card` is known to the seat alone."""

    seat: int
    card: Card | None


@dataclass(slots=True, unsafe_hash=True)
class HandSeen:
    """A seat looked at a hand of `size` cards; `hand` is known to the two seats alone."""

    seat: int
    victim: int
    size: int
    hand: tuple[Card, ...] | None


@dataclass(slots=True, unsafe_hash=True)
class Swapped:
    """A seat gave a card for one of the hand that it looked at; the two seats know which."""

    seat: int
    victim: int
    given: Card | None
    gained: Card | None


@dataclass(slots=True, unsafe_hash=True)
class SwapDeclined:
    """A seat looked at a hand and swapped nothing."""

    seat: int
    victim: int


@dataclass(slots=True, unsafe_hash=True)
class DuoStolen:
    """A laid duo went from one table to another, without effect (rules 12.2)."""

    thief: int
    victim: int
    group: tuple[Card, ...]


@dataclass(slots=True, unsafe_hash=True)
class EventRevealed:
    """An event card is in force for everybody in this round (rules 12.1)."""

    event_card: EventCard


@dataclass(slots=True, unsafe_hash=True)
class EventAwarded:
    """The round's event card went to a seat, or was discarded when `seat` is None."""

    event_card: EventCard
    seat: int | None


@dataclass(slots=True, unsafe_hash=True)
class EventDiscarded:
    """A seat lost an event card: it owned it no longer by right, or chose to keep another one."""

    seat: int
    event_card: EventCard


Event: TypeAlias = (
    RoundStarted
    | Took
    | Kept
    | DuoPlayed
    | PileSearched
    | CardPicked
    | FishDrawn
    | Stolen
    | TurnEnded
    | Called
    | HandRevealed
    | RoundEnded
    | MermaidsShown
    | SeatLeft
    | MatchEnded
    | TrioPlayed
    | Stung
    | CardDrawn
    | DeckSearched
    | Caught
    | Shielded
    | HandSeen
    | Swapped
    | SwapDeclined
    | DuoStolen
    | EventRevealed
    | EventAwarded
    | EventDiscarded
)


# Of few different events that come up again and again, each is made once.

TURN_ENDED = tuple(TurnEnded(seat) for seat in SEATS)
"""By seat."""

TOOK_TOP = tuple(
    tuple(tuple(Took(seat, pile, 1, (card,)) for card in range(len(FACES))) for pile in PILES)
    for seat in SEATS
)
"""By seat, pile and card: the card was on top."""
