"""What moves took of our time and of everybody's leeway: a line in the log each minute (T46, T47, T49).

Each receipt says it of its own move. This says it of all that a process took, for whoever runs it.
"""

import asyncio
import math
import os
import time
from collections import Counter
from functools import partial
from typing import Final, final

import structlog

from shoal.server.hub.hub import Hub
from shoal.server.store.commits import Committed, Outcome

EVERY_SECONDS = 60.0
"""How often a line is logged; none while nobody reads a live match along and nobody has moved."""

STEPS: Final = 12
"""In how many steps a value doubles: what is told of many values is right to a sixteenth."""

log = structlog.get_logger()


@final
class Spread:
    """How values, none negative, are spread; it takes the same room however many there are."""

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: Counter[int] = Counter()

    def add(self, value: float) -> None:
        """Take in a value."""
        self._counts[math.ceil(STEPS * math.log2(value + 1))] += 1

    def at(self, share: float) -> float:
        """Return what this share of the values does not exceed; 0 without any."""
        due = share * self._counts.total()
        for step, count in sorted(self._counts.items()):
            due -= count
            if due <= 0:
                return math.exp2(step / STEPS) - 1
        return 0.0


@final
class Pace:
    """Counts the moves that this process committed, on the tables of a hub."""

    def __init__(self, hub: Hub) -> None:
        """Begin without any."""
        self._hub = hub
        self._moves = 0
        self._overhead_us = Spread()
        self._leeway_ms = Spread()

    def watch(self, outcome: "asyncio.Future[Outcome]", received: float, limit_ms: int) -> None:
        """Count a move on its way if it counts; `received` is monotonic, `limit_ms` what it was allowed."""
        outcome.add_done_callback(partial(self._note, received, limit_ms))

    def take(self) -> dict[str, float]:
        """Return what there is to say of the moves since the last time."""
        said = {
            "moves": self._moves,
            "overhead_p50_ms": round(self._overhead_us.at(0.5) / 1000, 2),
            "overhead_p99_ms": round(self._overhead_us.at(0.99) / 1000, 2),
            "leeway_p50_ms": round(self._leeway_ms.at(0.5)),
            "leeway_p99_ms": round(self._leeway_ms.at(0.99)),
            "live": len(self._hub.read_along()),
            "host_load": round(os.getloadavg()[0], 2),
        }
        self._moves, self._overhead_us, self._leeway_ms = 0, Spread(), Spread()
        return said

    async def tell(self) -> None:
        """For ever: log it, while there is something to say."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            said = self.take()
            if said["moves"] or said["live"]:
                log.info("pace", **said)

    def _note(self, received: float, limit_ms: int, future: "asyncio.Future[Outcome]") -> None:
        """Count a move that the store has committed just now."""
        if future.cancelled() or future.exception() is not None:
            return
        outcome = future.result()
        if isinstance(outcome, Committed):
            self._moves += 1
            self._overhead_us.add((time.monotonic() - received) * 1_000_000)
            self._leeway_ms.add(max(0, outcome.think_ms - limit_ms))
