"""Reads the outboxes: every finished match is counted once and leaves its bots' live sets."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import structlog

from shoal.server.director.result import (
    Finished,
    absent,
    finished,
    is_annulled,
    scores_after,
    scores_without,
    takes_back,
)
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.errors import Fenced, StoreUnavailable
from shoal.server.store.keys import PARTITIONS
from shoal.server.store.ladders import LadderStore
from shoal.server.store.outbox import Finished as Entry
from shoal.server.store.outbox import Outbox

log = structlog.get_logger()

_BATCH: Final = 100
"""Entries of one partition that are read at a time."""

Told: TypeAlias = Callable[[str, Sequence[str]], None]
"""Is told the id of a match that is over, and which bots did not answer in it."""


class ResultsReader:
    """Applies results at least once each, and counts each once, under the token of a lease.

    What is in an outbox is applied before the cursor passes it; a result that was applied before
    the cursor could pass is met again, and the ladder knows it. One that the ladder knows no more, since
    it failed over and lost that, is still in the outbox for a while, and is looked for on taking over
    and whenever a ladder has fewer results than it should.
    """

    def __init__(
        self, outbox: Outbox, bots: BotStore, ladders: LadderStore, token: int, told: Told
    ) -> None:
        """Use these stores, and tell of every match that is over."""
        self._outbox = outbox
        self._bots = bots
        self._ladders = ladders
        self._token = token
        self._told = told
        self._bell = asyncio.Event()
        self._sizes: dict[str, int] = {}
        self._lost = False
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
            if await self._has_lost():
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
        for entry in entries:
            try:
                await self._apply(finished(entry.payload))
            except (StoreUnavailable, Fenced):
                raise
            except Exception:
                log.exception("result_rejected", match=entry.match_id)
                await self._outbox.reject(entry)
        await self._outbox.advance({entry.partition: entry.position for entry in entries})
        if not entries:
            self.caught_up = began
        return bool(entries)

    async def read_again(self) -> None:
        """Apply what is kept before the cursors and is not counted, if it can be."""
        self._lost = False
        after = dict.fromkeys(range(PARTITIONS), "")
        while after:
            entries = await self._outbox.read_many(after, _BATCH)
            after = {entry.partition: entry.position for entry in entries}
            await self._apply_uncounted(entries)
        # What there is now is what there must be from now on.
        ids = [each.ladder_id for each in await self._ladders.ladders()]
        self._sizes = dict(zip(ids, await self._ladders.sizes(ids), strict=True))

    async def _apply_uncounted(self, entries: Sequence[Entry]) -> None:
        """Apply those of these matches that their ladder has not counted as they are."""
        by_ladder = defaultdict[str, list[Finished]](list)
        for entry in entries:
            with suppress(KeyError, ValueError):  # it is among the rejected ones
                match = finished(entry.payload)
                by_ladder[match.ladder].append(match)
        by_ladder.pop("", None)
        for ladder_id, matches in by_ladder.items():
            ids = [match.match_id for match in matches]
            counted = await self._ladders.counted(ladder_id, ids)
            for match in matches:
                known = counted[match.match_id]
                if known is None or takes_back(match, finished(known)):
                    with one_of_many("result_not_counted_again", match=match.match_id):
                        await self._apply(match)

    async def _has_lost(self) -> bool:
        """Tell whether a ladder has lost results that were counted here."""
        sizes = dict(self._sizes)
        now = await self._ladders.sizes(list(sizes))
        shrunk = [
            ladder for (ladder, size), is_ in zip(sizes.items(), now, strict=True) if size > is_
        ]
        if shrunk or self._lost:
            log.warning("results_lost", ladders=shrunk)
        return bool(shrunk) or self._lost

    async def _apply(self, match: Finished) -> None:
        """Count a match, if it is of a ladder; free its bots; say so. Again is harmless."""
        try:
            if match.ladder:
                await self._count(match)
        finally:
            free = self._bots.annul_match if is_annulled(match) else self._bots.end_match
            await free(match.bots, match.match_id)
        self._told(match.match_id, absent(match))

    async def _count(self, match: Finished) -> None:
        """Put a match into its ladder. One at a time: each rating builds on the one before.

        One that is void after all takes the place of what was counted.
        """
        ladder_id, match_id = match.ladder, match.match_id
        before = await self._ladders.before(ladder_id, match_id, match.bots)
        if before.counted is None:
            scores = scores_after(match, before.scores)
            done = await self._ladders.count(
                self._token, ladder_id, match_id, match.payload, scores
            )
        elif takes_back(match, counted := finished(before.counted)):
            log.warning("result_taken_back", match=match_id)
            results = (counted.payload, match.payload)
            scores = scores_without(counted, before.scores)
            done = await self._ladders.take_back(self._token, ladder_id, match_id, results, scores)
        else:
            return
        expected = self._sizes.get(ladder_id, done.results - 1) + (
            done.now and before.counted is None
        )
        self._lost |= done.results < expected
        self._sizes[ladder_id] = done.results
