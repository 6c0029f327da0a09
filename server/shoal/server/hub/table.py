"""A match at hand in this process, with what happened lately and who is reading along."""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol, final

from shoal.engine import Event
from shoal.match import Asks, Entry, Match, Phase
from shoal.server.hub.age import Age, Credit
from shoal.server.hub.attention import Attention
from shoal.server.store.partition_clock import PartitionClock

KEPT_VERSIONS = 128
"""How many versions of events are kept at least: more than can pass between two decisions of one seat."""


class Reader(Protocol):
    """Whoever is told that a table changed. It reads the table when it is ready to, not before."""

    def touch(self, table: "Table") -> None:
        """Note that the table changed; must not block."""

    def since_of(self, bot_id: str) -> float | None:
        """Return since which monotonic moment a bot has read along by this; None: it is not this bot."""


@final
class Table:
    """One match at hand. Only the hub and the committer change it.

    `age` is that of what is open, in the time of `partition` and on `clock`, that of this process.
    `history` holds `(version, events)` of the latest versions, with their secrets; it reaches back to
    just after `known_from`. `committing` is set while a step of this match is on its way to the store.
    `attempt` is an answer that came and the store could not take, and when it came. `taken` is the moment,
    on `clock`, of the last change that this process made, or told to a reader: others may not know of it.
    """

    __slots__ = (
        "age",
        "attempt",
        "clock",
        "committing",
        "history",
        "known_from",
        "match",
        "partition",
        "readers",
        "seat_by_bot",
        "taken",
    )

    def __init__(self, match: Match, partition: PartitionClock, clock: Attention) -> None:
        """Start with a match as it was read from the store."""
        self.clock = clock
        self.match = match
        self.taken = clock.monotonic()
        self.partition = partition
        self.age = Age(partition, clock)
        self.age.stands(match.asked_ms, match.credited_ms)
        self.history: list[tuple[int, list[Event]]] = []
        self.known_from = match.version
        self.seat_by_bot = {each.bot_id: seat for seat, each in enumerate(match.meta.seats)}
        self.readers: set[Reader] = set()
        self.committing: asyncio.Future[Any] | None = None
        self.attempt: tuple[Entry, float] | None = None

    def advance(
        self,
        match: Match,
        events: list[Event],
        asks: Asks,
        *,
        first: bool,
        given: Sequence[Credit] = (),
    ) -> None:
        """Take over the next version of the match, and tell the readers.

        `first`: it is this process that has made it, and heard of that just now. `given`: what it credits.
        """
        self._take(match, given)
        self.taken = self.clock.monotonic()
        if first and asks is Asks.NEW:
            self.age.told()
        self._remember(match.version, events)
        self.tell()

    def follow(
        self, match: Match, past: list[tuple[int, list[Event]]], given: Sequence[Credit] = ()
    ) -> None:
        """Take over the match as another process has led it on, through these versions; tell the readers.

        `given`: what they have credited.
        """
        for version, events in past:
            self._remember(version, events)
        self._take(match, given)
        if self.readers:
            self.taken = self.clock.monotonic()
        self.tell()

    def replace(self, match: Match, partition: PartitionClock) -> None:
        """Start again from what the store says now: the log took another course."""
        self.partition = partition
        self._take(match)
        self.taken = self.clock.monotonic()
        self.history.clear()
        self.known_from = match.version
        self.tell()

    def tell(self) -> None:
        """Touch every reader."""
        for reader in self.readers:
            reader.touch(self)

    def since(self, version: int) -> list[tuple[int, list[Event]]]:
        """Return the events after a version, which is `known_from` or later: else use `Hub.history`."""
        missing = self.match.version - version
        return self.history[-missing:] if missing > 0 else []

    def put(self, since: float) -> None:
        """Note that the open decision is put to its seat, by a stream or poll that came at a moment.

        From then on it was this process through which the bot could hear of it, and answer.
        """
        self.age.put(since)

    def here_since(self, bot_id: str) -> float | None:
        """Return since when a bot reads along, by whatever came first; None: it does not."""
        moments = [reader.since_of(bot_id) for reader in self.readers]
        return min((moment for moment in moments if moment is not None), default=None)

    def at_hand_ms(self, moment: float) -> int:
        """Return for how many milliseconds the bot had the open decision at a moment, for all we know.

        It counts from when the store asked, whenever this process heard of that: else whoever lets a server
        hear of it late would think for free.
        """
        return self.age.ms(moment)

    def age_ms(self) -> int:
        """Return for how many milliseconds the decision has been open for the store, whoever knew of it."""
        return max(0, self.now_ms() - self.match.asked_ms)

    def now_ms(self) -> int:
        """Return the time of the partition."""
        return self.partition.ms(self.clock.monotonic())

    def remaining_ms(self) -> int:
        """Return the milliseconds left for the open decision: no more than until it is acted for its bot.

        For that the store counts what was missed here too, unless it was, or is about to be, given for.
        """
        counted_ms = self.age_ms() - self.age.unheard_ms()
        return max(0, self.match.limit_ms - max(self.open_ms(), counted_ms))

    def open_ms(self) -> int:
        """Return for how many milliseconds the open decision has been open; a credit may lie ahead of it."""
        return self.age.ms(self.clock.monotonic())

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.phase is Phase.FINISHED

    def known_for(self) -> float:
        """Return for how many seconds, not counting an outage, this process knows what others may not."""
        now = self.clock.monotonic()
        return now - self.taken - self.partition.cut_between(self.taken, now)

    def _take(self, match: Match, given: Sequence[Credit] = ()) -> None:
        """Take over where the match stands now."""
        if match.decision_id != self.match.decision_id:
            self.age = Age(self.partition, self.clock)
        self.age.stands(match.asked_ms, match.credited_ms, given)
        self.match = match

    def _remember(self, version: int, events: list[Event]) -> None:
        """Keep the events of a version, and let go of the oldest."""
        history = self.history
        history.append((version, events))
        if len(history) > 2 * KEPT_VERSIONS:
            self.known_from = history[-KEPT_VERSIONS - 1][0]
            del history[:-KEPT_VERSIONS]
