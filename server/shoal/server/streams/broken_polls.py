"""Polls that a cut of ours has ended, and which polls of their bots go on with them.

With a stream a bot is here in a cut too, and loses nothing by it. One that polls comes again after it.
"""

import time
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar, final

from shoal.server.hub.table import Table
from shoal.server.store.partition_clock import PartitionClock
from shoal.server.streams.session import Session

T = TypeVar("T")

AGAIN_SECONDS: Final = 3.0
"""How soon a bot polls again while it can be answered: with that it was here all the time."""

KEPT_SECONDS: Final = 60.0
"""How long something is kept of a bot that does not poll here again. In a cut nothing is let go."""


@final
class BrokenPoll(NamedTuple):
    """A poll that was ended by a cut: since when it, or the one that it went on with, was here.

    `told`: up to when its bot had been told what was asked, by a poll before. Moments are monotonic seconds.
    """

    since: float
    ended: float
    told: float

    def goes_on(self, clocks: Iterable[PartitionClock], now: float) -> bool:
        """Tell whether a poll that is here now came as soon as it could be answered.

        As long as we are cut off polls end before we know of whom they are.
        """
        passed = now - self.ended
        cut = max((clock.cut_between(self.ended, now) for clock in clocks), default=0.0)
        return passed - cut < AGAIN_SECONDS

    def lost_on(self, tables: Iterable[Table]) -> list[Table]:
        """Return the tables that have asked something since then."""
        return [table for table in tables if table.age.asked > self.told]


@final
class BrokenPolls:
    """Those of this process, by bot: of each the last one, and when it was answered last."""

    def __init__(self) -> None:
        """Begin without any."""
        self._answered: dict[str, float] = {}
        self._broken: dict[str, BrokenPoll] = {}

    def before(self, session: Session) -> BrokenPoll | None:
        """Return the one with which a poll goes on whose matches are read; None: it is the first."""
        broken = self._broken.get(session.bot_id)
        clocks = [table.partition for table in session.tables.values()]
        return broken if broken is not None and broken.goes_on(clocks, session.since) else None

    def answered(self, session: Session) -> None:
        """Note that a poll has told its bot all that is asked of it."""
        now = time.monotonic()
        self._broken.pop(session.bot_id, None)
        _put_last(self._answered, session.bot_id, now)
        while now - next(iter(self._answered.values())) > KEPT_SECONDS:
            del self._answered[next(iter(self._answered))]

    def broke(self, session: Session) -> None:
        """Note that a poll was ended by a cut of ours; one that had no match yet says nothing new."""
        if not session.tables and session.bot_id in self._broken:
            return
        now = time.monotonic()
        before = self.before(session)
        if before is not None:
            broken = before._replace(ended=now)
        else:
            told = self._answered.get(session.bot_id, session.since)
            broken = BrokenPoll(session.since, now, told)
        _put_last(self._broken, session.bot_id, broken)
        while now - next(iter(self._broken.values())).ended > KEPT_SECONDS:
            del self._broken[next(iter(self._broken))]


def _put_last(kept: dict[str, T], bot_id: str, value: T) -> None:
    """Keep something of a bot behind what is kept of all others, so that the oldest is the first."""
    kept.pop(bot_id, None)
    kept[bot_id] = value
