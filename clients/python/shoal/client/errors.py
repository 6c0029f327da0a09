"""Refusals of the server as Python errors. The only place that decodes `google.rpc.Status`."""

from collections.abc import Mapping, Sequence
from typing import Self

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

_DETAILS_KEY = "grpc-status-details-bin"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class ShoalError(Exception):
    """A call that the server refused, or that did not reach it.

    Branch on `code` and `reason` (the names of `pb.ErrorReason` without prefix, such as
    `"NOT_FOUND"`; empty when the error is not one of Shoal's). Values are in `metadata`, the text in
    `message` is for people. `retry_after` is in seconds, where the server named a time.
    `violations` are the fields of the request that are wrong, each with what is wrong with it.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        metadata: Mapping[str, str],
        message: str,
        retry_after: float | None = None,
        violations: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Keep what is known of the refusal."""
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.metadata = dict(metadata)
        self.message = message
        self.retry_after = retry_after
        self.violations = tuple(violations)

    def __str__(self) -> str:
        """Return one line for people."""
        name = self.reason or self.code.name
        return f"{name}: {self.message}" if self.message else name

    @property
    def transient(self) -> bool:
        """True when the same call may succeed a little later."""
        return self.code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}

    @classmethod
    def from_status(cls, status: Status) -> Self:
        """Decode a status that came inside a message of a stream."""
        code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
        return cls._made(code, status, _one_line(status.message))

    @classmethod
    def from_rpc(cls, error: grpc.aio.AioRpcError) -> Self:
        """Decode the error of a call."""
        status = _status_of(error)
        message = _one_line(error.details() or status.message)
        return cls._made(error.code(), status, message)

    @classmethod
    def _made(cls, code: grpc.StatusCode, status: Status, message: str) -> Self:
        """Return the error with the details of a status."""
        reason, metadata, retry_after, violations = (
            "",
            dict[str, str](),
            None,
            list[tuple[str, str]](),
        )
        for detail in status.details:
            info, retry, request = ErrorInfo(), RetryInfo(), BadRequest()
            if detail.Unpack(info) and info.domain == "shoal":
                reason, metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(retry):
                delay = retry.retry_delay
                retry_after = delay.seconds + delay.nanos / 1e9
            elif detail.Unpack(request):
                violations += [
                    (each.field, _one_line(each.description)) for each in request.field_violations
                ]
        return cls(code, reason, metadata, message, retry_after, violations)


class StreamRefused(ShoalError):
    """The stream of a bot ended for good: connecting again would end the same way."""


class Superseded(StreamRefused):
    """Another process plays as this bot now; two of them would evict each other for ever."""


class TokenRefused(StreamRefused):
    """The server does not know the token, or it was revoked."""


class Unreachable(ShoalError):
    """No server answered at the address."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _status_of(error: grpc.aio.AioRpcError) -> Status:
    """Return the status in the trailing metadata; an empty one when there is none to read."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY and isinstance(value, bytes):
            try:
                return Status.FromString(value)
            except DecodeError:
                break
    return Status()
