"""The OpenAPI document of the HTTP gateway, and the page that shows it: from the protos alone."""

from shoal.server.openapi.document import document_bytes, document_of
from shoal.server.openapi.pages import Page, pages_of

__all__ = ["Page", "document_bytes", "document_of", "pages_of"]
