"""What the gateway serves as it is: the document, and a page that shows it without asking any other host."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from importlib.resources import files
from typing import final

from google.protobuf.descriptor import ServiceDescriptor

from shoal.server.gateway.answers import Answer
from shoal.server.gateway.kept import ASK_EACH_TIME, has_tag
from shoal.server.gateway.negotiation import Headers
from shoal.server.openapi.comments import read_comments
from shoal.server.openapi.document import document_bytes, document_of
from shoal.server.openapi.examples import read_examples

DOCUMENT = "/openapi.json"
DOCS = "/docs"

POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'"),
        *("img-src 'self' data:", "connect-src 'self'"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
"""What a browser lets the page do: run what comes with it, and ask the server that it came from."""

_VIEWER = {
    DOCS: ("index.html", "text/html; charset=utf-8"),
    f"{DOCS}/start.js": ("start.js", "text/javascript; charset=utf-8"),
    f"{DOCS}/swagger-ui-bundle.js": ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    f"{DOCS}/swagger-ui.css": ("swagger-ui.css", "text/css; charset=utf-8"),
}


@final
@dataclass(frozen=True)
class Fixed:
    """What one path answers a GET with, as a page of the gateway.

    Its bytes are made when they are first asked for, and then kept.
    """

    media_type: str
    _make: Callable[[], bytes]

    def __call__(self, headers: Headers) -> Answer:
        """Return the answer, or that the client has it already."""
        tag = self.etag.encode()
        more = ((b"etag", tag), ASK_EACH_TIME, (b"content-security-policy", POLICY.encode()))
        if has_tag(headers, tag):
            return Answer(HTTPStatus.NOT_MODIFIED, headers=more)
        return Answer(HTTPStatus.OK, self.body, self.media_type.encode(), more)

    @cached_property
    def body(self) -> bytes:
        """All of it."""
        return self._make()

    @cached_property
    def etag(self) -> str:
        """What stands for these bytes, and for no others."""
        return f'W/"{hashlib.sha256(self.body).hexdigest()[:32]}"'


def fixed_pages(services: Sequence[ServiceDescriptor], version: str) -> dict[str, Fixed]:
    """Return the pages of a server of this version that offers these services, by their paths."""

    def document() -> bytes:
        return document_bytes(document_of(services, read_comments(), read_examples(), version))

    viewer = files(__package__).joinpath("viewer")
    return {
        DOCUMENT: Fixed("application/json", document),
        **{
            path: Fixed(media_type, viewer.joinpath(name).read_bytes)
            for path, (name, media_type) in _VIEWER.items()
        },
    }
