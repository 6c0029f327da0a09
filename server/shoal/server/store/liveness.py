"""Which server processes are alive: each says so again and again, by the store's clock."""

from collections.abc import Mapping
from typing import TypeAlias, final

from shoal.server.store import keys, scripts
from shoal.server.store.pipe import Pipe

Silences: TypeAlias = Mapping[str, int]
"""By process, how many milliseconds ago it last said that it is alive; who is not in it, long ago."""

LONG_MS = 3_600_000
"""Whoever was silent for longer is forgotten."""


@final
class LivenessStore:
    """The signs of life of all processes on one store."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def beat(self, process: str) -> Silences:
        """Say that a process is alive; return how long all of them have been silent."""
        return await self._ask(process)

    async def silences(self) -> Silences:
        """Return how long all processes have been silent."""
        return await self._ask("")

    async def _ask(self, process: str) -> Silences:
        """Run the script."""
        reply = await self._pipe.call(scripts.BEAT, (keys.PROCESSES, keys.CLOCK[0]), (process,))
        return {name.decode(): age for name, age in zip(reply[::2], reply[1::2], strict=True)}
