"""What can be asked of a store, whatever leads there: one command, one script, or many at once."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from shoal.server.store.calls import Call
from shoal.server.store.link import Part, Reply
from shoal.server.store.scripts import Script

T = TypeVar("T")


class Asking(ABC):
    """The ways to ask; who inherits says what becomes of a call."""

    _loop: asyncio.AbstractEventLoop

    @abstractmethod
    def take(self, call: Call) -> "asyncio.Future[Any]":
        """Put a call in a queue, or fail it when there is no hope or no room; return its future."""

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
        return self.take(Call(parts, self._loop.create_future(), decode))

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
        return self.take(Call(parts, self._loop.create_future(), decode, script, since))

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


def _as_it_is(reply: Reply) -> Reply:
    """Read nothing into a reply."""
    return reply
