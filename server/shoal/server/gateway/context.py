"""A call that came by HTTP, as a servicer and the interceptor see it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Never, TypeAlias, final

import grpc
from google.rpc.status_pb2 import Status
from grpc.aio import Metadata, ServicerContext

from shoal.server.services.interceptor import STATUS_TRAILER

Write: TypeAlias = Callable[[Any], Awaitable[None]]

PASSED_ON = frozenset({b"authorization", b"shoal-client"})
"""The headers of a request that are metadata of the call."""


@final
class Aborted(Exception):
    """The call ended with a status other than OK."""

    def __init__(self, status: Status) -> None:
        """Remember the status."""
        super().__init__(status.message)
        self.status = status


@final
class HttpContext(ServicerContext[Any, Any]):
    """What a method is told of its call, and where the messages of a stream go.

    Whoever called is gone when the task of the call is cancelled, so there is nothing to ask here about that.
    """

    def __init__(self, headers: Iterable[tuple[bytes, bytes]], peer: str, write: Write) -> None:
        """Send the messages of a stream with `write`."""
        self._headers = headers
        self._peer = peer
        self._write = write

    async def abort(
        self,
        code: grpc.StatusCode,
        details: str = "",
        trailing_metadata: Any = (),  # noqa: ANN401
    ) -> Never:
        """End the call; raise Aborted."""
        trailers = dict(trailing_metadata)
        if STATUS_TRAILER in trailers:
            raise Aborted(Status.FromString(trailers[STATUS_TRAILER]))
        raise Aborted(Status(code=code.value[0], message=details))

    async def abort_with_status(self, status: grpc.Status) -> Never:
        """End the call; raise Aborted."""
        await self.abort(status.code, status.details, status.trailing_metadata or ())

    async def read(self) -> Never:
        """There is no stream of requests."""
        raise NotImplementedError

    async def write(self, message: object) -> None:
        """Send one message of a stream, and return when the connection takes more."""
        await self._write(message)

    def invocation_metadata(self) -> Metadata:
        """Return those headers that mean something to us."""
        passed = (
            (name.decode("ascii"), value.decode("latin-1"))
            for name, value in self._headers
            if name in PASSED_ON
        )
        return Metadata(*passed)

    def peer(self) -> str:
        """Return the address of the caller."""
        return self._peer

    def peer_identities(self) -> None:
        """Return None: a caller is known by its token alone."""

    def peer_identity_key(self) -> None:
        """Return None: a caller is known by its token alone."""

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Return nothing: a caller is known by its token alone."""
        return {}

    def done(self) -> bool:
        """Return False: the task of a call that is over does not ask."""
        return False

    def cancelled(self) -> bool:
        """Return False: a cancelled call is a cancelled task."""
        return False

    async def send_initial_metadata(self, initial_metadata: object) -> None:
        """Send nothing: no method has metadata for its caller."""

    def set_trailing_metadata(self, trailing_metadata: object) -> None:
        """Send nothing: no method has metadata for its caller."""

    def set_code(self, code: grpc.StatusCode) -> None:
        """Refuse: errors are raised."""
        raise NotImplementedError

    def set_details(self, details: str) -> None:
        """Refuse: errors are raised."""
        raise NotImplementedError

    def set_compression(self, compression: grpc.Compression) -> None:
        """Do nothing: the gateway compresses what is large."""

    def disable_next_message_compression(self) -> None:
        """Do nothing: a stream is never compressed."""
