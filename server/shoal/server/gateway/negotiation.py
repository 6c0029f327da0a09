"""What a client takes, by its Accept headers, and what it sends, by its Content-Type."""

from collections.abc import Iterable, Mapping
from enum import Enum, unique
from http import HTTPStatus
from typing import TypeAlias

from shoal.server.errors import Reason
from shoal.server.gateway.answers import not_served

Headers: TypeAlias = Mapping[bytes, bytes]
"""The headers of a request by lower-case name; of those that come several times, all, with commas between."""


@unique
class Form(Enum):
    """How a stream is written; the value is its media type."""

    LINES = "application/x-ndjson"
    EVENTS = "text/event-stream"


JSON = "application/json"


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the headers of a request by name."""
    headers: dict[bytes, bytes] = {}
    for name, value in raw:
        headers[name] = headers[name] + b", " + value if name in headers else value
    return headers


def check_accepts_json(headers: Headers) -> None:
    """Raise NotServed unless the client takes JSON."""
    accept = headers.get(b"accept")
    if accept is not None and accept != b"*/*" and not _quality(accept, JSON):
        raise not_served(HTTPStatus.NOT_ACCEPTABLE, Reason.MALFORMED, f"accept: there is {JSON}")


def form_of(headers: Headers) -> Form:
    """Return how a client wants a stream: as lines, unless it rather takes events; raise NotServed."""
    accept = headers.get(b"accept", b"*/*")
    lines, events = (_quality(accept, form.value) for form in (Form.LINES, Form.EVENTS))
    if not lines and not events:
        there = " and ".join(form.value for form in Form)
        raise not_served(HTTPStatus.NOT_ACCEPTABLE, Reason.MALFORMED, f"accept: there are {there}")
    named = Form.EVENTS.value.encode() in accept.lower()
    return Form.EVENTS if events > lines or (named and events == lines) else Form.LINES


def takes_gzip(headers: Headers) -> bool:
    """Return whether an answer may be compressed."""
    return any(
        coding in {"gzip", "*"} and quality > 0
        for coding, quality in _weighed(headers.get(b"accept-encoding", b""))
    )


def check_sends_json(headers: Headers) -> None:
    """Raise NotServed for a body that says it is anything but JSON, as it is."""
    said = headers.get(b"content-type", b"application/json").decode("latin-1")
    media_type, *more = (part.strip().lower() for part in said.split(";"))
    charsets = {part.partition("=")[2].strip('"') for part in more if part.startswith("charset")}
    if media_type != JSON or charsets - {"utf-8", "utf8"}:
        raise not_served(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            Reason.MALFORMED,
            f"content-type: a body is {JSON} in UTF-8, not {said[:80]!r}",
        )
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise not_served(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            Reason.MALFORMED,
            "content-encoding: a body comes as it is",
        )


def _quality(accept: bytes, media_type: str) -> float:
    """Return how much a client likes a media type, 0 for not at all: the most exact range counts."""
    whole, _, _ = media_type.partition("/")
    ranks = {"*/*": 1, f"{whole}/*": 2, media_type: 3}
    best, quality = 0, 0.0
    for said, weight in _weighed(accept):
        if ranks.get(said, 0) > best:
            best, quality = ranks[said], weight
    return quality


def _weighed(header: bytes) -> Iterable[tuple[str, float]]:
    """Yield what a header lists, in lower case, each with its weight."""
    for part in header.decode("latin-1").lower().split(","):
        name, *parameters = (each.strip() for each in part.split(";"))
        quality = 1.0
        for each in parameters:
            if each.startswith("q="):
                quality = _number(each[2:])
        yield name, quality


def _number(text: str) -> float:
    """Return a weight; 0 for what is none."""
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
