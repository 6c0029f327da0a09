"""What the gateway serves as it is: the document, and a page that shows it without asking any other host."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import final

from google.protobuf.descriptor import ServiceDescriptor

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

_CHANGES = "no-cache"
_VIEWER = {
    DOCS: ("index.html", "text/html; charset=utf-8"),
    f"{DOCS}/start.js": ("start.js", "text/javascript; charset=utf-8"),
    f"{DOCS}/swagger-ui-bundle.js": ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    f"{DOCS}/swagger-ui.css": ("swagger-ui.css", "text/css; charset=utf-8"),
}


@final
@dataclass(frozen=True)
class Page:
    """What one path answers a GET with. Its bytes are made when they are first asked for, and then kept."""

    content_type: str
    _make: Callable[[], bytes]

    @cached_property
    def body(self) -> bytes:
        """All of it."""
        return self._make()

    @cached_property
    def etag(self) -> str:
        """What stands for these bytes, and for no others."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that go with it: its type, what stands for it, and what a browser may do with it."""
        return {
            "content-type": self.content_type,
            "etag": self.etag,
            "cache-control": _CHANGES,
            "content-security-policy": POLICY,
        }


def pages_of(services: Sequence[ServiceDescriptor], version: str) -> dict[str, Page]:
    """Return the pages of a server of this version that offers these services, by their paths."""

    def document() -> bytes:
        return document_bytes(document_of(services, read_comments(), read_examples(), version))

    viewer = files(__package__).joinpath("viewer")
    return {
        DOCUMENT: Page("application/json", document),
        **{
            path: Page(content_type, viewer.joinpath(name).read_bytes)
            for path, (name, content_type) in _VIEWER.items()
        },
    }
