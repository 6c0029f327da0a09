"""The OpenAPI document of the HTTP gateway, and the page that shows it: from the protos alone."""

from shoal.server.openapi.document import document_bytes, document_of
from shoal.server.openapi.pages import Fixed, fixed_pages

__all__ = ["Fixed", "document_bytes", "document_of", "fixed_pages"]
