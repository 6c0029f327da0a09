"""The body of a request, taken in within bounds of size and time."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any, TypeAlias, final

from shoal.server.errors import Reason
from shoal.server.gateway.answers import NotServed, not_served
from shoal.server.gateway.negotiation import Headers
from shoal.server.services.interceptor import MAX_MESSAGE_BYTES

Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]

BODY_SECONDS = 10.0
"""How long a body may take to come."""

THROWN_AWAY_BYTES = 16 * 1024 * 1024
THROWN_AWAY_SECONDS = 2.0
"""How much of a body that is too large is read for nothing: a client that is cut off while it still sends
would not see the answer."""


@final
class Body:
    """The body of one request."""

    def __init__(self, headers: Headers, receive: Receive) -> None:
        """Read nothing yet."""
        length = headers.get(b"content-length", b"0")
        self._announced = int(length) if length.isdigit() else 0
        self._waits = headers.get(b"expect", b"").lower() == b"100-continue"
        self._receive = receive
        self.complete = not self._announced and b"transfer-encoding" not in headers
        """Whether all of it has come: otherwise the connection is of no more use after the answer."""

    async def read(self) -> bytes:
        """Return all of it; raise NotServed for one that is too large, or slow."""
        if self.complete:
            return b""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await self._read()
        except TimeoutError:
            raise not_served(
                HTTPStatus.REQUEST_TIMEOUT,
                Reason.MALFORMED,
                f"the body did not come within {BODY_SECONDS:.0f} s",
            ) from None

    async def _read(self) -> bytes:
        """Return all of it, however long that takes; raise NotServed."""
        if self._announced > MAX_MESSAGE_BYTES and self._waits:
            raise _too_large()  # the client has not begun, and will not
        parts, size = [], 0
        async for part in self._parts():
            size += len(part)
            if size > MAX_MESSAGE_BYTES:
                await self._throw_away()
                raise _too_large()
            parts.append(part)
        return b"".join(parts)

    async def _parts(self) -> Any:  # noqa: ANN401 - an async generator of bytes
        """Yield what comes."""
        while not self.complete:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise asyncio.CancelledError
            self.complete = not message.get("more_body", False)
            yield message.get("body", b"")

    async def _throw_away(self) -> None:
        """Read on for a while, for nothing."""
        thrown = 0
        try:
            async with asyncio.timeout(THROWN_AWAY_SECONDS):
                async for part in self._parts():
                    thrown += len(part)
                    if thrown > THROWN_AWAY_BYTES:
                        return
        except TimeoutError:
            return


def _too_large() -> NotServed:
    """Return the refusal of a body that is too large."""
    return not_served(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        Reason.MESSAGE_TOO_LARGE,
        f"at most {MAX_MESSAGE_BYTES} bytes",
    )
