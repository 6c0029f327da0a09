"""Who is there to be paired on a ladder, and what tables come of it. Nouns only."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from shoal.competition.scale import MEAN, SPREAD


@final
@dataclass(frozen=True, slots=True)
class Past:
    """A table at which a bot has sat: the others there, and what was played."""

    opponents: frozenset[str]
    ruleset: str


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that is present.

    `room` is how many more tables it can sit at, of the `at_once` that it can sit at over all competitions
    (T77); `seats` are the table sizes that it plays. `mu` and `sigma` are its rating, in units of the
    model. `owner` is empty for a bot that any other may meet in rated play: a baseline. `idle` is at no
    table at all. `blocks` counts those that it has played or plays. `waited_ms` is for how long it has had
    room and no table came of it, `ticks` how many ticks of the director have found it so, this one
    included. `match_ms` is how long its matches take, `share` at how many tables it has sat on average
    lately (see `fair_share`). `recent` has its latest tables, newest first.
    """

    bot_id: str
    room: int
    rulesets: frozenset[str]
    seats: frozenset[int]
    mu: float = MEAN
    sigma: float = SPREAD
    owner: str = ""
    at_once: int = 1
    idle: bool = True
    blocks: int = 0
    waited_ms: float = 0.0
    ticks: int = 0
    match_ms: float = 60_000.0
    share: float = 0.0
    recent: tuple[Past, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """What a ladder plays, whether it is rated, and how many tables one call may return."""

    rulesets: Sequence[str] = ("base",)
    sizes: Sequence[int] = (2,)
    rated: bool = True
    at_most: int = 64


@unique
class Turn(Enum):
    """Why it was a bot's turn to have a table made for it."""

    OVERDUE = "it has waited too long"
    NEWCOMER = "it is new, and little is known of it"
    SHARE = "it has had the least time at tables"


@final
@dataclass(frozen=True, slots=True)
class Company:
    """Why a bot came to a table that was made for another.

    `information` is what a match of the two is expected to tell of their strength, in nats; `odds` is the
    chance that the one who was first wins it. `repeats` counts former tables of the two, the latest table
    of the first as one and each before it as a quarter less. `waited` is in its own match lengths. `asked`
    is how many fitted and had room.
    """

    bot_id: str
    information: float
    odds: float
    repeats: float
    waited: float
    asked: int


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Bots that are to play a block, in the order of its rotation 0, and how that came about.

    `first` is the bot that the table was made for. `patient` tells that it took nothing but what was best for
    it. A table that has two bots of one owner is not rated.
    """

    bots: tuple[str, ...]
    ruleset: str
    rated: bool
    first: str
    turn: Turn
    patient: bool
    company: tuple[Company, ...]
    sizes_before: int
    """How many of its recent tables were of this size and ruleset."""
