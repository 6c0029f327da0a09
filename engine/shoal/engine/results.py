"""How rounds and matches end, and the outcome of a match."""

from dataclasses import dataclass
from enum import Enum, unique


@unique
class RoundEnding(Enum):
    """What ended a round (rules 5)."""

    STOP = "stop"
    LAST_CHANCE = "last_chance"
    EMPTY_DECK = "empty_deck"


@unique
class Ending(Enum):
    """What ended a match (rules 6 and 7)."""

    TARGET = "target"
    MERMAIDS = "mermaids"
    LAST_SEAT = "last_seat"


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a match; numbers are by seat.

    Equal seats share a rank and the next rank is left out: `(1, 1, 3)`. `winners` are the seats
    ranked 1. `totals` are the points after the last scored round.
    """

    ending: Ending
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    totals: tuple[int, ...]
