"""Bots that come back after our side cut them off, and what they are given for that (T6, T21)."""

from typing import final

from shoal.server.play.credits import Credits, away_ms
from shoal.server.store.keys import partition_of
from shoal.server.store.liveness import CUT_OFF_MS, LivenessStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Left, Place, SentAway, Streaming
from shoal.server.streams.seats import Seats


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
        if not await self._away_ms(bot_id, bot.place):
            return
        tables = await self._seats.tables(bot_id)  # which takes time, with many: then anew
        (bot,) = await self._presences.whereabouts([bot_id])
        if away := await self._away_ms(bot_id, bot.place):
            await self._credits.make_good(tables, bot_id, away)
            if isinstance(bot.place, Streaming):
                # Its process is dead: whoever only polls from now on is here, and pays for its time.
                await self._presences.release(bot_id, bot.place.process, bot.epoch, left=False)

    async def _away_ms(self, bot_id: str, place: Place) -> int:
        """Return for how long a bot was away because of us; 0 when it went by itself."""
        if isinstance(place, Left):
            return 0
        away = away_ms(place, await self._liveness.silences(partition_of(bot_id)))
        least = 0 if isinstance(place, SentAway) else CUT_OFF_MS
        return away if away > least else 0
