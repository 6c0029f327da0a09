"""The way to Redis: whatever is asked in one turn of the event loop leaves as one pipeline."""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self, TypeVar, final, overload

from shoal.server.store.address import Address
from shoal.server.store.calls import Call, Calls
from shoal.server.store.errors import StoreError, StoreUnavailable
from shoal.server.store.link import Link, Part, Reply, delays, open_link
from shoal.server.store.scripts import Script

T = TypeVar("T")

_CLOSED: Final = "the pipe to Redis is not open"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how much a pipe waits."""

    patience: float = 2.0
    """Seconds a call may stay without an answer, reconnecting and sending again included."""

    connect: float = 1.0
    """Seconds one attempt to connect may take."""

    calls: int = 20_000
    """The most calls without an answer at a time; more are refused at once."""


@final
class Pipe:
    """One connection to Redis, shared by all that ask in this event loop; enter it to open it.

    Commands leave in the order they were given, except one that has to be sent again: a command
    whose reply was lost with the connection, or a script that Redis had forgotten. So a command
    may run twice, and every one of this package is written for that. An error reply is the
    error of its own command only. A caller that is cancelled does not recall what it asked for.
    """

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        """Prepare a pipe to the Redis at this URL; raise StoreRefused when it is no URL."""
        self._address = Address.parse(url)
        self._limits = limits or Limits()
        self._open = False
        self._trouble: str | None = _CLOSED
        self._loop: asyncio.AbstractEventLoop
        self._calls: Calls
        self._context: AsyncExitStack

    @property
    def available(self) -> bool:
        """Whether calls are accepted: not once Redis has been away for longer than the patience."""
        return self._trouble is None

    async def __aenter__(self) -> Self:
        """Connect; raise StoreUnavailable when Redis is not there, StoreRefused when it bars us."""
        self._loop = asyncio.get_running_loop()
        self._calls = Calls(self._loop)
        self._open = True
        async with AsyncExitStack() as context:
            context.push_async_callback(self._hang_up)
            self._adopt(await self._connect(insist=False))
            keepers = await context.enter_async_context(asyncio.TaskGroup())
            keeper = keepers.create_task(self._keep(), name="store pipe")
            context.callback(keeper.cancel)
            self._context = context.pop_all()
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Wait for what was asked already, then close; later calls raise StoreUnavailable."""
        self._open = False
        self._trouble = _CLOSED
        try:
            if futures := self._calls.futures():
                await asyncio.wait(futures, timeout=self._limits.patience)
        finally:
            await self._context.aclose()  # without the error, which a task group would wrap

    @overload
    def submit(self, *parts: Part) -> "asyncio.Future[Reply]": ...
    @overload
    def submit(self, *parts: Part, decode: Callable[[Reply], T]) -> "asyncio.Future[T]": ...
    def submit(
        self, *parts: Part, decode: Callable[[Reply], Any] | None = None
    ) -> "asyncio.Future[Any]":
        """Ask for one command; the future gets its reply, or what `decode` makes of it.

        The future fails with StoreUnavailable or StoreError.
        """
        return self._submit(Call(parts, self._loop.create_future(), decode))

    def submit_script(
        self,
        script: Script,
        keys: tuple[Part, ...],
        args: tuple[Part, ...] = (),
        *,
        since: float | None = None,
        decode: Callable[[Reply], T],
    ) -> "asyncio.Future[T]":
        """Ask for one script, whose keys must be of one partition.

        With `since` (of `time.monotonic`), a last argument is added: the milliseconds from then
        to the sending, whichever sending it is.
        """
        parts = ("EVALSHA", script.sha, len(keys), *keys, *args)
        return self._submit(Call(parts, self._loop.create_future(), decode, script, since))

    async def call(
        self, script: Script, keys: tuple[Part, ...], args: tuple[Part, ...] = ()
    ) -> Reply:
        """Run one script and return its reply."""
        return await self.submit_script(script, keys, args, decode=_as_it_is)

    async def command(self, *parts: Part) -> Reply:
        """Run one command and return its reply."""
        return await self.submit(*parts)

    async def many(self, commands: Iterable[tuple[Part, ...]]) -> list[Reply]:
        """Run commands in one pipeline; if any failed, raise the first error when all have ended."""
        futures: list[asyncio.Future[Reply]] = [self.submit(*command) for command in commands]
        replies = await asyncio.gather(*futures, return_exceptions=True)
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply
        return replies

    def _submit(self, call: Call) -> "asyncio.Future[Any]":
        """Put a call in the queue, or fail it when there is no hope or no room."""
        if self._trouble is not None:
            call.fail(StoreUnavailable(self._trouble))
        elif len(self._calls) >= self._limits.calls:
            call.fail(StoreUnavailable("too many calls wait for Redis"))
        else:
            self._calls.add(call)
        return call.future

    async def _keep(self) -> None:
        """Keep a connection open for ever, and the calls from waiting for ever."""
        while True:
            await self._watch()
            self._adopt(await self._connect(insist=True))

    async def _hang_up(self) -> None:
        """End the connection, and fail what still waits."""
        self._trouble = _CLOSED
        if self._calls.link is not None:
            await self._calls.link.end()
        self._calls.give_up(_CLOSED)

    def _adopt(self, link: Link) -> None:
        """Use a new connection, for what waits first."""
        self._calls.link = link
        if self._open:
            self._trouble = None
        self._calls.flush()

    def _forget(self) -> None:
        """Use the connection no more; what it has not answered waits for the next."""
        self._calls.link = None
        self._calls.take_back()

    async def _watch(self) -> None:
        """Return when the connection has ended; end it when a reply stays out too long.

        A call must be found late twice: a loop that stood still has replies to read first.
        """
        suspect: Call | None = None
        while (link := self._calls.link) is not None:
            await asyncio.wait([link.closed], timeout=self._limits.patience / 8)
            oldest = self._calls.oldest_sent
            late = oldest and time.monotonic() - oldest.born > self._limits.patience
            if late and oldest is suspect:
                await link.end()
                self._calls.give_up(
                    f"Redis at {self._address} does not answer", older_than=self._limits.patience
                )
            suspect = oldest if late else None

    async def _connect(self, *, insist: bool) -> Link:
        """Try until a connection is open; unless it has to `insist`, for the patience only.

        When that is over, calls are refused at once, until a connection is open.
        """
        patience = self._limits.patience
        began = time.monotonic()
        pause = delays()
        while True:
            try:
                return await open_link(
                    self._address, self._calls.receive, self._forget, self._limits.connect
                )
            except StoreError as error:
                hopeless = time.monotonic() - began > patience
                if not insist and (hopeless or not isinstance(error, StoreUnavailable)):
                    raise
                if hopeless:
                    self._trouble = str(error) if self._open else _CLOSED
                self._calls.give_up(str(error), older_than=0 if hopeless else patience)
            await asyncio.sleep(next(pause))


def _as_it_is(reply: Reply) -> Reply:
    """Read nothing into a reply."""
    return reply
