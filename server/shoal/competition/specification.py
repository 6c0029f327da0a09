"""What an organizer asks for, as data. Times are milliseconds since 1970 unless they say otherwise.

Whether it can be held is said by `validation`, how it is written in a file by `document`.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias, final


@final
@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think and what it may do wrong, in ms; 0 is what the server does by itself."""

    move_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    max_strikes: int = 0
    max_illegal: int = 0
    match_ms: int = 0


@final
@dataclass(frozen=True, slots=True)
class Stopping:
    """When a ladder is over: as soon as the first of these is reached; none of them is never.

    Each bot has played `blocks_per_bot`; every rating is certain to `interval` displayed points to
    either side, with a probability of 95 %; it has run for `minutes`.
    """

    blocks_per_bot: int | None = None
    interval: float | None = None
    minutes: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Anchor:
    """A bot whose rating is given, in displayed points, and never changes."""

    bot_id: str = ""
    rating: float = 1500.0


PLAIN: Final = "plain"
"""The rating of what was played."""

ADJUSTED: Final = "adjusted"
"""That of the same without luck, at tables of two."""

OFFICIAL: Final = (PLAIN, ADJUSTED)
"""The ratings that may be the official one."""


@final
@dataclass(frozen=True, slots=True)
class Ladder:
    """Whoever is there is paired, for as long as it lasts.

    With `trial` a bot must finish one casual match before it is paired. When it did not come to `faults` of
    its last ten matches, fell silent or answered illegally, it is paused, until it finishes one; 0: never.
    With `releases` a bot that comes back with another version is rated anew, and the one before keeps its
    rating. `anchors` hold the scale: everybody else is rated by them. `official` is the rating that
    standings go by, one of `OFFICIAL`.
    """

    stopping: Stopping = Stopping()
    trial: bool = True
    faults: int = 3
    releases: bool = True
    anchors: tuple[Anchor, ...] = ()
    official: str = PLAIN


@final
@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Everybody meets everybody. Blocks are for each pairing, in each cycle, with each ruleset."""

    cycles: int = 1
    blocks_per_pairing: int = 1


@final
@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Each challenger, by id, meets everybody who is none; challengers do not meet each other."""

    challengers: tuple[str, ...] = ()
    blocks_per_pairing: int = 1


@final
@dataclass(frozen=True, slots=True)
class Swiss:
    """Bots with equal scores meet, nobody twice.

    `rounds` 0 stands for as many as a knock-out would need: enough for a single bot to have won all.
    """

    rounds: int = 0
    blocks_per_pairing: int = 1


@final
@dataclass(frozen=True, slots=True)
class Knockout:
    """Who loses is out. `best_of` blocks a tie, then up to `tie_cap` more until one decides.

    With `third_place` those who lose in the semifinals play a tie for it.
    """

    best_of: int = 1
    tie_cap: int = 2
    third_place: bool = False


Format: TypeAlias = Ladder | RoundRobin | Gauntlet | Swiss | Knockout

KINDS: dict[str, type[Format]] = {
    "ladder": Ladder,
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
}
"""The formats by the name that people write."""


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """Who may enter, and when. 0 or None: no limit; nobody invited: open to all."""

    invited: tuple[str, ...] = ()
    bots_per_owner: int = 0
    entrants: int = 0
    opens_ms: int | None = None
    closes_ms: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Specification:
    """A competition as it is asked for.

    `seats` are the table sizes; a bot of a ladder gets the one that it has played least of late. Of several
    `rulesets` a round robin and a gauntlet play each pairing with each, Swiss rounds and the blocks of a
    tie take turns, and on a ladder it is as with the sizes.
    """

    name: str
    format: Format
    rulesets: tuple[str, ...] = ("base",)
    seats: tuple[int, ...] = (2,)
    time_control: TimeControl = TimeControl()
    entry: Entry = field(default_factory=Entry)
    starts_ms: int | None = None
    ends_ms: int | None = None
    rated: bool = True
    names_hidden: bool = False
