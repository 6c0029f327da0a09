"""The OpenAPI document of the services: the same bytes on every machine, from the protos alone.

Paths and schemas are sorted, and what is in them has the order of the protos.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from shoal.server.openapi.comments import Comments
from shoal.server.openapi.examples import Example
from shoal.server.openapi.operations import Operations, parameters
from shoal.server.openapi.refusals import error_schemas, headers
from shoal.server.openapi.scalars import Schema
from shoal.server.openapi.schemas import Schemas
from shoal.server.openapi.security import security_schemes
from shoal.server.transcoding import Binding, bindings_of

VERSION = "3.1.1"

ABOUT = """\
Everything that bots, dashboards and organizers do here, over plain HTTP. The same calls are there over
gRPC, and mean the same: both are made from one schema.

Bodies and answers are proto3 JSON: names in lowerCamelCase, 64-bit integers as strings, bytes as base64. A
field that has its default may be left out of a request; an answer has every field, but for messages and
optional values that are not there. A request with an unknown field is refused.

A refusal is always an `Error`. Branch on the `reason` in its details, never on the text.
"""


class TwiceNamed(ValueError):
    """Two operations or two schemas have one name."""


def document_of(
    services: Sequence[ServiceDescriptor],
    comments: Comments,
    examples: Mapping[str, Example],
    version: str,
) -> dict[str, Any]:
    """Return the document of all annotated methods; raise TwiceNamed, NotCommented, NoSchema.

    `version` is that of the server.
    """
    bindings = bindings_of(services)
    schemas = Schemas(
        (each.method.input_type for each in bindings if each.body),
        (each.method.output_type for each in bindings),
        comments,
    )
    operations = Operations(bindings, schemas, comments, examples)
    return {
        "openapi": VERSION,
        "info": {
            "title": "Shoal",
            "version": version,
            "description": ABOUT,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that this document came from."}],
        "tags": [{"name": each.name, "description": comments.of(each)} for each in services],
        "paths": _paths(bindings, operations),
        "components": {
            "schemas": _all_schemas(bindings, schemas),
            "headers": headers(),
            "parameters": parameters(),
            "securitySchemes": security_schemes(),
        },
    }


def document_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a document as it is sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _paths(bindings: Sequence[Binding], operations: Operations) -> Schema:
    """Return the operations by path and verb; raise TwiceNamed."""
    names = [each.method.name for each in bindings]
    if len(set(names)) < len(names):
        raise TwiceNamed("two operations have one name")
    paths: Schema = {}
    for binding in bindings:
        paths.setdefault(str(binding.template), {})[binding.verb.lower()] = operations.operation(
            binding
        )
    return dict(sorted(paths.items()))


def _all_schemas(bindings: Sequence[Binding], schemas: Schemas) -> Schema:
    """Return all schemas by their names; raise TwiceNamed."""
    by_path = {
        each.method.input_type.full_name: each.template.variables for each in bindings if each.body
    }
    ours, of_errors = schemas.components(by_path), error_schemas()
    twice = ours.keys() & of_errors.keys()
    if twice:
        raise TwiceNamed(", ".join(sorted(twice)))
    return dict(sorted({**ours, **of_errors}.items()))
