"""Reads the outboxes: every finished match is counted once and leaves its bots' live sets."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

import structlog

from shoal.server.director.losses import Losses
from shoal.server.director.result import Finished, finished, is_annulled, stamped
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.errors import Fenced, StoreUnavailable
from shoal.server.store.keys import PARTITIONS
from shoal.server.store.outbox import Finished as Entry
from shoal.server.store.outbox import Outbox

log = structlog.get_logger()

_BATCH: Final = 100


class Counter(Protocol):
    """Who is handed every match that is over."""

    async def count(self, match: Finished) -> str:
        """Count a match, once, and return the id of the one that follows, or "".

        One of no competition counts for nothing.
        """

    async def create(self, match_ids: list[str]) -> None:
        """Create matches that follow others."""

    def doubt(self) -> None:
        """Take note that competitions are not what they were: they have lost results."""

    def finished(self, match: Finished) -> None:
        """Take note that a match is over; its bots are free."""


class ResultsReader:
    """Applies results at least once each.

    What is in an outbox is applied before the cursor passes it; a result that was applied before
    the cursor could pass is met again, and its competition knows it. One that it knows no more, since
    it failed over and lost that, is still in the outbox for a while, and is looked for on taking over
    and whenever a competition has fewer results than it should.
    """

    def __init__(self, outbox: Outbox, bots: BotStore, losses: Losses, counter: Counter) -> None:
        """Read from this outbox, and hand every match that is over to this counter."""
        self._outbox = outbox
        self._bots = bots
        self._losses = losses
        self._counter = counter
        self._bell = asyncio.Event()
        self.caught_up = float("-inf")
        """When it last began a look that found nothing new: what ended before has been counted."""

    def ring(self) -> None:
        """Look again: a match may be over."""
        self._bell.set()

    async def run(self, poll: float) -> None:
        """Read whenever the bell rings and every `poll` seconds, for ever."""
        await self.read_again()
        while True:
            while await self.read():
                pass
            if await self._losses.noticed():
                self._counter.doubt()
                await self.read_again()
            with suppress(TimeoutError):
                async with asyncio.timeout(poll):
                    await self._bell.wait()
            self._bell.clear()

    async def read(self) -> bool:
        """Apply what is new in every partition; true if there was anything."""
        began = time.monotonic()
        cursors = await self._outbox.cursors()
        entries = await self._outbox.read_many(dict(enumerate(cursors)), _BATCH)
        following: list[str] = []
        for entry in entries:
            try:
                following.append(await self._apply(_match_of(entry)))
            except (StoreUnavailable, Fenced):
                raise
            except Exception:
                log.exception("result_rejected", match=entry.match_id)
                await self._outbox.reject(entry)
        await self._counter.create([match_id for match_id in following if match_id])
        await self._outbox.advance({entry.partition: entry.position for entry in entries})
        if not entries:
            self.caught_up = began
        return bool(entries)

    async def read_again(self) -> None:
        """Apply what is kept before the cursors and is not counted, if it can be."""
        self._losses.begin()
        after = dict.fromkeys(range(PARTITIONS), "")
        while after:
            entries = await self._outbox.read_many(after, _BATCH)
            after = {entry.partition: entry.position for entry in entries}
            await self._apply_uncounted(entries)
        await self._losses.settle()

    async def _apply_uncounted(self, entries: Sequence[Entry]) -> None:
        """Apply those of these matches that their competition has not counted as they are."""
        matches: list[Finished] = []
        for entry in entries:
            with suppress(KeyError, ValueError):  # it is among the rejected ones
                matches.append(_match_of(entry))
        following: list[str] = []
        for match in await self._losses.uncounted(matches):
            with one_of_many("result_not_counted_again", match=match.match_id):
                following.append(await self._apply(match))
        await self._counter.create([match_id for match_id in following if match_id])

    async def _apply(self, match: Finished) -> str:
        """Count a match; free its bots; say so; return the id of the one that follows. Again is harmless."""
        following = ""
        try:
            # One at a time: each rating builds on the one before.
            following = await self._counter.count(match)
        finally:
            free = self._bots.annul_match if is_annulled(match) else self._bots.end_match
            await free(match.bots, match.match_id)
        self._counter.finished(match)
        return following


def _match_of(entry: Entry) -> Finished:
    """Read an outbox entry; raises KeyError or ValueError if it is none."""
    return finished(stamped(entry.payload, entry.ended_ms))
