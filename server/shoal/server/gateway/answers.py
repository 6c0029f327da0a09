"""What an HTTP answer is, and how a status of ours becomes one. The only table of HTTP's codes."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeAlias, final

from google.protobuf.json_format import MessageToDict
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from shoal.server.errors import Reason, Refusal
from shoal.server.status import status_of

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]

CODES: Mapping[int, int] = {
    code_pb2.OK: 200,
    code_pb2.CANCELLED: 499,
    code_pb2.UNKNOWN: 500,
    code_pb2.INVALID_ARGUMENT: 400,
    code_pb2.DEADLINE_EXCEEDED: 504,
    code_pb2.NOT_FOUND: 404,
    code_pb2.ALREADY_EXISTS: 409,
    code_pb2.PERMISSION_DENIED: 403,
    code_pb2.UNAUTHENTICATED: 401,
    code_pb2.RESOURCE_EXHAUSTED: 429,
    code_pb2.FAILED_PRECONDITION: 400,
    code_pb2.ABORTED: 409,
    code_pb2.OUT_OF_RANGE: 400,
    code_pb2.UNIMPLEMENTED: 501,
    code_pb2.INTERNAL: 500,
    code_pb2.UNAVAILABLE: 503,
    code_pb2.DATA_LOSS: 500,
}
"""As google/rpc/code.proto documents them."""

OF_REASONS: Mapping[str, int] = {
    Reason.MESSAGE_TOO_LARGE.value: HTTPStatus.REQUEST_ENTITY_TOO_LARGE
}
"""Reasons for which HTTP has a code of its own."""

JSON = b"application/json"


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer."""

    code: int
    body: bytes = b""
    media_type: bytes = JSON
    headers: Headers = ()

    def with_headers(self, *headers: tuple[bytes, bytes]) -> "Answer":
        """Return the same answer with these headers too."""
        return replace(self, headers=(*self.headers, *headers))


@final
class NotServed(Exception):
    """What HTTP itself refuses, before a method is called: `code` is the one that HTTP has for it."""

    def __init__(self, code: int, refusal: Refusal, headers: Headers) -> None:
        """Remember everything that the answer will say."""
        super().__init__(refusal.message)
        self.code = code
        self.refusal = refusal
        self.headers = headers


def not_served(code: int, reason: Reason, message: str, *headers: tuple[bytes, bytes]) -> NotServed:
    """Return the refusal of a request that reaches no method."""
    return NotServed(code, Refusal(reason, message), headers)


def answer_to(error: BaseException) -> Answer:
    """Return how any error is answered; a bug is logged on the way."""
    if isinstance(error, NotServed):
        return answer_of(status_of(error.refusal), error.code).with_headers(*error.headers)
    return answer_of(status_of(error))


def answer_of(status: Status, code: int = 0) -> Answer:
    """Return the answer that says a status, with its own HTTP code or the one given."""
    code = code or code_of(status)
    headers: list[tuple[bytes, bytes]] = []
    seconds = _retry_seconds(status)
    if seconds is not None:
        headers.append((b"retry-after", str(seconds).encode()))
    if code == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    return Answer(code, error_json(status, code), headers=tuple(headers))


def code_of(status: Status) -> int:
    """Return the HTTP code of a status."""
    return OF_REASONS.get(_reason(status), CODES[status.code])


def error_json(status: Status, code: int) -> bytes:
    """Return a status as JSON: its numeric code is that of HTTP, `status` is the name of gRPC's."""
    said = {
        "code": code,
        "message": status.message,
        "status": code_pb2.Code.Name(status.code),
        "details": [MessageToDict(detail) for detail in status.details],
    }
    return json.dumps({"error": said}, separators=(",", ":")).encode()


def _reason(status: Status) -> str:
    """Return the reason of a status, "" where it says none."""
    for detail in status.details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            return str(ErrorInfo.FromString(detail.value).reason)
    return ""


def _retry_seconds(status: Status) -> int | None:
    """Return after how many seconds to come again, None where it makes no sense."""
    for detail in status.details:
        if detail.Is(RetryInfo.DESCRIPTOR):
            milliseconds: int = RetryInfo.FromString(detail.value).retry_delay.ToMilliseconds()
            return max(1, math.ceil(milliseconds / 1000))
    return None
