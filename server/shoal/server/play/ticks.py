"""The ticks of this process: the clocks of all partitions, struck again and again.

A tick is the sign of life of a process too (T6). So a partition that is away holds up none of the others, and
neither does what has to be done about the matches that are due.
"""

import asyncio
from dataclasses import replace
from functools import partial
from typing import NamedTuple, final

from shoal.server.store.keys import PARTITIONS
from shoal.server.store.liveness import CUT_OFF_MS, LONG_MS
from shoal.server.store.matches import MatchStore, Tick


@final
class Struck(NamedTuple):
    """The last tick of each partition that ticked.

    And by partition what went wrong in others, and since when there were cuts that have ended.
    """

    ticks: list[Tick]
    failures: dict[int, BaseException]
    cuts: dict[int, float]


@final
class Ticks:
    """What the clocks have struck. `struck` is set while there is something to take."""

    def __init__(self, process: str, matches: MatchStore) -> None:
        """Begin without any; `process` names this process in the store."""
        self.struck = asyncio.Event()
        self._process = process
        self._matches = matches
        self._asked: dict[int, asyncio.Future[Tick]] = {}
        self._outcomes: dict[int, Tick | BaseException] = {}

    def ask(self) -> None:
        """Tick every partition that has answered the tick before."""
        for partition in range(PARTITIONS):
            if partition not in self._asked:
                asked = self._matches.submit_tick(partition, process=self._process)
                self._asked[partition] = asked
                asked.add_done_callback(partial(self._answered, partition))

    async def answered(self) -> None:
        """Tick every partition, and return when each has answered or is known to be away."""
        self.ask()
        await asyncio.wait(list(self._asked.values()))

    def take(self) -> Struck:
        """Return what has come since this was called."""
        outcomes, self._outcomes = self._outcomes, {}
        self.struck.clear()
        ticks = [each for each in outcomes.values() if isinstance(each, Tick)]
        failures = {
            part: each for part, each in outcomes.items() if isinstance(each, BaseException)
        }
        # Not what these ticks tell: any other that asks for the time may be the first to hear of it again.
        return Struck(ticks, failures, self._matches.take_cuts())

    def _answered(self, partition: int, asked: "asyncio.Future[Tick]") -> None:
        """Keep what came of a tick."""
        del self._asked[partition]
        if not asked.cancelled():
            self._outcomes[partition] = asked.exception() or self._judged(asked.result())
            self.struck.set()

    def _judged(self, tick: Tick) -> Tick:
        """Return the tick without our own silence, where that is no longer than ticks may be apart."""
        if tick.silences.get(self._process, LONG_MS) > CUT_OFF_MS:
            return tick
        return replace(tick, silences={**tick.silences, self._process: 0})
