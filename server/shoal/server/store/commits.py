"""One step of a match as the store takes it, and everything it may answer."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum, unique
from typing import TypeAlias

from shoal.match.step import Asks
from shoal.server.store.errors import MatchCondemned
from shoal.server.store.link import Part, Reply


@unique
class Guard(StrEnum):
    """Which clock the step has to satisfy. The values are the commit script's."""

    NONE = ""

    MOVE = "move"
    """Refused as expired when the seat took longer than the open limit and the leeway."""

    DUE = "due"
    """Refused as early before the deadline has come."""


@dataclass(frozen=True, slots=True)
class Banks:
    """The banks of a match before a step, and what the step does to them."""

    banks: list[int]
    """Milliseconds, by seat."""

    seat: int
    """Whose bank pays for the step; -1 when nobody's does."""

    next: int
    """Whose bank is part of the limit of the new decision; -1 when nobody's is."""

    floor: int
    """Milliseconds of thought that cost nothing."""

    increment: int
    """Milliseconds that the bank gains when it has paid."""


@dataclass(slots=True)
class Commit:
    """One step: what was expected, what becomes of the match, and who is told.

    Never changed once made; not frozen, because one is made for every move and freezing costs.
    """

    match_id: str
    rev: str
    """The rev the step was computed from: the compare-and-set token."""

    version: int
    """How many entries the log had then."""

    prefix: str
    """The entry as JSON up to its times, without the closing bracket: `["move",0,12,"3.ab"`."""

    state: bytes
    """What the match is after the step; empty keeps that of an earlier version: the log leads on."""

    status: str
    asks: Asks
    limit_ms: int = 0
    """How long the new decision may take, less its bank; with `Asks.LONGER`, the time it is given."""

    grace_ms: int = 0
    """How much later than the limit its deadline is, for leeway and overhead."""

    leeway_ms: int = 0
    """How much longer than the limit a move may take (`Guard.MOVE`)."""

    guard: Guard = Guard.NONE
    payload: bytes = b""
    """The result, for the outbox; empty while the match goes on."""

    bells: tuple[str, ...] = ()
    """Channels to ring; the outbox's own is added by the store."""

    at_hand_ms: int = -1
    """How long the decision had been open when the move came in, by the server's own clock; -1 unknown."""

    banks: Banks | None = None
    """Where the time control has banks."""

    received: float | None = None
    """When the server received the move (`time.monotonic`): what passes from then is not thought."""


@dataclass(slots=True)
class Committed:
    """The step is in the log, now. Like Commit it is never changed, and not frozen for its cost."""

    version: int
    rev: str
    at_ms: int
    """When, in partition time."""

    think_ms: int
    """How long the open decision had been open, less the server's own time."""

    decision_id: str
    """The decision that is open now; empty when none is."""


@dataclass(frozen=True, slots=True)
class Already:
    """The very same step was in the log before: these are the numbers of then."""

    version: int
    rev: str
    at_ms: int
    think_ms: int
    decision_id: str
    """The decision it opened; empty when none, or when the match has gone on since."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The match is elsewhere: at this version and rev."""

    version: int
    rev: str


@dataclass(frozen=True, slots=True)
class Expired:
    """The seat took `think_ms`, which is too long for `limit_ms`."""

    think_ms: int
    limit_ms: int


@dataclass(frozen=True, slots=True)
class Early:
    """The deadline has not come, or there is none."""


@dataclass(frozen=True, slots=True)
class Missing:
    """No match has this id."""


Outcome: TypeAlias = Committed | Already | Conflict | Expired | Early | Missing
"""What may become of a commit; only `Committed` has changed anything now."""


def arguments(commit: Commit, outbox_bell: str) -> tuple[Part, ...]:
    """Return what the commit script takes, but for the overhead; must agree with commit.lua."""
    bells = (*commit.bells, outbox_bell) if commit.payload else commit.bells
    return (
        commit.match_id,
        commit.rev,
        commit.version,
        commit.prefix,
        commit.state,
        commit.status,
        commit.asks,
        commit.limit_ms,
        commit.grace_ms,
        commit.leeway_ms,
        commit.guard,
        commit.payload,
        commit.at_hand_ms,
        "" if commit.banks is None else json.dumps(asdict(commit.banks)),
        *bells,
    )


def outcome_of(reply: Reply) -> Outcome:
    """Read what the commit script returned; must agree with commit.lua. Raise MatchCondemned."""
    word = reply[0]
    if word == b"ok":
        return Committed(reply[1], reply[2].decode(), reply[3], reply[4], reply[5].decode())
    if word == b"already":
        return Already(reply[1], reply[2].decode(), reply[3], reply[4], reply[5].decode())
    if word == b"conflict":
        return Conflict(reply[1], reply[2].decode())
    if word == b"expired":
        return Expired(reply[1], reply[2])
    if word == b"condemned":
        raise MatchCondemned(reply[1].decode())
    return Early() if word == b"early" else Missing()
