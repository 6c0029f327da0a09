"""What an operation may be refused with: the one form of all errors, and the HTTP statuses that can occur."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import final

from shoal.server.errors import Reason
from shoal.server.openapi.comments import Comments
from shoal.server.openapi.scalars import Schema
from shoal.server.openapi.schemas import STATUS

JSON = "application/json"
ERROR = "Error"
"""The name of the schema of what every refusal is."""

_REASON = re.compile(r"\b[A-Z]+(?:_[A-Z]+)*\b(?: \([^)]*\))?")
_DETAILS: dict[str, tuple[str, Schema]] = {
    "ErrorInfo": (
        "Why, for programs: branch on `reason`. Exactly one of these is in every refusal.",
        {
            "reason": {"type": "string", "enum": sorted(each.value for each in Reason)},
            "domain": {"type": "string", "const": "shoal"},
            "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    ),
    "BadRequest": (
        "Which fields are bad, and what is wrong with each.",
        {
            "fieldViolations": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "field": {"type": "string"},
                        "description": {"type": "string"},
                        "reason": {"type": "string"},
                    },
                },
            }
        },
    ),
    "RetryInfo": (
        "After how long the same request is worth another try; `Retry-After` says it in whole seconds.",
        {"retryDelay": {"type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,9})?s$"}},
    ),
    "RequestInfo": (
        "The id of the line in the server's log, to report.",
        {"requestId": {"type": "string"}, "servingData": {"type": "string"}},
    ),
}


@final
@dataclass(frozen=True, slots=True)
class Causes:
    """Why an operation may be refused beside what its comment names: its token, its body, its match."""

    needs_token: bool
    has_body: bool
    names_match: bool


def error_schemas() -> dict[str, Schema]:
    """Return the schemas of refusals, by their names."""
    details = {name: _detail(name, *said) for name, said in _DETAILS.items()}
    return {
        ERROR: {
            "type": "object",
            "description": "Every refusal, whatever refused it.",
            "properties": {"error": {"$ref": f"#/components/schemas/{STATUS}WithName"}},
            "required": ["error"],
            "additionalProperties": False,
        },
        f"{STATUS}WithName": {
            **_status(),
            "description": "What HTTP makes of a `google.rpc.Status`.",
            "properties": {
                **_status()["properties"],
                "code": {"type": "integer", "description": "The HTTP status."},
                "status": {
                    "type": "string",
                    "description": "The name of the `google.rpc.Code`, such as `INVALID_ARGUMENT`.",
                },
            },
            "required": ["code", "message", "status", "details"],
        },
        STATUS: {
            **_status(),
            "description": "A `google.rpc.Status`: why one thing was refused.",
            "required": ["code", "message", "details"],
        },
        **details,
    }


def headers() -> dict[str, Schema]:
    """Return the headers that answers have, by name."""
    return {
        "ETag": {
            "description": "What stands for this answer: sent in `If-None-Match`, it lets it come again only"
            " if it has changed.",
            "schema": {"type": "string"},
        },
        "Retry-After": {
            "description": "After how many seconds the same request is worth another try.",
            "schema": {"type": "integer", "minimum": 1},
        },
        "WWW-Authenticate": {
            "description": "How to say who calls.",
            "schema": {"type": "string", "const": "Bearer"},
        },
    }


def headers_of(status: int) -> Schema:
    """Return which headers a refusal has, as a part of its description."""
    names = {
        HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
        HTTPStatus.TOO_MANY_REQUESTS: "Retry-After",
        HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
    }
    name = names.get(HTTPStatus(status))
    return {} if name is None else {"headers": {name: {"$ref": f"#/components/headers/{name}"}}}


def reasons_of(said: str) -> dict[Reason, str]:
    """Return the reasons that a method's comment names, each with what it says of it in brackets."""
    known = {each.value: each for each in Reason}
    named = (found.partition(" ") for found in _REASON.findall(said))
    return {known[name]: note.strip("()") for name, _, note in named if name in known}


def always(causes: Causes) -> Iterator[Reason]:
    """Yield what any call may be refused for, a call with these causes also."""
    yield from (Reason.MALFORMED, Reason.TOKEN_INVALID, Reason.TOKEN_REVOKED, Reason.RATE_LIMITED)
    yield from (Reason.DRAINING, Reason.STORE_UNAVAILABLE, Reason.INTERNAL)
    if causes.needs_token:
        yield Reason.NOT_ALLOWED
    if causes.has_body:
        yield Reason.MESSAGE_TOO_LARGE
    if causes.names_match:
        yield Reason.MATCH_ARCHIVED


def described(reasons: Iterable[Reason], notes: dict[Reason, str], comments: Comments) -> str:
    """Return a line on each of the reasons: what the protos say of it, and what the method's comment adds."""
    lines = []
    for reason in sorted(reasons, key=lambda each: each.value):
        meaning = comments.named(f"shoal.v1.ErrorReason.ERROR_REASON_{reason.value}")
        note = f" Here: {notes[reason]}." if notes.get(reason) else ""
        lines.append(f"- `{reason.value}`: {meaning.partition('. ')[2]}{note}")
    return "\n".join(lines)


def _status() -> Schema:
    """Return the shape of a `google.rpc.Status`."""
    choices = [{"$ref": f"#/components/schemas/{name}"} for name in _DETAILS]
    return {
        "type": "object",
        "properties": {
            "code": {
                "type": "integer",
                "description": "A `google.rpc.Code`.",
                "minimum": 1,
                "maximum": 16,
            },
            "message": {
                "type": "string",
                "description": "For people; it changes without notice.",
            },
            "details": {
                "type": "array",
                "description": "For programs.",
                "items": {"oneOf": choices},
            },
        },
        "additionalProperties": False,
    }


def _detail(name: str, meaning: str, properties: Schema) -> Schema:
    """Return the schema of one kind of detail, which says its type."""
    kind = {"type": "string", "const": f"type.googleapis.com/google.rpc.{name}"}
    return {
        "type": "object",
        "description": meaning,
        "properties": {"@type": kind, **properties},
        "required": ["@type"],
        "additionalProperties": False,
    }
