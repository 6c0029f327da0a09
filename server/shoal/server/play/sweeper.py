"""The sweeper: enforces deadlines, whatever the seats and their connections do (T48).

Every process sweeps; compare-and-set makes two sweepers harmless.
"""

import asyncio
from typing import final

import structlog

from shoal.server.guard import one_of_many
from shoal.server.play.playing import Playing
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import PARTITIONS
from shoal.server.store.matches import MatchStore

SWEEP_SECONDS = 0.5

log = structlog.get_logger()


@final
class Sweeper:
    """Ticks the clocks of all partitions and acts for whoever let a deadline pass."""

    def __init__(self, playing: Playing, store: MatchStore) -> None:
        """Sweep the matches of `store`."""
        self._playing = playing
        self._store = store

    async def run(self) -> None:
        """Sweep for ever; a store that is away is waited for."""
        away = False
        while True:
            try:
                await self.sweep()
                away = False
            except StoreUnavailable as error:
                if not away:
                    log.warning("sweeper_waits_for_store", error=str(error))
                away = True
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Tick every partition once, and act for every match that is due."""
        ticks = await asyncio.gather(*map(self._store.submit_tick, range(PARTITIONS)))
        for tick in ticks:
            for match_id in tick.due:
                with one_of_many("match_not_swept", match=match_id):
                    await self._playing.sweep(match_id)
