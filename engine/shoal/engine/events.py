"""The events: what happened, with its secrets. `observation.redact` makes the visible forms.

Events are records: made once and never changed (they are not frozen only because making frozen
objects takes three times as long). A field that can be hidden says who may know it; for everybody
else it is None.
"""

from dataclasses import dataclass
from typing import TypeAlias

from shoal.engine.cards import FACES, Card
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
)


# Of few different events that come up again and again, each is made once.

TURN_ENDED = tuple(TurnEnded(seat) for seat in SEATS)
"""By seat."""

TOOK_TOP = tuple(
    tuple(tuple(Took(seat, pile, 1, (card,)) for card in range(len(FACES))) for pile in PILES)
    for seat in SEATS
)
"""By seat, pile and card: the card was on top."""
