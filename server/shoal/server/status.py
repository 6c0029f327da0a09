"""The one table from what went wrong to what gRPC says (docs/errors.md). Only this module knows codes."""

import secrets

import grpc
import structlog
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RequestInfo, RetryInfo
from google.rpc.status_pb2 import Status

from shoal.match import VoidReason
from shoal.server.errors import Reason, Refusal
from shoal.server.store.errors import MatchArchived, MatchCondemned, StoreUnavailable

DOMAIN = "shoal"

log = structlog.get_logger()

CODES: dict[Reason, grpc.StatusCode] = {
    Reason.ILLEGAL_OPTION: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MALFORMED: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.REQUEST_ID_REUSED: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.UNKNOWN_RULESET: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.NO_OPEN_DECISION: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TIME_EXPIRED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_NOT_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_LEFT: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.DECISION_ALREADY_MADE: grpc.StatusCode.ABORTED,
    Reason.STALE_DECISION: grpc.StatusCode.ABORTED,
    Reason.SEAT_NOT_YOURS: grpc.StatusCode.PERMISSION_DENIED,
    Reason.NOT_ALLOWED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.TOKEN_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.TOKEN_REVOKED: grpc.StatusCode.UNAUTHENTICATED,
    Reason.RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.CONCURRENCY_LIMIT: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.MESSAGE_TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.NAME_TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Reason.DRAINING: grpc.StatusCode.UNAVAILABLE,
    Reason.STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Reason.NOT_IMPLEMENTED: grpc.StatusCode.UNIMPLEMENTED,
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
    Reason.ENTRY_REFUSED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.WRONG_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_ARCHIVED: grpc.StatusCode.FAILED_PRECONDITION,
}

STORE_RETRY_SECONDS = 1.0

_WHY_CONDEMNED = {
    VoidReason.LOST_MOVES.value: "the store has lost moves of it",
    VoidReason.FAULT.value: "an error of ours keeps it from going on",
    VoidReason.CEILING.value: "it has lasted for as long as it may",
}
"""Why a match takes nothing but its void, by the reason that the store has for it."""


def refusal_of(error: BaseException) -> Refusal:
    """Return what a caller is told about any error; a bug is logged with its traceback here."""
    match error:
        case Refusal():
            return error
        case MatchCondemned():
            # A bot that asks again is told the end: it is only just on its way.
            why = _WHY_CONDEMNED.get(error.reason, "it cannot be counted")
            return Refusal(
                Reason.STORE_UNAVAILABLE,
                f"this match is about to end as void: {why}",
                retry_after=STORE_RETRY_SECONDS,
            )
        case MatchArchived():
            return Refusal(Reason.MATCH_ARCHIVED, str(error), place=error.place)
        case StoreUnavailable():
            return Refusal(
                Reason.STORE_UNAVAILABLE,
                "the store does not answer; nothing that was acknowledged is lost",
                retry_after=STORE_RETRY_SECONDS,
            )
        case _:
            request = secrets.token_hex(8)
            log.error("bug", request=request, exc_info=error)
            return Refusal(
                Reason.INTERNAL, f"a bug on our side, logged as {request}", request=request
            )


def status_of(error: BaseException) -> Status:
    """Return the status, with its details, that an error is answered with."""
    refusal = refusal_of(error)
    code: int = CODES[refusal.reason].value[0]
    return Status(
        code=code, message=refusal.message, details=[_any(each) for each in _details(refusal)]
    )


def _details(refusal: Refusal) -> list[Message]:
    """Return the details of a refusal: always one ErrorInfo, others where they say something."""
    details: list[Message] = [
        ErrorInfo(reason=refusal.reason.value, domain=DOMAIN, metadata=refusal.metadata)
    ]
    if refusal.violations:
        violations = [
            BadRequest.FieldViolation(field=field, description=problem)
            for field, problem in refusal.violations
        ]
        details.append(BadRequest(field_violations=violations))
    if refusal.retry_after is not None:
        delay = Duration()
        delay.FromMilliseconds(int(refusal.retry_after * 1000))
        details.append(RetryInfo(retry_delay=delay))
    if refusal.reason is Reason.INTERNAL:
        details.append(RequestInfo(request_id=refusal.metadata["request"]))
    return details


def _any(message: Message) -> AnyMessage:
    """Return the message as a detail."""
    packed = AnyMessage()
    packed.Pack(message)
    return packed
