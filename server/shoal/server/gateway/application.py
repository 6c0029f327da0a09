"""Every HTTP request, from its head to its answer: found, called, and answered with what all answers have."""

import asyncio
import gzip
import re
import secrets
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, TypeAlias, final

import structlog

from shoal.server.errors import Reason
from shoal.server.gateway.answers import Answer, answer_of, answer_to, not_served
from shoal.server.gateway.bodies import Body, Receive
from shoal.server.gateway.calls import Call, Request
from shoal.server.gateway.connection import Connection, head_too_large
from shoal.server.gateway.context import Aborted
from shoal.server.gateway.kept import NEVER
from shoal.server.gateway.negotiation import Headers, headers_of, takes_gzip
from shoal.server.gateway.pages import CLOSED, Page
from shoal.server.gateway.router import Router, allow, no_verb
from shoal.server.gateway.streaming import Send

Scope: TypeAlias = MutableMapping[str, Any]
RawHeaders: TypeAlias = tuple[tuple[bytes, bytes], ...]

COMPRESSED_BYTES = 8 * 1024
"""An answer of this size and more is compressed for who takes that: less would save next to nothing."""

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=-]{1,128}")

COMPRESSION = 5
"""Of the levels up to 9 one that costs little."""

SAFE = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
DEFAULTS = dict((NEVER, (b"content-security-policy", CLOSED)))
"""Headers of every answer that says nothing else."""


@final
class Application:
    """The gateway as an ASGI application."""

    def __init__(self, calls: Iterable[Call], pages: Mapping[str, Page]) -> None:
        """Answer these, and pages by their paths."""
        self._router = Router((call.binding, call) for call in calls)
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; when whoever asked is gone, stop at once."""
        assert scope["type"] == "http"
        connection: Connection = scope["state"]["connection"]
        try:
            with connection.running():
                await self._serve(scope, receive, send, connection)
        except asyncio.CancelledError:
            if not connection.gone:
                raise

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, connection: Connection
    ) -> None:
        """Answer one request."""
        headers = headers_of(scope["headers"])
        request_id = _request_id(headers)
        structlog.contextvars.bind_contextvars(http_request=request_id.decode())
        body = Body(headers, receive)
        common = (*SAFE, (b"x-request-id", request_id))
        try:
            if connection.head_too_large:
                raise head_too_large()
            answer = await self._answer(scope, headers, body, send, common)
        except Aborted as error:
            answer = answer_of(error.status)
        except Exception as error:  # noqa: BLE001 - every error becomes an answer
            answer = answer_to(error)
        if answer is None:
            return
        if connection.head_too_large or not body.complete:
            answer = answer.with_headers((b"connection", b"close"))
        await _send_answer(send, await _compressed(answer, headers), common)

    async def _answer(
        self, scope: Scope, headers: Headers, body: Body, send: Send, common: RawHeaders
    ) -> Answer | None:
        """Return the answer, None when it has been streamed; raise NotServed, Refusal, Aborted."""
        verb, path = scope["method"], scope["raw_path"].decode("latin-1")
        page = self._pages.get(path)
        if page is not None:
            return _of_page(page, verb, headers)
        if verb == "OPTIONS":
            return Answer(HTTPStatus.NO_CONTENT).with_headers((b"allow", self._router.verbs(path)))
        found = self._router.find(verb, path)
        call = found.target
        if not call.binding.body and not body.complete:
            raise not_served(
                HTTPStatus.BAD_REQUEST, Reason.MALFORMED, f"{verb} takes no body at this path"
            )
        request = Request(
            found.variables, scope["query_string"], headers, scope["headers"], _peer(scope), body
        )
        if not call.binding.streams:
            return await call.answer(request)
        if verb == "HEAD":
            raise no_verb(verb, {"GET"})
        return await call.stream(request, send, (*common, *DEFAULTS.items()))


def _request_id(headers: Headers) -> bytes:
    """Return what a request is called: by its client, or else by us."""
    said = headers.get(b"x-request-id", b"")
    return said if _REQUEST_ID.fullmatch(said) else secrets.token_hex(8).encode()


def _peer(scope: Scope) -> str:
    """Return the address of the caller, as gRPC writes it."""
    client = scope.get("client")
    return "unknown" if client is None else f"ipv4:{client[0]}:{client[1]}"


def _of_page(page: Page, verb: str, headers: Headers) -> Answer:
    """Return what a page says; raise NotServed for a verb that is none of its own."""
    if verb == "OPTIONS":
        return Answer(HTTPStatus.NO_CONTENT).with_headers((b"allow", allow({"GET"})))
    if verb not in {"GET", "HEAD"}:
        raise no_verb(verb, {"GET"})
    return page(headers)


async def _compressed(answer: Answer, headers: Headers) -> Answer:
    """Return the same answer, compressed if it is large and whoever asks takes that."""
    if len(answer.body) < COMPRESSED_BYTES:
        return answer
    answer = answer.with_headers((b"vary", b"accept-encoding"))
    if not takes_gzip(headers):
        return answer
    body = await asyncio.to_thread(gzip.compress, answer.body, COMPRESSION)
    return replace(answer, body=body).with_headers((b"content-encoding", b"gzip"))


async def _send_answer(send: Send, answer: Answer, common: RawHeaders) -> None:
    """Send a whole answer."""
    headers = [*common, *answer.headers]
    said = {name for name, _ in headers}
    headers += [each for each in DEFAULTS.items() if each[0] not in said]
    if answer.code not in {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}:
        headers.append((b"content-type", answer.media_type))
        headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
