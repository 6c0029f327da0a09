"""A clock that stands still while this process cannot listen.

A server that is stopped, starved or blocked finds messages that came long ago, and cannot tell when. What
a seat is charged is measured on this clock, so that nobody pays for our not listening (T44, T47).
"""

import asyncio
import time
from collections.abc import Callable
from typing import final

import structlog

log = structlog.get_logger()

TICK_SECONDS = 0.05
DEAF_SECONDS = 0.2
"""A gap that is this long is no ordinary wait for a turn."""


@final
class Attention:
    """Seconds during which the process listened, since it was made."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Begin to listen now."""
        self._monotonic = monotonic
        self._looked = monotonic()
        self._deaf = 0.0
        self.deaf_at = float("-inf")
        """When, by this clock, it was last found that nobody had listened."""

    def now(self) -> float:
        """Return the time on this clock.

        Asking is no listening: whatever asks may be one of many things that keep the process from it.
        """
        now = self._monotonic()
        gap = now - self._looked
        if gap > DEAF_SECONDS:
            self._looked = now
            self._deaf += gap - TICK_SECONDS
            self.deaf_at = now - self._deaf
            log.warning("stood_still", seconds=round(gap, 3))
        return now - self._deaf

    def listen(self) -> None:
        """Note that the process had its ears open just now."""
        self.now()
        self._looked = self._monotonic()

    def at(self, moment: float) -> float:
        """Return what the clock said at a moment of the monotonic clock.

        Of one before it last stood still, an earlier time than that: the error favors whoever is charged.
        """
        if not 0 <= moment - self._looked <= DEAF_SECONDS:
            self.now()
        return moment - self._deaf

    async def keep(self) -> None:
        """For ever: listen, so that only what keeps the process from it is a gap."""
        while True:
            self.listen()
            await asyncio.sleep(TICK_SECONDS)
