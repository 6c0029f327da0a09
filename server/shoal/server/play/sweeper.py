"""The sweeper: enforces deadlines, whatever the seats and their connections do (T48).

Every process sweeps; compare-and-set makes two sweepers harmless.
"""

import asyncio
from contextlib import suppress
from typing import final

import structlog

from shoal.match import VoidReason
from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.play.overdue import Overdue
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import PARTITIONS
from shoal.server.store.liveness import LivenessStore, Silences
from shoal.server.store.matches import MatchStore, Tick

SWEEP_SECONDS = 0.5

BEAT_SECONDS = 0.5
SILENCES_HOLD_SECONDS = 2.0
"""For how long it is believed which processes were alive."""

RECOVERY_SECONDS = 1.0
"""A process that could not listen reads what came meanwhile before it acts for anybody."""

LONGEST_RECOVERY_SECONDS = 5.0

log = structlog.get_logger()


@final
class Sweeper:
    """Ticks the clocks of all partitions, and acts where a deadline has come or a match cannot go on."""

    def __init__(
        self,
        process: str,
        condemned: Condemned,
        overdue: Overdue,
        matches: MatchStore,
        liveness: LivenessStore,
        attention: Attention,
    ) -> None:
        """Sweep `matches`, and end the condemned; `process` names this process in the store."""
        self._process = process
        self._condemned = condemned
        self._overdue = overdue
        self._matches = matches
        self._liveness = liveness
        self._attention = attention
        self._silences: Silences = {}
        self._heard = float("-inf")
        self._acted = attention.now()

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
        """Tick every partition once, and act for every match that is due.

        Of a store in parts, those that are there are swept. Raise StoreUnavailable when some was not.
        """
        ticks = await asyncio.gather(
            *map(self._matches.submit_tick, range(PARTITIONS)), return_exceptions=True
        )
        work = [self._void(*each) for each in self._condemned.all()]
        now = self._attention.now()
        if self._may_act(now):
            self._acted = now
            work += [
                self._act(match_id, tick.now_ms, self._silences)
                for tick in ticks
                if isinstance(tick, Tick)
                for match_id in tick.due
            ]
        acted = await asyncio.gather(*work, return_exceptions=True)
        failed = [each for each in (*ticks, *acted) if isinstance(each, BaseException)]
        if failed:
            raise failed[0]

    async def keep_alive(self) -> None:
        """For ever: say that the process is alive, however long a sweep takes."""
        while True:
            with suppress(StoreUnavailable):
                await self.beat()
            await asyncio.sleep(BEAT_SECONDS)

    async def beat(self) -> None:
        """Say that the process is alive, and hear who else is."""
        self._silences = await self._liveness.beat(self._process)
        self._heard = self._attention.now()

    def _may_act(self, now: float) -> bool:
        """Tell whether to act for silent seats: not before what came while nobody listened was read.

        Nor without knowing which processes are alive. One that can hardly ever listen acts all the same.
        """
        recovering = now - self._attention.deaf_at < RECOVERY_SECONDS
        patient = now - self._acted < LONGEST_RECOVERY_SECONDS
        return now - self._heard < SILENCES_HOLD_SECONDS and not (recovering and patient)

    async def _act(self, match_id: str, now_ms: int, silences: Silences) -> None:
        """Act for a match that is due."""
        with one_of_many("match_not_swept", match=match_id):
            await self._overdue.act(match_id, now_ms, silences)

    async def _void(self, match_id: str, reason: VoidReason) -> None:
        """End a match that cannot be counted."""
        with one_of_many("match_not_voided", match=match_id):
            await self._overdue.void(match_id, reason)
