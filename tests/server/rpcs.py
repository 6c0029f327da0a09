"""Calling any method of the services by its descriptor, with any bytes, and reading the refusal."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RequestInfo, RetryInfo
from google.rpc.status_pb2 import Status

from shoal.v1 import (
    bot_service_pb2,
    challenge_service_pb2,
    competition_service_pb2,
    export_service_pb2,
    ladder_service_pb2,
    match_service_pb2,
    play_service_pb2,
    tournament_service_pb2,
)
from tests.server.streams import PATIENCE
from tests.server.support import Metadata

Answer = TypeVar("Answer")

METHODS: dict[str, MethodDescriptor] = {
    f"{service.name}.{method.name}": method
    for file in (
        bot_service_pb2,
        challenge_service_pb2,
        export_service_pb2,
        match_service_pb2,
        play_service_pb2,
        ladder_service_pb2,
        tournament_service_pb2,
        competition_service_pb2,
    )
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}


class NotRefused(Exception):
    """The call was answered, and should have been refused."""


@dataclass(frozen=True)
class Refused:
    """A refusal as a client sees it: its code, its one ErrorInfo, and the other details by type."""

    code: grpc.StatusCode
    reason: str
    metadata: Mapping[str, str]
    fields: tuple[str, ...]
    retry_seconds: float | None
    request_id: str


def read_status(status: Status) -> Refused:
    """Read a status of ours, which must have exactly one ErrorInfo, of our domain."""
    infos, fields, retry, request_id = [], (), None, ""
    for detail in status.details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            infos.append(ErrorInfo.FromString(detail.value))
        elif detail.Is(BadRequest.DESCRIPTOR):
            violations = BadRequest.FromString(detail.value).field_violations
            assert all(each.description for each in violations)
            fields = tuple(each.field for each in violations)
        elif detail.Is(RetryInfo.DESCRIPTOR):
            retry = RetryInfo.FromString(detail.value).retry_delay.ToMilliseconds() / 1000
        elif detail.Is(RequestInfo.DESCRIPTOR):
            request_id = RequestInfo.FromString(detail.value).request_id
        else:
            raise AssertionError(f"an unknown detail: {detail.type_url}")
    (info,) = infos
    assert info.domain == "shoal"
    assert status.message
    code = next(each for each in grpc.StatusCode if each.value[0] == status.code)
    return Refused(code, info.reason, dict(info.metadata), fields, retry, request_id)


def status_in(error: grpc.aio.AioRpcError) -> Status:
    """Return the status that the error of a call carries."""
    trailers = dict(error.trailing_metadata() or ())
    return Status.FromString(trailers["grpc-status-details-bin"])


def read_error(error: grpc.aio.AioRpcError) -> Refused:
    """Read the error of a call, whose code and text must be those of its status."""
    status = status_in(error)
    refused = read_status(status)
    assert refused.code == error.code()
    assert status.message == error.details()
    return refused


async def call(
    channel: grpc.aio.Channel, method: MethodDescriptor, data: Sequence[bytes], metadata: Metadata
) -> None:
    """Call a method with these bytes, and read all answers; a Play stream stays open for them."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    async with asyncio.timeout(PATIENCE):
        if method.client_streaming:
            await _stream(channel.stream_stream(path)(_each(data), metadata=metadata))
        elif method.server_streaming:
            await _stream(channel.unary_stream(path)(data[0], metadata=metadata))
        else:
            await channel.unary_unary(path)(data[0], metadata=metadata)


async def refused(
    channel: grpc.aio.Channel, method: MethodDescriptor, data: Sequence[bytes], metadata: Metadata
) -> Refused:
    """Make a call that must be refused, and return the refusal."""
    try:
        await answered(lambda: call(channel, method, data, metadata))
    except grpc.aio.AioRpcError as error:
        return read_error(error)
    raise NotRefused(method.full_name)


async def answered(make: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return what a call returns, or raise what the server refused it with.

    A refusal that comes while a message is still being written is lost in grpc, which reports an error of
    its own instead: then the call is made again.
    """
    while True:
        try:
            return await make()
        except grpc.aio.AioRpcError as error:
            if error.details() != "Internal error from Core":
                raise


async def _stream(answers: AsyncIterable[bytes]) -> None:
    """Read a stream to its end."""
    async for _ in answers:
        pass


async def _each(data: Sequence[bytes]) -> AsyncIterator[bytes]:
    """Yield messages."""
    for each in data:
        yield each
