"""The sweeper: enforces deadlines, whatever the seats and their connections do (T48).

Every process sweeps; compare-and-set makes two sweepers harmless.
"""

import asyncio
from contextlib import suppress
from functools import partial
from typing import final

import structlog

from shoal.match import VoidReason
from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.parts import Outages, Parts, Work
from shoal.server.play.cuts import Cuts
from shoal.server.play.overdue import Overdue
from shoal.server.play.ticks import Struck, Ticks
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.liveness import Silences
from shoal.server.together import all_of

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
        self._outages = Outages()

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
        """Sweep for ever what the ticks have struck, each match on its own.

        One that needs a part of the store that is away holds up no other; it is due again with the next tick.
        """
        async with asyncio.TaskGroup() as tasks:
            parts = Parts(tasks)
            while True:
                await self._ticks.struck.wait()
                struck = self._ticks.take()
                self._note(struck)
                for what, work in self._work(struck).items():
                    parts.do(what, partial(_try, work))

    async def sweep(self) -> None:
        """Act for every match that has been found due since the last sweep; raise StoreUnavailable."""
        struck = self._ticks.take()
        for failure in struck.failures.values():
            raise failure
        await all_of(work() for work in self._work(struck).values())

    def _note(self, struck: Struck) -> None:
        """Tell once of partitions that are away; raise what else went wrong in one."""
        for tick in struck.ticks:
            self._outages.note(tick.partition, away=False)
        for partition, failure in struck.failures.items():
            if not isinstance(failure, StoreUnavailable):
                raise failure
            self._outages.note(partition, away=True)
        if untold := self._outages.take_untold():
            log.warning("sweeper_waits_for_store", partitions=untold)

    def _work(self, struck: Struck) -> dict[str, Work]:
        """Return what is to be done now, by match; by "" what is not about one."""
        self._cuts.note(struck.cuts)
        work: dict[str, Work] = {"": self._make_good}
        now = self._attention.now()
        if self._may_act(now):
            self._acted = now
            for tick in struck.ticks:
                for match_id in tick.due:
                    work[match_id] = partial(self._act, match_id, tick.now_ms, tick.silences)
        for match_id, reason in self._condemned.all():
            work[match_id] = partial(self._void, match_id, reason)
        return work

    def _may_act(self, now: float) -> bool:
        """Tell whether to act for silent seats: not before what came while nobody listened was read.

        One that can hardly ever listen acts all the same.
        """
        recovering = now - self._attention.deaf_at < RECOVERY_SECONDS
        patient = now - self._acted < LONGEST_RECOVERY_SECONDS
        return not (recovering and patient)

    async def _make_good(self) -> None:
        """Give our bots what they lost while we were cut off from partitions, and could not be given yet."""
        with one_of_many("cut_not_made_good"):
            await self._cuts.make_good()

    async def _act(self, match_id: str, now_ms: int, silences: Silences) -> None:
        """Act for a match that is due."""
        with one_of_many("match_not_swept", match=match_id):
            await self._overdue.act(match_id, now_ms, silences)

    async def _void(self, match_id: str, reason: VoidReason) -> None:
        """End a match that cannot be counted."""
        with one_of_many("match_not_voided", match=match_id):
            await self._overdue.void(match_id, reason)


async def _try(work: Work) -> None:
    """Do what waits for the next tick while its part of the store is away, which is told of by the ticks."""
    with suppress(StoreUnavailable):
        await work()
