"""A match as the server knows it: who sits where, what was logged, what the engine says. Nouns only."""

from dataclasses import dataclass
from enum import Enum, StrEnum, unique
from typing import final

from shoal.engine import Decision, State
from shoal.match.timing import TimeControl


@unique
class Phase(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    LIVE = "live"
    FINISHED = "finished"


@unique
class Termination(Enum):
    """Why a match ended (docs/design.md, Endings)."""

    TARGET = "target"
    MERMAIDS = "mermaids"
    LAST_SEAT = "last_seat"
    NO_SHOW = "no_show"
    VOID = "void"
    ABORTED = "aborted"


@unique
class VoidReason(Enum):
    """Why a match is void; NONE when it is not, or when nobody noted it."""

    NONE = ""
    ENDLESS = "endless"
    """The log reached its greatest length."""

    CEILING = "ceiling"
    """The match reached the greatest age that its time control allows."""

    LOST_MOVES = "lost_moves"
    """The store came back without moves that it had acknowledged."""

    OUTAGES = "outages"
    """Our side was away for longer than can be made good by crediting time."""

    FAULT = "fault"
    """A step could not be made because of an error of ours."""


@unique
class LeaveReason(Enum):
    """Why a seat left before the end; NONE when it did not."""

    NONE = ""
    RESIGNED = "resigned"
    STRIKES = "strikes"
    NO_SHOW = "no_show"
    ILLEGAL = "illegal"
    ABANDONED = "abandoned"


@final
@dataclass(frozen=True, slots=True)
class SeatMeta:
    """Who sits at one place of the table."""

    bot_id: str
    bot_name: str


@final
@dataclass(frozen=True, slots=True)
class MatchMeta:
    """What is fixed when a match is created. All of it may be shown to anybody.

    `ladder` is "" outside ladders. `created_ms` is the wall clock, for display. `commitment` is the
    SHA-256 of the secret seed. `server_version` is that of the server that made the match, "" where
    it did not note it.
    """

    match_id: str
    ruleset: str
    ruleset_version: int
    seats: tuple[SeatMeta, ...]
    time: TimeControl
    ladder: str
    rated: bool
    created_ms: int
    commitment: str
    server_version: str = ""


@final
class Match:
    """The present facts of one match. It has one owner; `copy` before trying something.

    `secret` is the server's seed of 32 bytes, which nobody sees before the end. `nonces` are what
    the seats added when they said ready, None while a seat has not. `game` is the engine's state
    from the deal on, and `asked` its open decision while the match is live. `strikes` counts
    silences and `illegal` illegal answers, by seat; `refused` are the illegal answers to the open
    decision. `credited_ms` were given to the open decision and `credit_ms` in the whole match, because
    our side was away. `left` says why seats left, `void` why the match is void.

    With `names_hidden` nobody is told who sits at the other seats before the end; that is no part of the
    match itself, and no record keeps it.

    `rev`, `version`, `decision_id`, `asked_ms`, `limit_ms` and `banks` come from the store, which
    assigns them when it commits: the running hash of the log, its length, the open decision ("" when
    none is), when it was asked in partition time less what was credited, the time allowed for it, and
    what every seat's bank has, in milliseconds.
    """

    __slots__ = (
        "asked",
        "asked_ms",
        "banks",
        "credit_ms",
        "credited_ms",
        "decision_id",
        "game",
        "illegal",
        "left",
        "limit_ms",
        "meta",
        "names_hidden",
        "nonces",
        "phase",
        "refused",
        "rev",
        "secret",
        "strikes",
        "termination",
        "version",
        "void",
    )

    def __init__(self, meta: MatchMeta, secret: bytes) -> None:
        """Start as a match that waits for its seats."""
        seats = len(meta.seats)
        self.meta = meta
        self.secret = secret
        self.names_hidden = False
        self.phase = Phase.WAITING
        self.nonces: list[bytes | None] = [None] * seats
        self.game: State | None = None
        self.asked: Decision | None = None
        self.strikes = [0] * seats
        self.illegal = [0] * seats
        self.refused: tuple[int, ...] = ()
        self.credited_ms = 0
        self.credit_ms = 0
        self.left = [LeaveReason.NONE] * seats
        self.termination: Termination | None = None
        self.void = VoidReason.NONE
        self.version = 0
        self.rev = ""
        self.decision_id = ""
        self.asked_ms = 0
        self.limit_ms = 0
        self.banks = [meta.time.bank_ms] * seats

    def copy(self) -> "Match":
        """Return a match that is equal and shares nothing that changes."""
        twin = Match.__new__(Match)
        twin.meta = self.meta
        twin.secret = self.secret
        twin.names_hidden = self.names_hidden
        twin.phase = self.phase
        twin.nonces = self.nonces.copy()
        twin.game = None if self.game is None else self.game.copy()
        twin.asked = self.asked
        twin.strikes = self.strikes.copy()
        twin.illegal = self.illegal.copy()
        twin.refused = self.refused
        twin.credited_ms = self.credited_ms
        twin.credit_ms = self.credit_ms
        twin.left = self.left.copy()
        twin.termination = self.termination
        twin.void = self.void
        twin.version = self.version
        twin.rev = self.rev
        twin.decision_id = self.decision_id
        twin.asked_ms = self.asked_ms
        twin.limit_ms = self.limit_ms
        twin.banks = self.banks.copy()
        return twin
