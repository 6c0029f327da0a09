"""Bots that come back after our side cut them off, and what they are given for that (T6, T21)."""

import asyncio
from collections.abc import Collection
from typing import final

from shoal.server.hub.table import Table
from shoal.server.play.credits import Credits, away_ms, missing_bots
from shoal.server.store.keys import partition_of
from shoal.server.store.liveness import CUT_OFF_MS, LivenessStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Left, Place, Polling, SentAway, Streaming

LOOK_SECONDS = 0.1
"""How often one looks whether a process gives a sign of life that may have died just now."""


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
        (bot,) = await self._presences.whereabouts([bot_id])
        silent_ms = await self._silent_ms(bot_id, bot.place)
        if self._is_open(bot.place, silent_ms):
            streams = isinstance(bot.place, Streaming)
            if streams and not supersedes:
                return  # a poll leaves the stream where it is, and what becomes of that is known later too
            if not any(bot_id in missing_bots(table.match) for table in tables):
                return
            await self._decided(bot_id, bot.place, silent_ms)
            (bot,) = await self._presences.whereabouts([bot_id])
            silent_ms = await self._silent_ms(bot_id, bot.place)
        if lost_ms := _lost_ms(bot.place, silent_ms):
            await self._credits.make_good(tables, bot_id, lost_ms)
            if isinstance(bot.place, Streaming) and not supersedes:
                # Whoever polls is here from now on, and pays for its time. A process that only stood still
                # claims its bot again.
                await self._presences.release(bot_id, bot.place.process, bot.epoch, left=False)

    async def _decided(self, bot_id: str, place: Place, silent_ms: int) -> None:
        """Return when it is known whether the process of a bot lives, or when it has let the bot go."""
        was = place, silent_ms
        while self._is_open(*was):
            await asyncio.sleep(LOOK_SECONDS)
            (bot,) = await self._presences.whereabouts([bot_id])
            now = bot.place, await self._silent_ms(bot_id, bot.place)
            if now[0] != was[0] or now[1] < was[1]:
                return  # let go, or a sign of life
            was = now

    async def _silent_ms(self, bot_id: str, place: Place) -> int:
        """Return for how long our side has been silent, be it that no sign of life was due yet."""
        if isinstance(place, Left):
            return 0
        return away_ms(place, await self._liveness.silences(partition_of(bot_id)))

    def _is_open(self, place: Place, silent_ms: int) -> bool:
        """Tell whether a bot is at another process of which nobody knows yet whether it lives."""
        match place:
            case Streaming(process) | Polling(str(process)):
                return process != self._process and silent_ms <= CUT_OFF_MS
            case _:
                return False


def _lost_ms(place: Place, silent_ms: int) -> int:
    """Return for how long a bot was away because of us; 0 when it went by itself."""
    return silent_ms if isinstance(place, SentAway) or silent_ms > CUT_OFF_MS else 0
