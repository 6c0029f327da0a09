"""Bots that come back after our side cut them off, and what they are given for that (T6, T21)."""

import asyncio
import time
from typing import final

from shoal.server.play.credits import Credits, away_ms, is_awaited
from shoal.server.store.keys import partition_of
from shoal.server.store.liveness import CUT_OFF_MS, LivenessStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Left, Place, Polling, SentAway, Streaming
from shoal.server.streams.seats import Seats
from shoal.server.streams.session import Session

LOOK_SECONDS = 0.1
"""How often one looks whether a process gives a sign of life that may have died just now."""


OPENING_MS = 500
"""Finding a bot's matches may take so long, in milliseconds, before the bot is given the time for it."""


@final
class Comebacks:
    """Makes good what a bot has lost, before it is asked anything again."""

    def __init__(
        self,
        process: str,
        seats: Seats,
        presences: PresenceStore,
        liveness: LivenessStore,
        credit: Credits,
    ) -> None:
        """Look for bots in `presences`, and for the processes that they were on in `liveness`.

        `process` names this one in the store.
        """
        self._process = process
        self._seats = seats
        self._presences = presences
        self._liveness = liveness
        self._credits = credit

    async def make_good(self, bot_id: str) -> None:
        """Give a bot the time for which we kept it away. Call it before the bot counts as there again.

        From then on silence is its own, and nobody knows any more where it was. So a bot whose process may
        have died just now waits until that is known, about a second at most.
        """
        (bot,) = await self._presences.whereabouts([bot_id])
        silent_ms = await self._silent_ms(bot_id, bot.place)
        if self._is_open(bot.place, silent_ms):
            if not any(is_awaited(table, bot_id) for table in await self._seats.tables(bot_id)):
                return
            await self._decided(bot_id, bot.place, silent_ms)
        elif not _lost_ms(bot.place, silent_ms):
            return
        tables = await self._seats.tables(bot_id)  # which takes time, with many: then anew
        (bot,) = await self._presences.whereabouts([bot_id])
        if lost_ms := _lost_ms(bot.place, await self._silent_ms(bot_id, bot.place)):
            await self._credits.make_good(tables, bot_id, lost_ms)
            if isinstance(bot.place, Streaming):
                # Its process is dead: whoever only polls from now on is here, and pays for its time.
                await self._presences.release(bot_id, bot.place.process, bot.epoch, left=False)

    async def opened(self, session: Session, since: float) -> None:
        """Give a bot the time in which we looked for its matches, monotonic `since`, if that was long.

        A server that has died brings all its bots to another one at once, which reads every match of each
        before it says the first word: that is no thinking of theirs.
        """
        took_ms = int((time.monotonic() - since) * 1000)
        if took_ms > OPENING_MS:
            await self._credits.make_good(session.tables.values(), session.bot_id, took_ms)

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
