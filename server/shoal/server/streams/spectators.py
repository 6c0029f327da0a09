"""Following a match without a seat."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import NamedTuple, final

from shoal.server.errors import Reason, Refusal
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bells import Bells
from shoal.server.store.keys import match_bell
from shoal.server.streams.session import History
from shoal.server.streams.sessions import BEAT_SECONDS


@final
class _Spectator:
    """A reader that only notes that something changed, here or elsewhere."""

    def __init__(self) -> None:
        """Start with a first look at the table."""
        self.changed = asyncio.Event()
        self.changed.set()
        self.stale = False

    def since_of(self, bot_id: str) -> float | None:  # noqa: ARG002 - a reader is asked for a bot
        """Return None: whoever looks on has no seat."""
        return None

    def touch(self, table: Table) -> None:  # noqa: ARG002 - a reader is told which table
        """Note that the table changed here."""
        self.changed.set()

    def ring(self) -> None:
        """Note that the store has news of the match."""
        self.stale = True
        self.changed.set()


@final
class Sight(NamedTuple):
    """A table at the moment, and what happened since the last sight; `whole`: with the match itself."""

    table: Table
    history: History
    whole: bool


@final
class Spectators:
    """All spectators of this process."""

    def __init__(self, hub: Hub, bells: Bells) -> None:
        """Follow the tables of `hub`."""
        self._hub = hub
        self._bells = bells
        self._watching: set[_Spectator] = set()
        self._draining = False

    async def follow(self, table: Table, since: int | None) -> AsyncIterator[Sight]:
        """Yield what there is to see now and after each change, until the match is over.

        With `since` the first sight has the events after that version, else none. It is yielded unchanged
        when nothing happened for `BEAT_SECONDS`, as a sign of life. A slow reader misses no version: it gets
        all since its last sight. Raise Refusal on draining, StoreUnavailable.
        """
        spectator = _Spectator()
        bell = match_bell(table.match.meta.match_id)
        self._watching.add(spectator)
        table = self._hub.attach(table, spectator)
        seen: int | None = None
        try:
            await self._bells.subscribe(bell, spectator.ring)
            while True:
                beat = not await _changed(spectator)
                if self._draining:
                    raise Refusal(Reason.DRAINING, "this server is about to stop", retry_after=1)
                if spectator.stale:
                    spectator.stale = False
                    await self._hub.catch_up([table])
                if beat or table.match.version != seen:
                    history = await self._after(table, since)
                    # Noted before the reader is given time: the table goes on meanwhile.
                    is_first, seen = seen is None, table.match.version
                    over, since = table.over, seen
                    yield Sight(table, history, whole=is_first or over)
                    if over:
                        return
        finally:
            self._bells.unsubscribe(bell, spectator.ring)
            self._hub.detach(table, spectator)
            self._watching.discard(spectator)

    async def _after(self, table: Table, version: int | None) -> History:
        """Return the events up to now after a version, as far as they can be read; none after None."""
        if version is None:
            return []
        missed: History = []
        while version < table.known_from:  # it goes on while it is read
            missed += await self._hub.history(table, version)
            version = missed[-1][0] if missed else table.match.version
        return missed + table.since(version)

    def drain(self) -> None:
        """End every following: the process is about to stop."""
        self._draining = True
        for spectator in self._watching:
            spectator.changed.set()


async def _changed(spectator: _Spectator) -> bool:
    """Return whether something changes within the time of a sign of life."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(BEAT_SECONDS):
            await spectator.changed.wait()
    changed = spectator.changed.is_set()
    spectator.changed.clear()
    return changed
