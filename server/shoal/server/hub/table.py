"""A match at hand in this process, with what happened lately and who is reading along."""

import asyncio
from typing import Any, Protocol, final

from shoal.engine import Event
from shoal.match import Asks, Entry, Match, Phase
from shoal.server.hub.attention import Attention
from shoal.server.store.partition_clock import PartitionClock

KEPT_VERSIONS = 128
"""How many versions of events are kept at least: more than can pass between two decisions of one seat."""


_NOT_BY_US = ("", 0, 0.0)
_TO_NOBODY = ("", 0.0)


class Reader(Protocol):
    """Whoever is told that a table changed. It reads the table when it is ready to, not before."""

    def touch(self, table: "Table") -> None:
        """Note that the table changed; must not block."""


@final
class Table:
    """One match at hand. Only the hub and the committer change it.

    When the open decision was asked is what the store says (`match.asked_ms`), in the time of `partition`;
    what the bot could not know or say because of this process is measured on `clock`.
    `history` holds `(version, events)` of the latest versions, with their secrets; it reaches back to
    just after `known_from`. `committing` is set while a step of this match is on its way to the store.
    `attempt` is an answer that came and the store could not take, and when it came.
    """

    __slots__ = (
        "_asked_first",
        "_known",
        "_put",
        "attempt",
        "clock",
        "committing",
        "history",
        "known_from",
        "match",
        "partition",
        "readers",
        "seat_by_bot",
    )

    def __init__(self, match: Match, partition: PartitionClock, clock: Attention) -> None:
        """Start with a match as it was read from the store."""
        self.clock = clock
        self.match = match
        self.partition = partition
        self._asked_first = _NOT_BY_US
        self._put = _TO_NOBODY
        self._known = clock.monotonic()
        self.history: list[tuple[int, list[Event]]] = []
        self.known_from = match.version
        self.seat_by_bot = {each.bot_id: seat for seat, each in enumerate(match.meta.seats)}
        self.readers: set[Reader] = set()
        self.committing: asyncio.Future[Any] | None = None
        self.attempt: tuple[Entry, float] | None = None

    def advance(self, match: Match, events: list[Event], asks: Asks, *, first: bool) -> None:
        """Take over the next version of the match, and tell the readers.

        `first`: it is this process that has made it, and heard of that just now.
        """
        self._take(match)
        if first and asks is Asks.NEW:
            self._asked_first = match.decision_id, match.asked_ms, self._known
        self._remember(match.version, events)
        self.tell()

    def follow(self, match: Match, past: list[tuple[int, list[Event]]]) -> None:
        """Take over the match as another process has led it on, through these versions; tell the readers."""
        for version, events in past:
            self._remember(version, events)
        self._take(match)
        self.tell()

    def replace(self, match: Match, partition: PartitionClock) -> None:
        """Start again from what the store says now: the log took another course."""
        self._take(match)
        self.partition = partition
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
        decision_id, before = self._put
        if decision_id != self.match.decision_id:
            self._put = self.match.decision_id, since
        elif since < before:
            self._put = decision_id, since

    def at_hand_ms(self, moment: float) -> int:
        """Return for how many milliseconds the bot had the open decision at a moment, for all we know.

        It counts from when the store asked, whenever this process heard of that: else whoever lets a server
        hear of it late would think for free. Only for a bot that was asked here it counts from when we could
        tell it, and without what passed while we did not listen.
        """
        match = self.match
        begin = self.partition.moment(match.asked_ms)
        seconds = moment - begin
        decision_id, since = self._put
        if decision_id and decision_id == match.decision_id:
            first_id, first_ms, told = self._asked_first
            if first_id == decision_id:
                # A credit counts for both alike.
                begin = max(begin, told + (match.asked_ms - first_ms) / 1000)
                seconds = moment - begin
            begin = max(begin, since)
            known = min(self._known, moment)
            if known > begin:
                # Unheard of we could not tell it: we did not listen, or the store was out of reach.
                missed = self.clock.deaf_between(begin, known)
                seconds -= max(missed, self.partition.cut_between(begin, known))
                begin = known
            seconds -= self.clock.deaf_between(begin, moment)
        return max(0, int(seconds * 1000))

    def age_ms(self) -> int:
        """Return for how many milliseconds the decision has been open for the store, whoever knew of it."""
        begin = self.partition.moment(self.match.asked_ms)
        return max(0, int((self.clock.monotonic() - begin) * 1000))

    def unheard_ms(self) -> int:
        """Return for how many milliseconds the decision was open unheard of, since our way to it was cut."""
        begin = self.partition.moment(self.match.asked_ms)
        return int(self.partition.cut_between(begin, self._known) * 1000)

    def remaining_ms(self) -> int:
        """Return the milliseconds left for the open decision."""
        return max(0, self.match.limit_ms - self.open_ms())

    def open_ms(self) -> int:
        """Return for how many milliseconds the open decision has been open; a credit may lie ahead of it."""
        return self.at_hand_ms(self.clock.monotonic())

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.phase is Phase.FINISHED

    def _take(self, match: Match) -> None:
        """Take over where the match stands now."""
        if match.decision_id != self.match.decision_id:
            self._known = self.clock.monotonic()
        self.match = match

    def _remember(self, version: int, events: list[Event]) -> None:
        """Keep the events of a version, and let go of the oldest."""
        history = self.history
        history.append((version, events))
        if len(history) > 2 * KEPT_VERSIONS:
            self.known_from = history[-KEPT_VERSIONS - 1][0]
            del history[:-KEPT_VERSIONS]
