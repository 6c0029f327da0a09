"""A clock that stands still while this process cannot listen.

A server that is stopped, starved or blocked finds messages that came long ago, and cannot tell when. What
a seat is charged is measured on this clock, so that nobody pays for our not listening (T44, T47).
"""

import asyncio
import time
from collections.abc import Callable
from typing import final

import structlog

from shoal.server.gaps import Gaps, Interval

log = structlog.get_logger()

TICK_SECONDS = 0.05
DEAF_SECONDS = 0.2
"""A gap that is this long is no ordinary wait for a turn."""


@final
class Attention:
    """Seconds during which the process listened, since it was made."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Begin to listen now."""
        self.monotonic = monotonic
        self._looked = monotonic()
        self._deaf = 0.0
        self._gaps = Gaps()
        self.deaf_at = float("-inf")
        """When, by this clock, it was last found that nobody had listened."""

    def now(self) -> float:
        """Return the time on this clock.

        Asking is no listening: whatever asks may be one of many things that keep the process from it.
        """
        now = self.monotonic()
        gap = now - self._looked
        if gap > DEAF_SECONDS:
            self._gaps.add(self._looked + TICK_SECONDS, now)
            self._looked = now
            self._deaf += gap - TICK_SECONDS
            self.deaf_at = now - self._deaf
            log.warning("stood_still", seconds=round(gap, 3))
        return now - self._deaf

    def listen(self) -> None:
        """Note that the process had its ears open just now."""
        self.now()
        self._looked = self.monotonic()

    def listened_since(self, begin: float) -> bool:
        """Tell whether the process has always listened since a monotonic moment."""
        self.now()
        return self._gaps.latest <= begin

    def gaps_within(self, begin: float, end: float) -> list[Interval]:
        """Return when between two monotonic moments the process did not listen."""
        self.now()
        return self._gaps.within(begin, end)

    async def keep(self) -> None:
        """For ever: listen, so that only what keeps the process from it is a gap."""
        while True:
            self.listen()
            await asyncio.sleep(TICK_SECONDS)
