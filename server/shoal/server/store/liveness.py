"""Which server processes are alive: each says so in every partition whenever it ticks its clock.

In every one, since on a cluster a process may be cut off from one master and reach all others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.server.store import keys, scripts
from shoal.server.store.link import Reply
from shoal.server.store.pipe import Pipe

Silences: TypeAlias = Mapping[str, int]
"""By process, how many milliseconds ago it last ticked a partition; who is not in it, long ago."""

CUT_OFF_MS = 1_200
"""Who was silent for longer is dead, stands still, or is cut off: it ticks every half second."""

LONG_MS = 3_600_000
"""Whoever was silent for longer is forgotten."""


@final
@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of life in a partition, as of `now_ms` in its own time."""

    now_ms: int
    silences: Silences


@final
class LivenessStore:
    """The signs of life of all processes on one store."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def signs(self, partition: int) -> Signs:
        """Return how long all processes have been silent in a partition."""
        names = (keys.PROCESSES[partition], keys.CLOCK[partition])
        now_ms, silent = await self._pipe.call(scripts.ALIVE, names, ())
        return Signs(now_ms, silences_of(silent))


def silences_of(reply: Reply) -> Silences:
    """Read the silences that a script returns."""
    return {name.decode(): ms for name, ms in zip(reply[::2], reply[1::2], strict=True)}
