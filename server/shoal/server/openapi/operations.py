"""From a binding to an operation: what it takes, what it answers, and what it refuses."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import final

from google.protobuf.descriptor import FieldDescriptor

from shoal.server.errors import Reason
from shoal.server.openapi.comments import Comments, first_sentence
from shoal.server.openapi.examples import Example
from shoal.server.openapi.links import links_of
from shoal.server.openapi.refusals import (
    ERROR,
    JSON,
    Causes,
    always,
    described,
    headers_of,
    reasons_of,
)
from shoal.server.openapi.scalars import Schema
from shoal.server.openapi.schemas import Schemas, Side
from shoal.server.openapi.security import needs_token, security_of
from shoal.server.openapi.statuses import (
    before_the_call,
    may_be_kept,
    may_go_on,
    status_of,
    without_content,
)
from shoal.server.transcoding import Binding

EVENT_STREAM = "text/event-stream"
LINES = "application/x-ndjson"


def parameters() -> dict[str, Schema]:
    """Return the headers that some operations understand, by name."""
    return {
        "IfNoneMatch": {
            "name": "If-None-Match",
            "in": "header",
            "description": "The `ETag` of an answer that the client has.",
            "schema": {"type": "string", "pattern": '^(W/)?"[0-9a-f]{1,64}"$'},
        },
        "LastEventId": {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "The id of the last event that was read; browsers send it by themselves.",
            "schema": {"type": "string", "pattern": "^([0-9]{1,18}|end)$"},
        },
    }


@final
@dataclass(frozen=True, slots=True)
class Operations:
    """Makes operations of bindings, with the schemas, comments and examples that are given."""

    bindings: Sequence[Binding]
    schemas: Schemas
    comments: Comments
    examples: Mapping[str, Example]

    def operation(self, binding: Binding) -> Schema:
        """Return the operation of a binding."""
        meaning = self.comments.meaning(binding.method)
        example = self.examples.get(binding.method.name, Example())
        operation: Schema = {
            "operationId": binding.method.name,
            "tags": [binding.method.containing_service.name],
            "summary": first_sentence(meaning),
            "description": meaning,
            "security": security_of(binding),
            "parameters": list(self._parameters(binding, example)),
            "responses": self._responses(binding, example),
        }
        if binding.body:
            operation["requestBody"] = self._body(binding, example)
        return operation

    def _parameters(self, binding: Binding, example: Example) -> Iterator[Schema]:
        """Yield what the path and the query give."""
        fields = binding.method.input_type.fields_by_name
        for name in binding.template.variables:
            yield {
                "name": name,
                "in": "path",
                "required": True,
                "description": self.comments.of(fields[name]),
                "schema": {"type": "string", "minLength": 1},
                **({"example": example.path[name]} if name in example.path else {}),
            }
        if may_be_kept(binding):
            yield {"$ref": "#/components/parameters/IfNoneMatch"}
        if may_go_on(binding):
            yield {"$ref": "#/components/parameters/LastEventId"}
        for query in binding.query:
            yield {
                "name": query.json_name,
                "in": "query",
                "description": self.comments.of(query.field),
                "schema": self._query(query.field),
                **({"style": "form", "explode": True} if query.field.is_repeated else {}),
                **(
                    {"example": example.query[query.json_name]}
                    if query.json_name in example.query
                    else {}
                ),
            }

    def _query(self, field: FieldDescriptor) -> Schema:
        """Return the schema of what a query gives: a text, so of two ways to write a value one is enough."""
        schema = self.schemas.field(field, Side.ASKED)
        del schema["description"]
        return schema

    def _body(self, binding: Binding, example: Example) -> Schema:
        """Return what the body is: the request, without what the path gives."""
        return {
            "description": self.comments.of(binding.method.input_type),
            "required": False,
            "content": {
                JSON: {
                    "schema": self.schemas.reference(binding.method.input_type, Side.ASKED),
                    **({} if example.body is None else {"example": example.body}),
                }
            },
        }

    def _responses(self, binding: Binding, example: Example) -> Schema:
        """Return the answer and all refusals, by HTTP status."""
        answer = binding.method.output_type
        success: Schema = {
            "description": self.comments.of(answer),
            "content": (
                self._streams(binding, example)
                if binding.streams
                else self._whole(binding, example)
            ),
        }
        links = links_of(binding, self.bindings)
        if links:
            success["links"] = links
        if may_be_kept(binding):
            success["headers"] = {"ETag": {"$ref": "#/components/headers/ETag"}}
        nothing = {
            str(int(status)): {"description": why}
            for status, why in without_content(binding).items()
        }
        return {"200": success, **nothing, **self._refusals(binding)}

    def _whole(self, binding: Binding, example: Example) -> Schema:
        """Return the content of an answer that is one message."""
        shown = {} if example.answer is None else {"example": example.answer}
        schema = self.schemas.reference(binding.method.output_type, Side.ANSWERED)
        return {JSON: {"schema": schema, **shown}}

    def _streams(self, binding: Binding, example: Example) -> Schema:
        """Return the contents of an answer that is a stream: one message in each event, or in each line."""
        message = self.schemas.reference(binding.method.output_type, Side.ANSWERED)
        error = {"$ref": f"#/components/schemas/{ERROR}"}
        inside = {"contentMediaType": JSON, "contentSchema": {"anyOf": [message, error]}}
        name = binding.method.output_type.name
        shown = example.streamed
        return {
            EVENT_STREAM: {
                "schema": {
                    "type": "string",
                    "description": f"Server-sent events; the data of each is one {name}. Last comes one"
                    " of type `end`, or one of type `error`, whose data is an Error.",
                    **inside,
                },
                **({"example": shown.events} if shown else {}),
            },
            LINES: {
                "schema": {
                    "type": "string",
                    "description": f"Lines, each of which is one {name}; an Error is the last.",
                    **inside,
                },
                **({"example": shown.lines} if shown else {}),
            },
        }

    def _refusals(self, binding: Binding) -> Schema:
        """Return all refusals of an operation, by HTTP status."""
        notes = reasons_of(self.comments.errors(binding.method))
        causes = Causes(
            needs_token=needs_token(binding),
            has_body=bool(binding.body),
            names_match="match_id" in binding.method.input_type.fields_by_name,
        )
        by_status: dict[int, set[Reason]] = defaultdict(set)
        for reason in (*notes, *always(causes)):
            by_status[status_of(reason)].add(reason)
        said = {
            status: described(reasons, notes, self.comments)
            for status, reasons in by_status.items()
        }
        for status, why in before_the_call(binding).items():
            said[status] = "\n".join(filter(None, (said.get(status, ""), f"- {why}")))
        return {
            str(int(status)): {
                "description": f"{HTTPStatus(status).phrase}.\n\n{text}",
                **headers_of(status),
                "content": {JSON: {"schema": {"$ref": f"#/components/schemas/{ERROR}"}}},
            }
            for status, text in sorted(said.items())
        }
