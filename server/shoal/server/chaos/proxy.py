"""A door on loopback through which a connection can be delayed, cut, silenced or robbed of a reply."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, TypeAlias, final

Ends: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Opener: TypeAlias = Callable[[], Awaitable[Ends]]
"""Opens what a door leads to; raises OSError when it is not there."""

CHUNK: Final = 65536
ROBBED_SECONDS: Final = 0.15
"""From a request to the cut: long enough for a commit, while every reply is thrown away."""


@final
class Wire:
    """One connection through a door: two ends, and what is done to it."""

    def __init__(self, near: Ends, far: Ends) -> None:
        """Begin as an honest wire; `near` is who came, `far` is whom he wants."""
        self._near = near
        self._far = far
        self.delay = 0.0
        self.is_silent = False
        self._robbed: asyncio.Event | None = None
        self._cutting: asyncio.TimerHandle | None = None

    async def carry(self) -> None:
        """Carry both ways until one end has closed, or for ever when the wire is silent."""
        try:
            await asyncio.gather(
                self._pump(self._near[0], self._far[1], back=False),
                self._pump(self._far[0], self._near[1], back=True),
            )
        finally:
            self.cut()

    def cut(self) -> None:
        """End it at both ends at once, with what is on its way."""
        if self._cutting is not None:
            self._cutting.cancel()
        for _, writer in (self._near, self._far):
            writer.transport.abort()

    def rob(self, robbed: asyncio.Event) -> None:
        """Let the next request through, none of the replies, and then cut and set the event."""
        self._robbed = robbed

    def spare(self) -> None:
        """Rob no more, unless a request came through already."""
        self._robbed = None

    def _rob(self, robbed: asyncio.Event) -> None:
        """Cut, between a request and its reply."""
        robbed.set()
        self.cut()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool
    ) -> None:
        """Carry one way; the end of it ends the wire, unless nobody may notice."""
        with suppress(
            OSError, RuntimeError
        ):  # the second is uvloop's, for a wire that was cut just now
            while data := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self._robbed is not None and not back and self._cutting is None:
                    loop = asyncio.get_running_loop()
                    self._cutting = loop.call_later(ROBBED_SECONDS, self._rob, self._robbed)
                if self.is_silent or (back and self._cutting is not None):
                    continue
                writer.write(data)
                await writer.drain()
        if not self.is_silent:
            self.cut()


@final
class Door:
    """Listens on a port of loopback and leads every connection on; enter it to open it.

    `wires` are the connections that are open now.
    """

    def __init__(self, name: str, opener: Opener) -> None:
        """Lead to what `opener` opens."""
        self.name = name
        self.port = 0
        self.wires: set[Wire] = set()
        self._opener = opener
        self._tasks: set[asyncio.Task[None]] = set()
        self._delay = 0.0
        self._server: asyncio.Server

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._came, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the door and every wire."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> int:
        """Cut every wire; return how many there were."""
        wires = list(self.wires)
        for wire in wires:
            wire.cut()
        return len(wires)

    def rob(self, robbed: asyncio.Event) -> None:
        """Rob every wire of its next reply; the event is set when that has happened to one of them."""
        for wire in self.wires:
            wire.rob(robbed)

    def spare(self) -> None:
        """Rob no more of the wires that are open."""
        for wire in self.wires:
            wire.spare()

    def silence(self) -> int:
        """Carry nothing more on the wires that are open, without a word; new ones are honest."""
        for wire in self.wires:
            wire.is_silent = True
        return len(self.wires)

    def end_silence(self) -> None:
        """Cut the silent wires: the ends that have not noticed learn of it."""
        for wire in list(self.wires):
            if wire.is_silent:
                wire.cut()

    def slow(self, seconds: float) -> None:
        """Let everything take so much longer, each way; 0 ends it."""
        self._delay = seconds
        for wire in self.wires:
            wire.delay = seconds

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Lead one connection on."""
        task = asyncio.create_task(self._lead((reader, writer)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _lead(self, near: Ends) -> None:
        """Carry one connection; end it at once when there is nobody behind the door."""
        try:
            far = await self._opener()
        except OSError:
            near[1].transport.abort()
            return
        wire = Wire(near, far)
        wire.delay = self._delay
        self.wires.add(wire)
        try:
            await wire.carry()
        finally:
            self.wires.discard(wire)
