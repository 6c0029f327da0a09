"""Directors that die for good at a certain write: what a process leaves behind that is killed there."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final, NamedTuple

from shoal.server.director import Director
from shoal.server.store import keys
from shoal.server.store.calls import Call

from .arena import QUICK, Arena
from .watched import watched, words

SETTINGS: Final = replace(QUICK, ladders=())

_READS: Final = frozenset(
    {
        *("EXISTS", "GET", "MGET", "TIME", "HEXISTS", "HGET", "HGETALL", "HKEYS", "HLEN", "HMGET"),
        *("HSCAN", "LINDEX", "LLEN", "LRANGE", "SCARD", "SISMEMBER", "SMEMBERS", "XRANGE"),
        *("ZRANGE", "ZRANGEBYLEX", "ZREVRANGE"),
    }
)
_READING_SCRIPTS: Final = frozenset({"where"})


class Killed(BaseException):
    """Stands for SIGKILL: nothing in a director catches it, and nothing of it reaches the store after it."""


class Write(NamedTuple):
    """A write of a director: its script, or its command and kind of key, and which one of these it is."""

    name: str
    number: int


class Mortal:
    """A director that is killed at a write: that one is not done, and none after it.

    Reads do not count: a director that dies at one leaves what it leaves at its next write. Its lease is not
    given back; the test lets its time pass.
    """

    def __init__(self, arena: Arena, dies_at: Write | None = None) -> None:
        self._arena = arena
        self._dies_at = dies_at
        self._numbers: Counter[str] = Counter()
        self.done: list[Write] = []
        """The writes that it has made."""
        self.died = asyncio.Event()

    @asynccontextmanager
    async def directing(self) -> AsyncIterator[None]:
        """Run it until it dies, or the end of the context."""
        body = self._arena.sharing(watched(self._arena.pipe, self._watch))
        director = Director(body.stores, body.create, SETTINGS)
        task = asyncio.create_task(director.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            error = None if task.cancelled() else task.exception()
        assert isinstance(error, Killed) if self.died.is_set() else error is None, error

    async def bury(self) -> None:
        """Let the time of its lease pass."""
        assert self.died.is_set()
        if self.done:
            until = await self._arena.pipe.command("HGET", keys.DIRECTOR, "until")
            assert int(until) > time.time() * 1000, "it has given its lease back"
        await self._arena.pipe.command("HSET", keys.DIRECTOR, "until", 0)

    def _watch(self, call: Call) -> None:
        if self.died.is_set():
            raise Killed
        name = _write(call)
        if not name:
            return
        self._numbers[name] += 1
        write = Write(name, self._numbers[name])
        if write == self._dies_at:
            self.died.set()
            raise Killed
        self.done.append(write)


def _write(call: Call) -> str:
    """Return what a call writes, "" if it only reads."""
    if call.script is not None:
        return "" if call.script.name in _READING_SCRIPTS else call.script.name
    command, key, *_ = words(call)
    kind = key.removeprefix(keys.NAMESPACE).split(":")[1]  # behind the partition
    return "" if command in _READS else f"{command} {kind}"
