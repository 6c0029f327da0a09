"""One annotated method, called over HTTP through the interceptor that gRPC calls it through."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias, final

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shoal.server.gateway.answers import Answer
from shoal.server.gateway.bodies import Body
from shoal.server.gateway.context import Aborted, HttpContext
from shoal.server.gateway.cursors import CURSORS, go_on_after
from shoal.server.gateway.kept import FINAL, kept
from shoal.server.gateway.negotiation import (
    Headers,
    check_accepts_json,
    check_sends_json,
    form_of,
)
from shoal.server.gateway.streaming import ENDED, MessageStream, Send, compact
from shoal.server.status import status_of
from shoal.server.transcoding import Binding
from shoal.server.transcoding.json_reading import JsonReader
from shoal.server.transcoding.json_writing import JsonWriter
from shoal.server.transcoding.request_reading import RequestReader

# Messages of any method pass through here: their types are those of the method, which is data.
AnyMessage: TypeAlias = Any
Method: TypeAlias = Callable[[bytes, HttpContext], Awaitable[Any]]

LARGE_BYTES = 32 * 1024
"""An answer of more becomes JSON beside the event loop, which would stand still for some milliseconds."""


@final
@dataclass(frozen=True, slots=True)
class Request:
    """A request, as far as it has come: what its head says, and the body that follows."""

    variables: Mapping[str, str]
    query: bytes
    headers: Headers
    raw_headers: Sequence[tuple[bytes, bytes]]
    peer: str
    body: Body


@final
class Call:
    """What answers the requests of one binding; `method` has the interceptor around it, and takes bytes."""

    def __init__(
        self, binding: Binding, method: Method, reader: JsonReader, writer: JsonWriter
    ) -> None:
        """Read with `reader`, write with `writer`."""
        self.binding = binding
        self._method = method
        self._request = RequestReader(binding, reader)
        self._response: type[Message] = GetMessageClass(binding.method.output_type)
        self._writer = writer
        self._is_final = FINAL.get(binding.rpc)
        self._cursor = CURSORS.get(binding.rpc)

    async def answer(self, request: Request) -> Answer:
        """Call a method that answers once; raise NotServed, Refusal, Aborted."""
        check_accepts_json(request.headers)
        message = await self._read(request)
        context = HttpContext(request.raw_headers, request.peer, _no_stream)
        response = self._message(await self._method(message.SerializeToString(), context))
        body = await self._json(response)
        answer = Answer(HTTPStatus.OK, body)
        if self._is_final is not None and self._is_final(response):
            return kept(answer, request.headers)
        return answer

    async def stream(
        self, request: Request, send: Send, headers: tuple[tuple[bytes, bytes], ...]
    ) -> Answer | None:
        """Call a method that streams; return the answer where nothing is streamed. Raise as `answer` does.

        Nothing is raised once a message has gone out: the stream says then what went wrong.
        """
        form = form_of(request.headers)
        message = await self._read(request)
        last_id = request.headers.get(b"last-event-id", b"").decode("latin-1")
        if last_id == ENDED:
            return Answer(HTTPStatus.NO_CONTENT)
        if last_id and self._cursor is not None:
            go_on_after(self._cursor, last_id, message)
        name_of = None if self._cursor is None else self._cursor.name_of
        stream = MessageStream(send, form, headers, self._stream_json, name_of)

        async def write(response: AnyMessage) -> None:
            await stream.write(self._message(response))

        context = HttpContext(request.raw_headers, request.peer, write)
        try:
            await self._method(message.SerializeToString(), context)
        except Exception as error:
            if not stream.started:
                raise
            status = error.status if isinstance(error, Aborted) else status_of(error)
            await stream.fail(status)
        else:
            await stream.end()
        return None

    async def _read(self, request: Request) -> Message:
        """Return the message that a request is; raise NotServed, Refusal."""
        body = b""
        if self.binding.body:
            body = await request.body.read()
            if body:
                check_sends_json(request.headers)
        return self._request.read(request.variables, request.query, body)

    def _message(self, response: AnyMessage) -> AnyMessage:
        """Return a response as a message: some methods join theirs from bytes."""
        return self._response.FromString(response) if isinstance(response, bytes) else response

    def _stream_json(self, response: AnyMessage) -> bytes:
        """Return a message of a stream as JSON."""
        return compact(self._writer.write(response))

    async def _json(self, response: AnyMessage) -> bytes:
        """Return a message as JSON."""
        if response.ByteSize() > LARGE_BYTES:
            return await asyncio.to_thread(self._stream_json, response)
        return self._stream_json(response)


async def _no_stream(_: AnyMessage) -> None:
    """Refuse to write: a method that answers once returns its answer."""
    raise NotImplementedError
