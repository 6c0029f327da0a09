"""The document of all services, and validators of what it says."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor
from jsonschema import Draft202012Validator

from shoal.server.openapi import document_of
from shoal.server.openapi.comments import read_comments
from shoal.server.openapi.examples import read_examples
from tests.server.rpcs import METHODS

SERVICES: list[ServiceDescriptor] = list(
    {
        method.containing_service.full_name: method.containing_service
        for method in METHODS.values()
    }.values()
)


@cache
def document() -> dict[str, Any]:
    """The document, as a server sends it."""
    return document_of(SERVICES, read_comments(), read_examples(), "1.2.3")


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """A validator of what a schema of the document says."""
    whole = {**schema, "components": document()["components"]}
    return Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Return each operation with its path and its verb."""
    return [
        (path, verb, operation)
        for path, item in document()["paths"].items()
        for verb, operation in item.items()
    ]


def walk(part: object, at: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all objects of a document, with where they are, but for what is in examples."""
    if isinstance(part, dict):
        yield at, part
        for key, value in part.items():
            if key not in {"example", "examples"}:
                yield from walk(value, f"{at}/{key}")
    elif isinstance(part, list):
        for index, value in enumerate(part):
            yield from walk(value, f"{at}/{index}")
