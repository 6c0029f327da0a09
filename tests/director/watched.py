"""A pipe that shows a test every command before it goes to the store."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from shoal.server.store.asking import Asking
from shoal.server.store.calls import Call
from shoal.server.store.node import Node
from shoal.server.store.pipe import Pipe


class WatchedPipe(Asking):
    """Asks a real pipe. `watch` may raise, instead of the command, and may hold it up by a gate."""

    def __init__(self, pipe: Pipe, watch: Callable[[Call], asyncio.Event | None]) -> None:
        self._pipe = pipe
        self._watch = watch
        self._loop = asyncio.get_running_loop()
        self._held: set[asyncio.Task[None]] = set()

    @property
    def masters(self) -> tuple[Node, ...]:
        return self._pipe.masters

    def take(self, call: Call) -> "asyncio.Future[Any]":
        gate = self._watch(call)
        if gate is None:
            return self._pipe.take(call)
        task = asyncio.create_task(self._later(call, gate))
        self._held.add(task)
        task.add_done_callback(self._held.discard)
        return call.future

    async def _later(self, call: Call, gate: asyncio.Event) -> None:
        await gate.wait()
        self._pipe.take(call)


def watched(pipe: Pipe, watch: Callable[[Call], asyncio.Event | None]) -> Pipe:
    """Return a pipe whose commands are watched, as the stores want one."""
    return cast("Pipe", WatchedPipe(pipe, watch))


def words(call: Call) -> tuple[str, ...]:
    """Return the words of a command that are text, as text; bytes of a script or a block are passed over."""
    return tuple(str(part) for part in call.parts if not isinstance(part, bytes))
