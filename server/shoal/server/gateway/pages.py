"""What is served beside the methods: whether this process lives, whether it takes calls, and fixed pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeAlias, final

from shoal.server.errors import Reason, Refusal
from shoal.server.gateway.answers import Answer, answer_of
from shoal.server.gateway.negotiation import Headers
from shoal.server.status import status_of

Page: TypeAlias = Callable[[Headers], Answer]
"""From the headers of a request to the answer."""

RETRY_SECONDS = 1.0

CLOSED = b"default-src 'none'; frame-ancestors 'none'"
"""The content security policy of all that is no page: a browser does nothing with it."""


@final
@dataclass(slots=True)
class Readiness:
    """Whether this process takes calls: whoever runs it says when it drains, and the store is asked."""

    store_available: Callable[[], bool]
    draining: bool = False


def alive(_: Headers) -> Answer:
    """Answer: who can say this is alive."""
    return Answer(HTTPStatus.OK, b'{"status":"ok"}')


def pages_of(readiness: Readiness) -> Mapping[str, Page]:
    """Return the pages that every server has, by their paths."""

    def ready(_: Headers) -> Answer:
        refusal = _unready(readiness)
        return (
            Answer(HTTPStatus.OK, b'{"status":"ready"}')
            if refusal is None
            else answer_of(status_of(refusal))
        )

    return {"/healthz": alive, "/readyz": ready}


def _unready(readiness: Readiness) -> Refusal | None:
    """Return why no calls are taken, None if they are."""
    if readiness.draining:
        return Refusal(Reason.DRAINING, "this server is about to stop", retry_after=RETRY_SECONDS)
    if not readiness.store_available():
        return Refusal(
            Reason.STORE_UNAVAILABLE, "the store does not answer", retry_after=RETRY_SECONDS
        )
    return None
