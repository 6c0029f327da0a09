"""The sweeper: enforces deadlines, whatever the seats and their connections do (T48).

Every process sweeps; compare-and-set makes two sweepers harmless.
"""

import asyncio
from typing import final

import structlog

from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.hub import Hub
from shoal.server.play.overdue import Overdue
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import PARTITIONS
from shoal.server.store.liveness import LivenessStore
from shoal.server.store.matches import MatchStore

SWEEP_SECONDS = 0.5

RECOVERY_SECONDS = 1.0
"""A process that could not listen reads what came meanwhile before it acts for anybody."""

log = structlog.get_logger()


@final
class Sweeper:
    """Ticks the clocks of all partitions, and acts where a deadline has come or a match cannot go on."""

    def __init__(
        self,
        process: str,
        hub: Hub,
        overdue: Overdue,
        matches: MatchStore,
        liveness: LivenessStore,
        attention: Attention,
    ) -> None:
        """Sweep the matches of `matches`; `process` names this process in the store."""
        self._process = process
        self._hub = hub
        self._overdue = overdue
        self._matches = matches
        self._liveness = liveness
        self._attention = attention

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
        """Say that the process is alive, tick every partition once, and act for every match that is due."""
        silences, ticks = await asyncio.gather(
            self._liveness.beat(self._process),
            asyncio.gather(*map(self._matches.submit_tick, range(PARTITIONS))),
        )
        for match_id, reason in self._hub.take_condemned():
            with one_of_many("match_not_voided", match=match_id):
                await self._overdue.void(match_id, reason)
        if self._attention.now() - self._attention.deaf_at < RECOVERY_SECONDS:
            return
        for tick in ticks:
            for match_id in tick.due:
                with one_of_many("match_not_swept", match=match_id):
                    await self._overdue.act(match_id, tick.now_ms, silences)
