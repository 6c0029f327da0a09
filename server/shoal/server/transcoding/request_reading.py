"""A request put together from its path, its query and its body. The only place where the three meet."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, final
from urllib.parse import unquote_to_bytes

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shoal.server.errors import Reason, Refusal, malformed
from shoal.server.transcoding.binding import SCALAR_MESSAGES, Binding, QueryField
from shoal.server.transcoding.json_reading import (
    JsonReader,
    parse_json,
    printable,
    read_text_message,
)
from shoal.server.transcoding.scalars import NotRead, Reader, text_reader

# The type of a request is that of the method, which is data.
AnyRequest: TypeAlias = Any

MOST_PARAMETERS = 2000
"""In one query; more are refused."""


@final
class RequestReader:
    """Reads the requests of one binding."""

    def __init__(self, binding: Binding, json: JsonReader) -> None:
        """Read bodies with `json`."""
        self._binding = binding
        self._json = json
        self._type: type[Message] = GetMessageClass(binding.method.input_type)
        self._query: dict[str, QueryField] = {
            name: field for field in binding.query for name in (field.name, field.json_name)
        }
        self._readers: dict[str, Reader] = {
            field.name: text_reader(field.field)
            for field in binding.query
            if field.field.message_type is None
        }

    def read(self, variables: Mapping[str, str], query: bytes, body: bytes) -> Message:
        """Return the request; `variables` and `query` are percent-encoded. Raise the refusal of a bad one."""
        request = self._type()
        if self._binding.body:
            self._json.read(parse_json(body), request)
        if query:
            self._read_query(query, request)
        for name, raw in variables.items():
            _set_variable(request, name, decoded(raw, name))
        return request

    def _read_query(self, query: bytes, request: Message) -> None:
        """Read all parameters of a query into a request."""
        violations: list[tuple[str, str]] = []
        seen: set[str] = set()
        for name, text in parameters(query):
            known = self._query.get(name)
            if known is None:
                violations.append((printable(name), "there is no such parameter"))
            elif known.name in seen and not known.field.is_repeated:
                violations.append((known.name, "is there twice"))
            else:
                seen.add(known.name)
                problem = self._read_parameter(known, text, request)
                violations += [(known.name, problem)] if problem else []
        if violations:
            field, problem = violations[0]
            raise Refusal(Reason.MALFORMED, f"{field}: {problem}", violations=violations)

    def _read_parameter(self, known: QueryField, text: str, request: AnyRequest) -> str:
        """Read one parameter into a request; return what is wrong with it, "" if nothing is."""
        message, field = request, known.field
        for outer in known.fields[:-1]:
            message = getattr(message, outer.name)
            message.SetInParent()
        if field.message_type is not None and field.message_type.full_name in SCALAR_MESSAGES:
            into = getattr(message, field.name)
            into.SetInParent()
            return next((problem for _, problem in read_text_message(text, into, "")), "")
        choice = field.containing_oneof
        if choice is not None and message.WhichOneof(choice.name) not in {None, field.name}:
            return f"only one of {choice.name} can be there"
        try:
            value = self._readers[known.name](text)
        except NotRead as error:
            return str(error)
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)
        return ""


def parameters(query: bytes) -> Sequence[tuple[str, str]]:
    """Return the names and values of a query, decoded; raise Refusal."""
    parts = [part for part in query.split(b"&", MOST_PARAMETERS) if part]
    if len(parts) > MOST_PARAMETERS:
        raise Refusal(Reason.MALFORMED, f"at most {MOST_PARAMETERS} parameters")
    pairs = []
    for part in parts:
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        key = decoded(name.decode("latin-1"), "query")
        pairs.append((key, decoded(value.decode("latin-1"), key)))
    return pairs


def decoded(raw: str, name: str) -> str:
    """Return a percent-encoded text; raise the refusal of one that is no UTF-8."""
    if "%" not in raw and raw.isascii():
        return raw
    try:
        return unquote_to_bytes(raw.encode("latin-1")).decode()
    except UnicodeDecodeError:
        raise malformed(printable(name), "must be percent-encoded UTF-8") from None


def _set_variable(request: AnyRequest, name: str, value: str) -> None:
    """Set what the path gives; raise Refusal when the body says another thing."""
    said = getattr(request, name)
    if said and said != value:
        raise malformed(name, f"the path says {printable(value)!r}, the body another")
    setattr(request, name, value)
