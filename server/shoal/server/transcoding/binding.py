"""How a method is called over HTTP: what its `google.api.http` annotation says, which nothing else reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor import (
    Descriptor,
    FieldDescriptor,
    MethodDescriptor,
    ServiceDescriptor,
)

from shoal.server.transcoding.template import Template, parse_template

SCALAR_MESSAGES = frozenset(
    {"google.protobuf.Duration", "google.protobuf.Timestamp", "google.protobuf.FieldMask"}
)
"""Messages that JSON writes as one text, so that a query can give them."""


class BadAnnotation(ValueError):
    """An annotation says what cannot be served."""


@final
@dataclass(frozen=True, slots=True)
class QueryField:
    """A field that the query may give: its name, `a.b` inside another one, and the fields on the way."""

    name: str
    fields: tuple[FieldDescriptor, ...]

    @property
    def field(self) -> FieldDescriptor:
        """The field itself."""
        return self.fields[-1]

    @property
    def json_name(self) -> str:
        """The same name as JSON writes it, which is understood as well."""
        return ".".join(field.json_name for field in self.fields)


@final
@dataclass(frozen=True, slots=True)
class Binding:
    """One way to call a method: a verb such as GET, and a path.

    `body` is "*" when the body is the request, "" when there is none. `query` is what remains: every field
    that neither the path nor the body gives.
    """

    method: MethodDescriptor
    verb: str
    template: Template
    body: str
    query: tuple[QueryField, ...]

    @property
    def rpc(self) -> str:
        """The full name of the method, such as `shoal.v1.BotService.GetBot`."""
        return str(self.method.full_name)

    @property
    def grpc_path(self) -> str:
        """The path by which gRPC calls the method."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    @property
    def streams(self) -> bool:
        """Whether the answer is a stream of messages."""
        return bool(self.method.server_streaming)


def bindings_of(services: Iterable[ServiceDescriptor]) -> tuple[Binding, ...]:
    """Return the bindings of all annotated methods, in the order of the protos.

    A method without an annotation has none. Raise BadAnnotation, BadTemplate.
    """
    return tuple(
        binding
        for service in services
        for method in service.methods
        if method.GetOptions().HasExtension(annotations_pb2.http)
        for binding in _bindings(method)
    )


def _bindings(method: MethodDescriptor) -> Iterator[Binding]:
    """Yield the ways that one annotation says: its own and the additional ones."""
    rule: HttpRule = method.GetOptions().Extensions[annotations_pb2.http]
    if method.client_streaming:
        raise BadAnnotation(f"{method.full_name}: HTTP has no stream of requests")
    for each in (rule, *rule.additional_bindings):
        yield _binding(method, each)


def _binding(method: MethodDescriptor, rule: HttpRule) -> Binding:
    """Return one way to call a method; raise BadAnnotation."""
    verb = rule.WhichOneof("pattern")
    if verb not in {"get", "put", "post", "delete", "patch"}:
        raise BadAnnotation(f"{method.full_name}: {verb} is no verb that is served")
    if rule.body not in {"", "*"} or rule.response_body:
        raise BadAnnotation(f"{method.full_name}: a body is the whole message or nothing")
    template = parse_template(getattr(rule, verb))
    for variable in template.variables:
        _check_variable(method, variable)
    query = () if rule.body else tuple(_query(method.input_type, template.variables))
    return Binding(method, verb.upper(), template, rule.body, query)


def _check_variable(method: MethodDescriptor, name: str) -> None:
    """Raise BadAnnotation unless a field of a request is a text, given once."""
    field = method.input_type.fields_by_name.get(name)
    if field is None or field.is_repeated or field.type != FieldDescriptor.TYPE_STRING:
        raise BadAnnotation(f"{method.full_name}: the path can give a string, {name} is none")


def _query(message: Descriptor, given: tuple[str, ...]) -> Iterator[QueryField]:
    """Yield what a query may give of a message; what is repeated must be a scalar (google/api/http.proto)."""
    for way in _leaves(message, ()):
        name = ".".join(field.name for field in way)
        if name not in given:
            yield QueryField(name, way)


def _leaves(
    message: Descriptor, way: tuple[FieldDescriptor, ...]
) -> Iterator[tuple[FieldDescriptor, ...]]:
    """Yield the ways to all fields of a message that one text can give."""
    for field in message.fields:
        inner = field.message_type
        if inner is None or inner.full_name in SCALAR_MESSAGES:
            yield (*way, field)
        elif not field.is_repeated and all(inner is not each.message_type for each in way):
            yield from _leaves(inner, (*way, field))
