"""A record: all that there is to know of a finished match. Nouns only; docs/records.md explains each.

What is derived (all but who played, how, and what was chosen when) is in it for readers that do not
replay, and is checked by `verify`.
"""

from dataclasses import dataclass
from typing import Annotated, TypeAlias, final

from shoal.engine import DecisionKind, Event
from shoal.match import EntryKind, LeaveReason, Termination, VoidReason
from shoal.record.shape import Number, Text

FORMAT = 1
"""The format that is written and read here; another number whenever a field changes its meaning."""

Count: TypeAlias = Annotated[int, Number(0)]
Hash: TypeAlias = Annotated[str, Text("[0-9a-f]{64}")]
Rev: TypeAlias = Annotated[str, Text("[0-9a-f]{40}")]
Nonce: TypeAlias = Annotated[str, Text("([0-9a-f]{2}){0,32}")]


@final
@dataclass(frozen=True, slots=True)
class RulesetUsed:
    """The variant that was played. Its version grows when the same moves could lead elsewhere."""

    name: str
    version: Count


@final
@dataclass(frozen=True, slots=True)
class TimeControl:
    """Milliseconds for a decision and for saying ready, and how many silences a seat may have.

    A bank begins with `bank_ms` and gains `increment_ms` with each move. `max_illegal` answers may be no
    options, and the match may last `match_ms`; 0 means any number.
    """

    move_ms: Count
    max_strikes: Count
    ready_ms: Count
    bank_ms: Count = 0
    increment_ms: Count = 0
    max_illegal: Count = 0
    match_ms: Count = 0


@final
@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at one place of the table."""

    bot_id: str
    name: str


@final
@dataclass(frozen=True, slots=True)
class Chance:
    """One use of chance: the counter-th (from 0) for this purpose in this round.

    A pick gives a number below `of`. A shuffle of `of` things gives their order: of cards the face
    ids, of which the last is on top.
    """

    purpose: str
    round: Count
    counter: Count
    of: Count
    came: int | tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a decision: its id, what was asked, of how many options, and which was chosen."""

    decision_id: str
    asked: DecisionKind
    options: Count
    code: Count
    text: str


@final
@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change of the match, and all that followed from it.

    `seat` is None where no seat is concerned, `answer` where no decision was answered. `left` says
    that the seat left with this entry. `at_ms` is the match's clock, `think_ms` what the seat was
    charged. `totals` are the points by seat after a round, None when no round ended. `rev` is the
    running hash of the log up to here. `refused` is the code of an answer that was no option, None of
    any other entry; `credit_ms` the time that was given to the open decision.
    """

    version: Count
    kind: EntryKind
    seat: int | None
    answer: Answer | None
    at_ms: Count
    think_ms: Count
    left: bool
    chance: tuple[Chance, ...]
    events: tuple[Event, ...]
    totals: tuple[int, ...] | None
    rev: Rev
    refused: int | None = None
    credit_ms: Count = 0


@final
@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat got: placement 1 is the best, 0 when nothing was decided. Why it left, if it did."""

    placement: Count
    total: int
    left: LeaveReason | None


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """How the match ended, what each seat got, and why it is void, if it is and that was noted."""

    termination: Termination
    seats: tuple[SeatResult, ...]
    void: VoidReason | None = None


@final
@dataclass(frozen=True, slots=True)
class Record:
    """A finished match.

    `server_version` is that of the server that made it. `commitment` was published before the deal:
    it is the SHA-256 of `server_seed`. `nonces` are what the seats added, None where one never said
    ready. `rev` is the hash with which the log begins, of all that was fixed and the seed.
    """

    format: int
    match_id: str
    server_version: str
    created_ms: Count
    ruleset: RulesetUsed
    ladder: str
    rated: bool
    time_control: TimeControl
    seats: tuple[Player, ...]
    commitment: Hash
    server_seed: Hash
    nonces: tuple[Nonce | None, ...]
    rev: Rev
    entries: tuple[LogEntry, ...]
    result: Outcome
