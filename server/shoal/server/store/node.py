"""The way to one Redis: one connection, kept open, and the calls that wait for it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

from shoal.server.store.address import Address
from shoal.server.store.asking import Asking
from shoal.server.store.calls import Call, Calls
from shoal.server.store.errors import StoreError, StoreUnavailable
from shoal.server.store.link import Link, delays, open_link

CLOSED: Final = "the pipe to Redis is not open"


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
class Node(Asking):
    """One Redis, which may be one of a cluster; somebody must run `keep` and call `end`.

    Once it has been away for longer than the patience, calls are refused at once.
    """

    def __init__(
        self,
        address: Address,
        limits: Limits,
        *,
        elsewhere: "Callable[[Node, Call, str], bool] | None" = None,
        worried: Callable[[], None] | None = None,
    ) -> None:
        """Begin without a connection; calls wait for it.

        `elsewhere` may take over a call that was answered by an error; `worried` is called when the
        connection is lost, or an answer takes long.
        """
        self.address = address
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._calls = Calls(
            None if elsewhere is None else lambda call, text: elsewhere(self, call, text)
        )
        self._worried = worried
        self._trouble: str | None = None
        self._closing = False

    @property
    def masters(self) -> "tuple[Node, ...]":
        """All that must be asked to have asked everybody: here it is one."""
        return (self,)

    @property
    def available(self) -> bool:
        """Whether calls are accepted."""
        return self._trouble is None

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._calls.link is not None

    @property
    def idle(self) -> bool:
        """Whether no call waits for an answer."""
        return not len(self._calls)

    @property
    def slow(self) -> bool:
        """Whether a call has waited for its answer for half of the patience."""
        oldest = self._calls.oldest_sent
        return oldest is not None and time.monotonic() - oldest.born > self._limits.patience / 2

    def take(self, call: Call) -> "asyncio.Future[Any]":
        """Put a call in the queue, or fail it when there is no hope or no room."""
        if self._trouble is not None:
            call.fail(StoreUnavailable(self._trouble))
        elif len(self._calls) >= self._limits.calls:
            call.fail(StoreUnavailable("too many calls wait for Redis"))
        else:
            self._calls.add(call)
        return call.future

    def take_all(self) -> list[Call]:
        """Give away all calls without an answer; what was sent may be done here and again elsewhere."""
        return self._calls.take_all()

    def futures(self) -> "list[asyncio.Future[Any]]":
        """Return what the callers wait for."""
        return self._calls.futures()

    def adopt(self, link: Link) -> None:
        """Use a new connection, for what waits first."""
        link.adopt(self._calls.receive, self._forget)
        self._calls.link = link
        if not self._closing:
            self._trouble = None
        self._calls.flush()

    def refuse(self, reason: str) -> None:
        """Refuse calls from now on; those that wait go on waiting."""
        self._closing = True
        self._trouble = reason

    async def keep(self) -> None:
        """Keep a connection open for ever, and the calls from waiting for ever."""
        while True:
            await self._watch()
            self.adopt(await self._connect())

    async def end(self) -> None:
        """End the connection, and fail what still waits."""
        self.refuse(CLOSED)
        if self._calls.link is not None:
            await self._calls.link.end()
        self._calls.give_up(CLOSED)

    def _forget(self) -> None:
        """Use the connection no more; what it has not answered waits for the next."""
        self._calls.link = None
        self._calls.take_back()
        self._worry()

    def _worry(self) -> None:
        """Tell whoever may know another way."""
        if self._worried is not None and not self._closing:
            self._worried()

    async def _watch(self) -> None:
        """Return when the connection has ended; end it when a reply stays out too long.

        A call must be found late twice: a loop that stood still has replies to read first.
        """
        suspect: Call | None = None
        while (link := self._calls.link) is not None:
            await asyncio.wait([link.closed], timeout=self._limits.patience / 8)
            if self.slow:
                self._worry()
            oldest = self._calls.oldest_sent
            late = oldest and time.monotonic() - oldest.born > self._limits.patience
            if late and oldest is suspect:
                await link.end()
                self._calls.give_up(
                    f"Redis at {self.address} does not answer", older_than=self._limits.patience
                )
            suspect = oldest if late else None

    async def _connect(self) -> Link:
        """Try until a connection is open; after the patience calls are refused meanwhile."""
        patience = self._limits.patience
        began = time.monotonic()
        for delay in delays():
            try:
                return await open_link(self.address, self._limits.connect)
            except StoreError as error:
                hopeless = time.monotonic() - began > patience
                if hopeless and not self._closing:
                    self._trouble = str(error)
                self._calls.give_up(str(error), older_than=0 if hopeless else patience)
            await asyncio.sleep(delay)
        raise AssertionError("delays never end")
