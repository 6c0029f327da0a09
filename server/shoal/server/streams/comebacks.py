"""Bots that come back after our side cut them off, and what they are given for that (T6, T21)."""

from typing import final

from shoal.server.play.credits import MOST_FOR_A_DECISION_MS, Credits, is_cut_off
from shoal.server.store.liveness import LivenessStore
from shoal.server.store.presence import PresenceStore, Whereabouts
from shoal.server.streams.seats import Seats

CUT_OFF_MS = 1_200
"""A process that was silent for so long is dead, or stands still: it speaks up every half second."""


@final
class Comebacks:
    """Makes good what a bot has lost, before it is asked anything again."""

    def __init__(
        self, seats: Seats, presences: PresenceStore, liveness: LivenessStore, credit: Credits
    ) -> None:
        """Look for bots in `presences`, and for the processes that they were on in `liveness`."""
        self._seats = seats
        self._presences = presences
        self._liveness = liveness
        self._credits = credit

    async def make_good(self, bot_id: str) -> None:
        """Give a bot the time for which we kept it away. Call it before the bot counts as there again.

        From then on silence is its own.
        """
        (bot,) = await self._presences.whereabouts([bot_id])
        if bot.last_process is None or not await self._away_ms(bot):
            return
        tables = await self._seats.tables(bot_id)  # which takes time, with many: then anew
        (bot,) = await self._presences.whereabouts([bot_id])
        if away_ms := await self._away_ms(bot):
            await self._credits.make_good(tables, bot_id, away_ms)
            if bot.process:
                # Its process is dead: whoever only polls from now on is here, and pays for its time.
                await self._presences.release(bot_id, bot.process, bot.epoch, left=False)

    async def _away_ms(self, bot: Whereabouts) -> int:
        """Return for how long a bot was away because of us; 0 when it went by itself."""
        silences = await self._liveness.silences()
        if not is_cut_off(bot, silences, CUT_OFF_MS if bot.cut_ms is None else 0):
            return 0
        if bot.process is None and bot.cut_ms is not None:
            return bot.cut_ms
        return silences.get(bot.process or bot.last_process or "", MOST_FOR_A_DECISION_MS)
