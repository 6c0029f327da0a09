"""One connection of HTTP/1.1, with bounds that uvicorn leaves to others: the size and the time of heads.

And it tells the task of a request when whoever asked is gone, as gRPC does.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final, final

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from shoal.server.errors import Reason
from shoal.server.gateway.answers import NotServed, answer_to, not_served

MOST_HEAD_BYTES: Final = 16 * 1024
HEAD_SECONDS: Final = 10.0
"""How large a head may be, from the verb to the empty line, and how long it may take to come."""

MOST_CONNECTIONS: Final = 5000
"""Of one process; a further one is told to come again."""


def head_too_large() -> NotServed:
    """Return the refusal of a head that is too large."""
    return not_served(
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        Reason.MESSAGE_TOO_LARGE,
        f"the head of a request has at most {MOST_HEAD_BYTES} bytes",
    )


@final
class Connection(HttpToolsProtocol):
    """What uvicorn makes of a connection, within bounds."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Begin with the head of the first request."""
        super().__init__(config, server_state, app_state, _loop)
        self.gone = False
        self.head_too_large = False
        self._task: asyncio.Task[Any] | None = None
        self._in_head = True
        self._head_bytes = 0
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Cancel the current task when the connection is lost before this ends."""
        self._task = asyncio.current_task()
        try:
            yield
        finally:
            self._task = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head, but not for ever."""
        super().connection_made(transport)
        self._wait_for_head()
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(
                not_served(
                    HTTPStatus.SERVICE_UNAVAILABLE,
                    Reason.CONCURRENCY_LIMIT,
                    f"this process has {MOST_CONNECTIONS} connections",
                    (b"retry-after", b"1"),
                )
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """End what is done for whoever is gone."""
        self.gone = True
        self._stop_waiting()
        super().connection_lost(exc)
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        """Take in what comes; refuse a head that has no end."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._wait_for_head()
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > MOST_HEAD_BYTES:
            self._refuse(head_too_large())

    def on_message_begin(self) -> None:
        """Let the application find us."""
        super().on_message_begin()
        self.scope["state"]["connection"] = self
        self._parsed_bytes = 0

    def on_url(self, url: bytes) -> None:
        """Count, for a head that comes as a whole."""
        self._parsed_bytes += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count, for a head that comes as a whole."""
        self._parsed_bytes += len(name) + len(value) + 4
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._in_head = False
        self._stop_waiting()
        self.head_too_large = self._parsed_bytes > MOST_HEAD_BYTES
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect the next head, whenever it begins."""
        super().on_message_complete()
        self._in_head = True
        self._head_bytes = 0

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(not_served(HTTPStatus.BAD_REQUEST, Reason.MALFORMED, msg))

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: the request is answered as if it had not asked for another protocol."""

    def _wait_for_head(self) -> None:
        """Give the head that begins its time."""
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _stop_waiting(self) -> None:
        """The head is there."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        """Refuse a head that takes too long; a connection on which nothing came is closed without a word."""
        self._timer = None
        if not self._head_bytes:
            self.transport.close()
            return
        self._refuse(
            not_served(
                HTTPStatus.REQUEST_TIMEOUT,
                Reason.MALFORMED,
                f"the head of the request did not come within {HEAD_SECONDS:.0f} s",
            )
        )

    def _refuse(self, refusal: NotServed) -> None:
        """Answer, unless another answer is under way, and close."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            answer = answer_to(refusal).with_headers((b"connection", b"close"))
            length = (b"content-length", str(len(answer.body)).encode())
            head = [(b"content-type", answer.media_type), length, *answer.headers]
            lines = b"".join(b"%s: %s\r\n" % line for line in head)
            self.transport.write(STATUS_LINE[answer.code] + lines + b"\r\n" + answer.body)
        self.transport.close()
