"""Bots that come back after our side cut them off, and what they are given for that (T6, T21)."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import final

from shoal.server.gaps import measure
from shoal.server.hub.table import Table
from shoal.server.play.credits import Credits, away_ms, missing_bots
from shoal.server.store.keys import partition_of
from shoal.server.store.liveness import CUT_OFF_MS, LivenessStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Dropped, Left, Place, Polling, SentAway, Streaming

SIGN_MS = 600
"""A process that lives has given its next sign of life by then: it ticks every half second."""


@final
class Comebacks:
    """Makes good what a bot has lost, before it is asked anything again."""

    def __init__(
        self,
        process: str,
        presences: PresenceStore,
        liveness: LivenessStore,
        credit: Credits,
    ) -> None:
        """Look for bots in `presences`, and for the processes that they were on in `liveness`.

        `process` names this one in the store.
        """
        self._process = process
        self._presences = presences
        self._liveness = liveness
        self._credits = credit

    async def make_good(self, bot_id: str, tables: Collection[Table], *, supersedes: bool) -> None:
        """Give a bot the time for which we kept it away, at the tables of its live matches, just read.

        Call it before the bot counts as there again: from then on silence is its own, and nobody knows any
        more where it was. Until then nobody acts for it, however long it took to read its matches, and all
        of that time is part of what it is given. `supersedes`: it comes with a stream, which takes the place
        of another; then a bot whose process may have died just now waits until that is known, about a second.
        """
        seen = await self._look(bot_id)
        if self._is_open(seen):
            streams = isinstance(seen.place, Streaming)
            if streams and not supersedes:
                return  # a poll leaves the stream where it is, and what becomes of that is known later too
            if not any(bot_id in missing_bots(table.match) for table in tables):
                return
            seen = await self._decided(bot_id, seen)
        if lost_ms := _lost_ms(seen):
            if self._is_mine(seen.place):
                await self._make_good_here(bot_id, tables, lost_ms)
            else:
                await self._credits.make_good(tables, bot_id, lost_ms)
            if isinstance(seen.place, Streaming) and not supersedes:
                # Whoever polls is here from now on, and pays for its time. A process that only stood still
                # claims its bot again.
                await self._presences.release(bot_id, seen.place.process, seen.epoch, left=False)

    async def _make_good_here(self, bot_id: str, tables: Collection[Table], silent_ms: int) -> None:
        """Give a bot that comes to this process again what it lost while this one gave no sign of life.

        What was asked before that the bot was told, and it could answer while we listened.
        """
        for table in tables:
            lost_ms = silent_ms
            if table.age_ms() > silent_ms:
                now = table.clock.monotonic()
                gaps = table.clock.gaps_within(now - silent_ms / 1000, now)
                lost_ms = int(measure(gaps) * 1000)
            if lost_ms:
                await self._credits.make_good([table], bot_id, lost_ms)

    def _is_mine(self, place: Place) -> bool:
        """Tell whether a bot has its stream, or its poll, at this process, or had it when a cut began."""
        match place:
            case Streaming(process) | Polling(str(process)) | Dropped(process):
                return process == self._process
            case _:
                return False

    async def _decided(self, bot_id: str, seen: "_Sight") -> "_Sight":
        """Return where a bot is when it is known whether its process lives, or when it has let the bot go.

        Many may come at once, so nobody looks before there can be news.
        """
        while self._is_open(seen):
            news_ms = SIGN_MS if seen.silent_ms < SIGN_MS else CUT_OFF_MS + 1
            await asyncio.sleep((news_ms - seen.silent_ms) / 1000)
            now = await self._look(bot_id)
            if now.place != seen.place or now.sign_ms > seen.sign_ms:
                return now
            seen = now
        return seen

    async def _look(self, bot_id: str) -> "_Sight":
        """Return where a bot is, and for how long our side has been silent there."""
        (bot,) = await self._presences.whereabouts([bot_id])
        if isinstance(bot.place, Left):
            return _Sight(bot.place, bot.epoch, 0, 0)
        signs = await self._liveness.signs(partition_of(bot_id))
        silent_ms = away_ms(bot.place, signs.silences)
        return _Sight(bot.place, bot.epoch, silent_ms, signs.now_ms - silent_ms)

    def _is_open(self, seen: "_Sight") -> bool:
        """Tell whether a bot is at another process of which nobody knows yet whether it lives."""
        match seen.place:
            case Streaming() | Polling(str()):
                return not self._is_mine(seen.place) and seen.silent_ms <= CUT_OFF_MS
            case _:
                return False


@final
@dataclass(frozen=True, slots=True)
class _Sight:
    """Where a bot was seen. `epoch`: how often it has been claimed."""

    place: Place
    epoch: int
    silent_ms: int
    """For how long our side has been silent, though its next sign of life may not have been due yet."""

    sign_ms: int
    """When it was not, in the time of the bot's partition."""


def _lost_ms(seen: _Sight) -> int:
    """Return for how long a bot was away because of us; 0 when it went by itself."""
    is_ours = isinstance(seen.place, SentAway) or seen.silent_ms > CUT_OFF_MS
    return seen.silent_ms if is_ours else 0
