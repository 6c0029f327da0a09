"""The sweeper: enforces deadlines, whatever the seats and their connections do (T48).

Every process sweeps; compare-and-set makes two sweepers harmless.
"""

import asyncio
from collections.abc import Mapping
from typing import final

import structlog

from shoal.match import VoidReason
from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.play.cuts import Cuts
from shoal.server.play.overdue import Overdue
from shoal.server.play.ticks import Ticks
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.liveness import Silences

SWEEP_SECONDS = 0.5
"""How often every partition is ticked; and so how often a process says that it is alive."""

RECOVERY_SECONDS = 1.0
"""A process that could not listen reads what came meanwhile before it acts for anybody."""

LONGEST_RECOVERY_SECONDS = 5.0

log = structlog.get_logger()


@final
class Sweeper:
    """Acts where a deadline has come or a match cannot go on."""

    def __init__(
        self,
        ticks: Ticks,
        condemned: Condemned,
        overdue: Overdue,
        cuts: Cuts,
        attention: Attention,
    ) -> None:
        """Sweep what `ticks` strike, end the condemned, and make good where we were cut off."""
        self._ticks = ticks
        self._condemned = condemned
        self._overdue = overdue
        self._cuts = cuts
        self._attention = attention
        self._acted = attention.now()

    async def start(self) -> None:
        """Tick every partition once, and act; raise StoreUnavailable when one is away."""
        await self._ticks.answered()
        await self.sweep()

    async def keep_alive(self) -> None:
        """For ever: tick, which says that the process is alive, however long a sweep takes."""
        while True:
            self._ticks.ask()
            await asyncio.sleep(SWEEP_SECONDS)

    async def run(self) -> None:
        """Sweep for ever what the ticks have struck; a store that is away is waited for."""
        away = False
        while True:
            await self._ticks.struck.wait()
            try:
                await self.sweep()
                away = False
            except StoreUnavailable as error:
                if not away:
                    log.warning("sweeper_waits_for_store", error=str(error))
                away = True

    async def sweep(self) -> None:
        """Act for every match that has been found due since the last sweep.

        Of a store in parts, those that are there are swept. Raise StoreUnavailable when some was not.
        """
        ticks, failures, cuts = self._ticks.take()
        work = [self._void(*each) for each in self._condemned.all()]
        work.append(self._make_good(cuts))
        now = self._attention.now()
        if self._may_act(now):
            self._acted = now
            work += [
                self._act(match_id, tick.now_ms, tick.silences)
                for tick in ticks
                for match_id in tick.due
            ]
        acted = await asyncio.gather(*work, return_exceptions=True)
        failed = [*failures, *(each for each in acted if isinstance(each, BaseException))]
        if failed:
            raise failed[0]

    def _may_act(self, now: float) -> bool:
        """Tell whether to act for silent seats: not before what came while nobody listened was read.

        One that can hardly ever listen acts all the same.
        """
        recovering = now - self._attention.deaf_at < RECOVERY_SECONDS
        patient = now - self._acted < LONGEST_RECOVERY_SECONDS
        return not (recovering and patient)

    async def _make_good(self, cuts: Mapping[int, float]) -> None:
        """Give our bots what they lost while we were cut off from partitions, and could not be given yet."""
        with one_of_many("cut_not_made_good"):
            await self._cuts.make_good(cuts)

    async def _act(self, match_id: str, now_ms: int, silences: Silences) -> None:
        """Act for a match that is due."""
        with one_of_many("match_not_swept", match=match_id):
            await self._overdue.act(match_id, now_ms, silences)

    async def _void(self, match_id: str, reason: VoidReason) -> None:
        """End a match that cannot be counted."""
        with one_of_many("match_not_voided", match=match_id):
            await self._overdue.void(match_id, reason)
