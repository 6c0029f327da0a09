"""A match at hand in this process, with what happened lately and who is reading along."""

import asyncio
from typing import Any, Protocol, final

from shoal.engine import Event
from shoal.match import Asks, Entry, Match, Phase
from shoal.server.hub.attention import Attention

KEPT_VERSIONS = 128
"""How many versions of events are kept at least: more than can pass between two decisions of one seat."""


class Reader(Protocol):
    """Whoever is told that a table changed. It reads the table when it is ready to, not before."""

    def touch(self, table: "Table") -> None:
        """Note that the table changed; must not block."""


@final
class Table:
    """One match at hand. Only the hub and the committer change it.

    `asked_at` is the time on `clock`, in seconds, at which the open decision was asked.
    `history` holds `(version, events)` of the latest versions, with their secrets; it reaches back to
    just after `known_from`. `committing` is set while a step of this match is on its way to the store.
    `attempt` is an answer that came and the store could not take, and when it came.
    """

    __slots__ = (
        "asked_at",
        "attempt",
        "clock",
        "committing",
        "history",
        "known_from",
        "match",
        "readers",
        "seat_by_bot",
    )

    def __init__(self, match: Match, asked_at: float, clock: Attention) -> None:
        """Start with a match as it was read from the store."""
        self.clock = clock
        self.match = match
        self.asked_at = asked_at
        self.history: list[tuple[int, list[Event]]] = []
        self.known_from = match.version
        self.seat_by_bot = {each.bot_id: seat for seat, each in enumerate(match.meta.seats)}
        self.readers: set[Reader] = set()
        self.committing: asyncio.Future[Any] | None = None
        self.attempt: tuple[Entry, float] | None = None

    def advance(self, match: Match, events: list[Event], asks: Asks) -> None:
        """Take over the next version of the match, and tell the readers."""
        if asks is Asks.NEW:
            self.asked_at = self.clock.now()
        elif asks is Asks.LONGER:
            self._ask_later(match)
        self.match = match
        self._remember(match.version, events)
        self.tell()

    def follow(self, match: Match, past: list[tuple[int, list[Event]]]) -> None:
        """Take over the match as another process has led it on, through these versions; tell the readers."""
        for version, events in past:
            self._remember(version, events)
        # When it was asked, not when we heard of it: else a late bell would be time for free.
        self._ask_later(match)
        self.asked_at = min(self.clock.now(), self.asked_at)
        self.match = match
        self.tell()

    def replace(self, match: Match, asked_at: float) -> None:
        """Start again from what the store says now: the log took another course."""
        self.match = match
        self.asked_at = asked_at
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

    def remaining_ms(self) -> int:
        """Return the milliseconds left for the open decision."""
        return max(0, self.match.limit_ms - self.open_ms())

    def open_ms(self) -> int:
        """Return for how many milliseconds the open decision has been open; a credit may lie ahead of it."""
        return max(0, int((self.clock.now() - self.asked_at) * 1000))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.phase is Phase.FINISHED

    def _ask_later(self, match: Match) -> None:
        """Move the start of the open decision by as much as the store has moved it."""
        self.asked_at += (match.asked_ms - self.match.asked_ms) / 1000

    def _remember(self, version: int, events: list[Event]) -> None:
        """Keep the events of a version, and let go of the oldest."""
        history = self.history
        history.append((version, events))
        if len(history) > 2 * KEPT_VERSIONS:
            self.known_from = history[-KEPT_VERSIONS - 1][0]
            del history[:-KEPT_VERSIONS]
