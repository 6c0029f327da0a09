"""The time in which a run has no stream: it is said when it begins, while it lasts, and when it ends."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from shoal.client.servers import Servers
from shoal.client.stream import Broken
from shoal.client.tally import Tally

log = logging.getLogger("shoal.client")

FIRST = 5.0
"""Seconds without a stream after which it is said that they go on."""

EVERY = 60.0
"""Seconds after which it is said again."""

_AWAY = "STORE_UNAVAILABLE"
"""The reason with which a server refuses while its store is away: then the clocks stand still."""


class Clock(Protocol):
    """What an outage needs of an event loop."""

    def time(self) -> float:
        """Return the seconds since some moment."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        """Call something after so many seconds."""
        ...


class Outage:
    """Whether a run is without a stream, since when, and who has been told."""

    def __init__(self, servers: Servers, tally: Tally, clock: Clock) -> None:
        """Start with a stream, or without the wish for one."""
        self._servers = servers
        self._tally = tally
        self._clock = clock
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._told = False
        self._reason = ""

    def begin(self, first: float = FIRST) -> None:
        """Take in that there is no stream; after `first` seconds it is said that there is none."""
        if self._timer is None:
            self._reason = ""
            self._since = self._clock.time()
            self._timer = self._clock.call_later(first, self._remind)

    def explain(self, broken: Broken, delay: float | None, *, quiet: bool) -> None:
        """Say why a stream ended, and what is done: None for a `delay` is to go to the next server.

        It is one line for each outage: what follows is said only to those who listen closely, and so is
        what is `quiet`, because an error will say it.
        """
        self._reason = "" if broken.error is None else broken.error.reason
        level = logging.INFO if self._told or quiet else logging.WARNING
        self._told = self._told or not quiet
        if delay is None:
            log.log(level, "%s; going on at %s", broken.why, self._servers.current.target)
        else:
            log.log(level, "%s; connecting again in %.1f s", broken.why, delay)

    def end(self) -> None:
        """Take in that there is a stream."""
        self.close()
        if self._told:
            self._told = False
            where = f", at {self._servers.current.target}" if self._servers.several else ""
            log.warning("connected again%s", where)

    def close(self) -> None:
        """Say no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _remind(self) -> None:
        """Say how long it has lasted, and what is at stake."""
        self._told = True
        self._timer = self._clock.call_later(EVERY, self._remind)
        what = self._reason or "no server"
        seconds = self._clock.time() - self._since
        log.warning("%s at %s for %.0f s, %s", what, self._servers, seconds, self._stake())

    def _stake(self) -> str:
        live = self._tally.live
        if not live:
            return "no match is open"
        matches = "1 match is open" if live == 1 else f"{live} matches are open"
        if self._reason == _AWAY:
            return matches
        its = "its" if live == 1 else "their"
        return f"{matches} and will be lost by silence when {its} time is up"
