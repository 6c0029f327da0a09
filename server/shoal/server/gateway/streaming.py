"""A stream of messages over HTTP: as lines of JSON or as events, no faster than they are read."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias, final

from google.rpc.status_pb2 import Status

from shoal.server.gateway.answers import Headers, code_of, error_json
from shoal.server.gateway.negotiation import Form

Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
# Messages of any method pass through here.
AnyMessage: TypeAlias = Any
ToJson: TypeAlias = Callable[[AnyMessage], bytes]
Cursor: TypeAlias = Callable[[AnyMessage], str]
"""From a message to the id by which a reader that was cut off after it can go on."""

ENDED = "end"
"""The id of the event that ends a stream: a browser that comes again with it is told to come no more."""


@final
class MessageStream:
    """One answer that is a stream. Nothing goes out before its first message: until then it may be refused.

    Each message is written when the connection has taken the one before: a slow reader makes the method wait.
    """

    def __init__(
        self, send: Send, form: Form, headers: Headers, to_json: ToJson, cursor: Cursor | None
    ) -> None:
        """Write in this form, with these headers before all; events have ids where there is a `cursor`."""
        self._send = send
        self._form = form
        self._headers = headers
        self._to_json = to_json
        self._cursor = cursor
        self.started = False

    async def write(self, message: AnyMessage) -> None:
        """Send a message."""
        body = self._to_json(message)
        if self._form is Form.LINES:
            await self._put(body + b"\n")
            return
        number = b"" if self._cursor is None else b"id: %s\n" % self._cursor(message).encode()
        await self._put(b"%sdata: %s\n\n" % (number, body))

    async def end(self) -> None:
        """Say that this was all."""
        last = b""
        if self._form is Form.EVENTS:
            last = b"event: end\nid: %s\ndata: {}\n\n" % ENDED.encode()
        await self._put(last, more=False)

    async def fail(self, status: Status) -> None:
        """Say, as the last thing, why there is no more."""
        body = error_json(status, code_of(status))
        line = b"event: error\ndata: %s\n\n" if self._form is Form.EVENTS else b"%s\n"
        await self._put(line % body, more=False)

    async def _put(self, data: bytes, *, more: bool = True) -> None:
        """Send some of the body, and before the first of it the head."""
        if not self.started:
            self.started = True
            await self._send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [
                        (b"content-type", self._form.value.encode()),
                        # Proxies that collect answers would hold back what is asked.
                        (b"x-accel-buffering", b"no"),
                        *self._headers,
                    ],
                }
            )
        await self._send({"type": "http.response.body", "body": data, "more_body": more})


def compact(value: object) -> bytes:
    """Return JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
