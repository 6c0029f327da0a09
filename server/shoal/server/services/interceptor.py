"""Around every call: bytes become messages, tokens become callers, errors become statuses.

Undecodable bytes would be UNKNOWN by default; here the handler gets bytes and decodes them itself.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias, final

import grpc
from google.protobuf.message import DecodeError
from grpc.aio import ServerInterceptor, ServicerContext

from shoal.server.auth import Authenticator, set_caller
from shoal.server.errors import Reason, Refusal
from shoal.server.services.arrival import note_arrival
from shoal.server.status import status_of
from shoal.server.together import first_error

# Messages of any service pass through here: their types are those of the method, which is data.
Message: TypeAlias = Any
Context: TypeAlias = ServicerContext[Any, Any]
Decode: TypeAlias = Callable[[bytes], Message]
Encode: TypeAlias = Callable[[Message], bytes]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"

MAX_MESSAGE_BYTES = 256 * 1024

OURS = "/shoal.v1."
STATUS_TRAILER = "grpc-status-details-bin"


@final
class Boundary(ServerInterceptor):
    """The interceptor of all services of ours; health and reflection pass by."""

    def __init__(self, authenticator: Authenticator) -> None:
        """Find callers with `authenticator`."""
        self._authenticator = authenticator

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Wrap the method that was called."""
        handler = await continuation(handler_call_details)
        if handler is None or not str(handler_call_details.method).startswith(OURS):
            return handler
        decode = handler.request_deserializer
        assert decode is not None
        encode = _encoding(handler.response_serializer)
        if handler.unary_unary is not None:
            unary = self._unary(handler.unary_unary, decode)
            return grpc.unary_unary_rpc_method_handler(unary, response_serializer=encode)
        if handler.unary_stream is not None:
            stream = self._server_stream(handler.unary_stream, decode)
            return grpc.unary_stream_rpc_method_handler(stream, response_serializer=encode)
        assert handler.stream_stream is not None
        bidi = self._bidi(handler.stream_stream, decode)
        return grpc.stream_stream_rpc_method_handler(bidi, response_serializer=encode)

    def _unary(self, method: Callable[..., Any], decode: Decode) -> Callable[..., Any]:
        """Wrap a unary method."""

        async def call(data: bytes, context: Context) -> Message:
            try:
                await self._enter(context)
                return await method(_decoded(decode, data), context)
            except Exception as error:  # noqa: BLE001 - every error becomes a status
                await _abort(context, error)
                return None

        return call

    def _server_stream(self, method: Callable[..., Any], decode: Decode) -> Callable[..., Any]:
        """Wrap a server-streaming method, written as an async generator or as a coroutine."""

        async def call(data: bytes, context: Context) -> None:
            try:
                await self._enter(context)
                answer = method(_decoded(decode, data), context)
                if inspect.isawaitable(answer):
                    await answer
                    return
                async for message in answer:
                    await context.write(message)
            except Exception as error:  # noqa: BLE001 - every error becomes a status
                await _abort(context, error)

        return call

    def _bidi(self, method: Callable[..., Any], decode: Decode) -> Callable[..., Any]:
        """Wrap a bidirectional method, written as a coroutine that writes to its context."""

        async def call(requests: AsyncIterator[bytes], context: Context) -> None:
            try:
                await self._enter(context)
                await method(_decoded_each(decode, requests), context)
            except Exception as error:  # noqa: BLE001 - every error becomes a status
                await _abort(context, error)

        return call

    async def _enter(self, context: Context) -> None:
        """Note when the call came in, and who calls; raise Refusal for a bad token."""
        note_arrival()
        metadata = {
            str(key): value
            for key, value in context.invocation_metadata() or ()
            if isinstance(value, str)
        }
        set_caller(await self._authenticator.authenticate(metadata))


def _decoded(decode: Decode, data: bytes) -> Message:
    """Return the message of these bytes; raise the refusal of a malformed or too large one."""
    if len(data) > MAX_MESSAGE_BYTES:
        raise Refusal(
            Reason.MESSAGE_TOO_LARGE, f"at most {MAX_MESSAGE_BYTES} bytes, not {len(data)}"
        )
    try:
        return decode(data)
    except DecodeError:
        raise Refusal(Reason.MALFORMED, "the request is not a message of this method") from None


def _encoding(encode: Encode | None) -> Encode:
    """Return what encodes messages, and passes on those that are bytes already."""
    assert encode is not None
    return lambda message: message if isinstance(message, bytes) else encode(message)


async def _decoded_each(decode: Decode, requests: AsyncIterator[bytes]) -> AsyncIterator[Message]:
    """Yield the messages of a stream; raise the refusal of a malformed one."""
    async for data in requests:
        yield _decoded(decode, data)


async def _abort(context: Context, error: Exception) -> None:
    """End the call with the status of an error, unless the caller has ended it."""
    if context.done():
        return
    status = status_of(first_error(error))
    await context.abort(
        _CODES[status.code],
        status.message,
        ((STATUS_TRAILER, status.SerializeToString()),),
    )


_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}
