"""Following a match without a seat."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import final

from shoal.server.errors import Reason, Refusal
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bells import Bells
from shoal.server.store.keys import match_bell
from shoal.server.streams.sessions import BEAT_SECONDS


@final
class _Spectator:
    """A reader that only notes that something changed, here or elsewhere."""

    def __init__(self) -> None:
        """Start with a first look at the table."""
        self.changed = asyncio.Event()
        self.changed.set()
        self.stale = False

    def touch(self, table: Table) -> None:  # noqa: ARG002 - a reader is told which table
        """Note that the table changed here."""
        self.changed.set()

    def ring(self) -> None:
        """Note that the store has news of the match."""
        self.stale = True
        self.changed.set()


@final
class Spectators:
    """All spectators of this process."""

    def __init__(self, hub: Hub, bells: Bells) -> None:
        """Follow the tables of `hub`."""
        self._hub = hub
        self._bells = bells
        self._watching: set[_Spectator] = set()
        self._draining = False

    async def follow(self, table: Table) -> AsyncIterator[Table]:
        """Yield the table now and after each change, until the match is over.

        It is yielded unchanged when nothing happened for `BEAT_SECONDS`, as a sign of life.
        A slow reader misses no version: it reads all since its last one. Raise Refusal on draining.
        """
        spectator = _Spectator()
        bell = match_bell(table.match.meta.match_id)
        self._watching.add(spectator)
        table = self._hub.attach(table, spectator)
        try:
            await self._bells.subscribe(bell, spectator.ring)
            seen = -1
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BEAT_SECONDS):
                        await spectator.changed.wait()
                beat = not spectator.changed.is_set()
                spectator.changed.clear()
                if self._draining:
                    raise Refusal(Reason.DRAINING, "this server is about to stop", retry_after=1)
                if spectator.stale:
                    spectator.stale = False
                    await self._hub.catch_up([table])
                # Noted before the reader is given time: the table goes on meanwhile.
                over = table.over
                if beat or table.match.version != seen:
                    seen = table.match.version
                    yield table
                if over:
                    return
        finally:
            self._bells.unsubscribe(bell, spectator.ring)
            self._hub.detach(table, spectator)
            self._watching.discard(spectator)

    def drain(self) -> None:
        """End every following: the process is about to stop."""
        self._draining = True
        for spectator in self._watching:
            spectator.changed.set()
