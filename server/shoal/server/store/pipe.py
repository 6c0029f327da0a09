"""The way to the store: whatever is asked in one turn of the event loop leaves as one pipeline."""

import asyncio
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Protocol, Self, final

from shoal.server.store.asking import Asking
from shoal.server.store.calls import Call
from shoal.server.store.cluster import Cluster
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.node import CLOSED, Limits, Node
from shoal.server.store.places import Places


class _Way(Protocol):
    """What a pipe needs of a single Redis, or of a cluster."""

    @property
    def masters(self) -> tuple[Node, ...]: ...
    @property
    def available(self) -> bool: ...
    def take(self, call: Call) -> "asyncio.Future[Any]": ...
    def futures(self) -> "list[asyncio.Future[Any]]": ...
    def refuse(self, reason: str) -> None: ...
    async def keep(self) -> None: ...
    async def end(self) -> None: ...


@final
class Pipe(Asking):
    """The connections to a store, shared by all that ask in this event loop; enter it to open it.

    To a single Redis it is one, to a cluster one for each master. Commands of one partition leave in
    the order they were given, except one that has to be sent again: a command whose reply was lost
    with the connection, a script that Redis had forgotten, or what a node of a cluster would not
    serve. So a command may run twice, and every one of this package is written for that. An error
    reply is the error of its own command only. A caller that is cancelled does not recall what it
    asked for.
    """

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        """Prepare a pipe to the store at this URL; raise StoreRefused when it is no URL."""
        self._places = Places(url)
        self._limits = limits or Limits()
        self._way: _Way | None = None
        self._context: AsyncExitStack

    @property
    def available(self) -> bool:
        """Whether calls are accepted: not once the store has been away for longer than the patience."""
        return self._way is not None and self._way.available

    @property
    def masters(self) -> tuple[Node, ...]:
        """Each Redis that can be written: of a cluster all that serve slots now."""
        return self._way.masters if self._way is not None else ()

    async def __aenter__(self) -> Self:
        """Connect; raise StoreUnavailable when Redis is not there, StoreRefused when it bars us."""
        self._loop = asyncio.get_running_loop()
        limits = self._limits
        async with AsyncExitStack() as context:
            found = await self._places.find(limits.connect, patience=limits.patience)
            way: _Way
            if found.topology is None:
                way = node = Node(found.address, limits)
                node.adopt(found.link)
            else:
                await found.link.end()
                way = Cluster(self._places, found.topology, limits)
            context.push_async_callback(way.end)
            keepers = await context.enter_async_context(asyncio.TaskGroup())
            keeper = keepers.create_task(way.keep(), name="store pipe")
            context.callback(keeper.cancel)
            self._context = context.pop_all()
        self._way = way
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Wait for what was asked already, then close; later calls raise StoreUnavailable."""
        assert self._way is not None
        self._way.refuse(CLOSED)
        try:
            if futures := self._way.futures():
                await asyncio.wait(futures, timeout=self._limits.patience)
        finally:
            await self._context.aclose()  # without the error, which a task group would wrap

    def take(self, call: Call) -> "asyncio.Future[Any]":
        """Send a call on its way."""
        if self._way is None:
            call.fail(StoreUnavailable(CLOSED))
            return call.future
        return self._way.take(call)
