"""Reads the outboxes: every finished match is counted once and leaves its bots' live sets."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

import structlog

from shoal.server.director.result import Finished, finished
from shoal.server.store.bots import BotStore
from shoal.server.store.direction import Fenced
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.outbox import Outbox

log = structlog.get_logger()

_BATCH: Final = 100
"""Entries of one partition that are read at a time."""

Count: TypeAlias = Callable[[Finished], Awaitable[str]]
"""Counts a match of a competition, once, and returns the id of the one that follows in its block, or ""."""

Create: TypeAlias = Callable[[list[str]], Awaitable[None]]
"""Creates the matches that follow."""

Told: TypeAlias = Callable[[Finished], None]
"""Is told of every match that is over."""


class ResultsReader:
    """Applies results at least once each.

    What is in an outbox is applied before the cursor passes it; a result that was applied before
    the cursor could pass is met again, and its competition knows it.
    """

    def __init__(
        self, outbox: Outbox, bots: BotStore, count: Count, create: Create, told: Told
    ) -> None:
        """Read from this outbox, and hand every match that is over to these."""
        self._outbox = outbox
        self._bots = bots
        self._count = count
        self._create = create
        self._told = told
        self._bell = asyncio.Event()

    def ring(self) -> None:
        """Look again: a match may be over."""
        self._bell.set()

    async def run(self, poll: float) -> None:
        """Read whenever the bell rings and every `poll` seconds, for ever."""
        while True:
            while await self.read():
                pass
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._bell.wait()
            self._bell.clear()

    async def read(self) -> bool:
        """Apply what is new in every partition; true if there was anything."""
        cursors = await self._outbox.cursors()
        entries = await self._outbox.read_many(dict(enumerate(cursors)), _BATCH)
        following: list[str] = []
        for entry in entries:
            try:
                following.append(await self._apply(finished(entry.payload)))
            except (StoreUnavailable, Fenced):
                raise
            except Exception:
                log.exception("result_rejected", match=entry.match_id)
                await self._outbox.reject(entry)
        await self._create([match_id for match_id in following if match_id])
        await self._outbox.advance({entry.partition: entry.position for entry in entries})
        return bool(entries)

    async def _apply(self, match: Finished) -> str:
        """Count a match; free its bots; say so; return the id of the one that follows. Again is harmless."""
        following = ""
        try:
            if match.competition:
                # One at a time: each rating builds on the one before.
                following = await self._count(match)
        finally:
            await self._bots.end_match(match.bots, match.match_id)
        self._told(match)
        return following
