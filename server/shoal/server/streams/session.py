"""One bot's stream: what changed for the bot since it was last written to, and nothing of how it is written.

Level-triggered: changes are marked, and whoever writes takes all marks at once and reads the tables then.
A slow reader therefore gets fewer and larger messages, never a queue.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import NamedTuple, TypeAlias, final

from shoal.engine import Event
from shoal.match import Phase, VoidReason
from shoal.server.errors import Refusal
from shoal.server.hub.table import Table
from shoal.server.play.receipts import Receipt

MOST_UNWRITTEN = 1000
"""How many answers may wait for a bot to read them before nothing more is taken in from it."""


@unique
class End(Enum):
    """Why a stream ends."""

    CLIENT_CLOSED = "client_closed"
    SUPERSEDED = "superseded"
    DRAINING = "draining"
    TOKEN_REVOKED = "token_revoked"  # noqa: S105 - the name of a reason


@unique
class Signal(Enum):
    """What a bot says of a match beside its moves."""

    READY = "ready"
    RESIGN = "resign"


@final
class MoveResult(NamedTuple):
    """What became of a move that came in on the stream."""

    match_id: str
    decision_id: str
    outcome: Receipt | Refusal


@final
class SignalRefused(NamedTuple):
    """A ready signal or a resignation was refused."""

    match_id: str
    signal: Signal
    refusal: Refusal


@final
class Guest(NamedTuple):
    """Whose stream it is, and by which token."""

    bot_id: str
    bot_name: str
    token_id: str


Answer: TypeAlias = MoveResult | SignalRefused
History: TypeAlias = list[tuple[int, list[Event]]]


@final
@dataclass(slots=True)
class Marks:
    """What there is to write: answers in order, changed tables, and whether the stream ends."""

    answers: list[Answer] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    heartbeat: bool = False
    end: End | None = None


@final
class Session:
    """The stream of one bot.

    For each match at hand, `seen` is the version it was written up to, `told` the decision or phase it
    was last asked about, and `backlog` the events that it missed before it came. `finished` are the matches
    whose end was written, with the reason why they were void. `fell_behind` is set when something that is
    marked has to be read again before it can be told. `follow`: every change is written, not only
    what asks something of the bot. `greeted`: the bot was told where its matches stand. `cut_off`: it is we
    who could not go on with it. `since` is the monotonic time at which it came.
    """

    def __init__(self, guest: Guest, epoch: int, *, follow: bool) -> None:
        """Start with nothing to write."""
        self.bot_id, self.bot_name, self.token_id = guest
        self.epoch = epoch
        self.follow = follow
        self.since = time.monotonic()
        self.greeted = False
        self.cut_off = False
        self.tables: dict[str, Table] = {}
        self.seen: dict[str, int] = {}
        self.told: dict[str, str] = {}
        self.backlog: dict[str, History] = {}
        self.finished: dict[str, VoidReason] = {}
        self.parted: list[Table] = []
        self.rung = asyncio.Event()
        self.fell_behind = asyncio.Event()
        self._marks = Marks()
        self._marked = asyncio.Event()
        self._taken = asyncio.Event()

    def take(self, table: Table, seen: int, backlog: History) -> None:
        """Take a match in, of which the bot has seen the versions up to `seen` and `backlog`."""
        match_id = table.match.meta.match_id
        self.tables[match_id] = table
        self.seen[match_id] = seen
        if backlog:
            self.backlog[match_id] = backlog
        self.touch(table)

    def greet(self) -> None:
        """Note that the bot was told where its matches stand."""
        self.greeted = True

    def is_news(self, table: Table) -> bool:
        """Tell whether the bot was not told this yet."""
        match = table.match
        match_id = match.meta.match_id
        if self.follow and (match_id in self.backlog or self.seen[match_id] < match.version):
            return True
        return self.told.get(match_id) != self._question(table)

    def behind(self, tables: Mapping[str, Table] | None = None) -> list[Table]:
        """Return which of these tables, by match, keep less than the bot is to be told of them.

        None stands for the marked ones.
        """
        return [
            table
            for match_id, table in (self._marks.tables if tables is None else tables).items()
            if self.seen.get(match_id, table.known_from) < table.known_from
            and (table.over or self.is_news(table))
        ]

    def recall(self, table: Table, missed: History) -> None:
        """Note what happened after the version that the bot has seen, at a table that keeps less.

        It is news until it is told, also where nothing is known of it but that it happened.
        """
        match_id = table.match.meta.match_id
        self.backlog[match_id] = self.backlog.get(match_id, []) + missed
        self.seen[match_id] = missed[-1][0] if missed else table.known_from
        self._marked.set()

    def unseen(self, table: Table) -> History:
        """Return the events that the bot was not told yet, those first that it missed before it came."""
        match_id = table.match.meta.match_id
        return self.backlog.get(match_id, []) + table.since(self.seen[match_id])

    def tell(self, table: Table) -> None:
        """Note that the bot is being told all that there is to know of a table now."""
        match_id = table.match.meta.match_id
        self.backlog.pop(match_id, None)
        self.seen[match_id] = table.match.version
        self.told[match_id] = self._question(table)

    def _question(self, table: Table) -> str:
        """Return what the bot is asked: the decision, readiness, or nothing."""
        match = table.match
        if match.phase is Phase.WAITING:
            return "ready?"
        asked = match.asked
        if asked is not None and asked.seat == table.seat_by_bot[self.bot_id]:
            return match.decision_id
        return ""

    def let_go(self, match_id: str) -> None:
        """Forget a match whose end is being written; its table is left in `parted`."""
        self.finished[match_id] = self.tables[match_id].match.void
        self.seen.pop(match_id, None)
        self.told.pop(match_id, None)
        self.backlog.pop(match_id, None)
        self.parted.append(self.tables.pop(match_id))

    def since_of(self, bot_id: str) -> float | None:
        """Return when it came, if it is the stream of this bot."""
        return self.since if bot_id == self.bot_id else None

    def touch(self, table: Table) -> None:
        """Mark a table that has something for the bot."""
        match = table.match
        if match.phase is Phase.LIVE and not self.follow:
            asked = match.asked
            if asked is None or asked.seat != table.seat_by_bot[self.bot_id]:
                return
        self._marks.tables[match.meta.match_id] = table
        self._marked.set()

    def answer(self, answer: Answer) -> None:
        """Mark the answer to something that the bot sent."""
        self._marks.answers.append(answer)
        self._marked.set()

    def beat(self) -> None:
        """Mark a sign of life."""
        self._marks.heartbeat = True
        self._marked.set()

    def end(self, reason: End) -> None:
        """Mark the end of the stream; the first reason counts."""
        if self._marks.end is None:
            self._marks.end = reason
        self._marked.set()

    @property
    def ends(self) -> bool:
        """Whether the end of the stream is marked: nothing more need be read for it."""
        return self._marks.end is not None

    def ring(self) -> None:
        """Note that the store has news of the bot: new matches, moves elsewhere, a newer stream."""
        self.rung.set()

    async def room(self) -> None:
        """Wait while too many answers are unwritten: who does not read is not listened to."""
        while len(self._marks.answers) > MOST_UNWRITTEN:
            self._taken.clear()
            await self._taken.wait()

    async def marked(self) -> None:
        """Wait until there is something to write."""
        await self._marked.wait()

    def take_marks(self) -> Marks:
        """Take all that there is to write now; tables that keep too little stay marked until `recall`."""
        self._marked.clear()
        marks, self._marks = self._marks, Marks()
        for table in self.behind(marks.tables):
            match_id = table.match.meta.match_id
            self._marks.tables[match_id] = marks.tables.pop(match_id)
            self.fell_behind.set()
        self._taken.set()
        return marks
