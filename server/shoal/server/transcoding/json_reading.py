"""JSON into messages, as proto3 JSON has it, but what is unknown or said twice is refused."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from shoal.server.errors import LONGEST_ECHO, Reason, Refusal, malformed
from shoal.server.transcoding.binding import SCALAR_MESSAGES
from shoal.server.transcoding.scalars import Json, NotRead, Reader, json_reader

# Messages are data here: their types are made by protobuf at run time.
AnyMessage: TypeAlias = Any


class Twice(ValueError):
    """A key stands twice in one object."""


def parse_json(body: bytes) -> dict[str, Json]:
    """Return the object that a body is, {} for an empty one; raise Refusal."""
    if not body.strip():
        return {}
    try:
        value = json.loads(
            body.decode(), object_pairs_hook=_without_repeats, parse_constant=_no_constant
        )
    except Twice as error:
        raise malformed(printable(str(error)), "stands twice in one object") from None
    except RecursionError:
        raise Refusal(Reason.MALFORMED, "the body is nested too deeply") from None
    except ValueError as error:
        raise Refusal(Reason.MALFORMED, f"the body is not JSON: {printable(str(error))}") from None
    if not isinstance(value, dict):
        raise Refusal(Reason.MALFORMED, "the body must be a JSON object")
    return value


def printable(text: str) -> str:
    """Return the beginning of what a caller sent, as it may be repeated to it."""
    return text[:LONGEST_ECHO].encode("utf-8", "backslashreplace").decode()


def _without_repeats(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    """Return the object of these pairs; raise Twice."""
    made: dict[str, Json] = {}
    for key, value in pairs:
        if key in made:
            raise Twice(key)
        made[key] = value
    return made


def _no_constant(text: str) -> float:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{text} is no number")


@final
class JsonReader:
    """Reads objects into messages of any type; what it learns of a type it keeps."""

    def __init__(self) -> None:
        """Know no type yet."""
        self._fields: dict[str, dict[str, FieldDescriptor]] = {}
        self._readers: dict[str, Reader] = {}

    def read(self, value: dict[str, Json], message: Message) -> None:
        """Read an object into a message; raise the refusal that names every bad field."""
        violations = list(self._read(value, message, ""))
        if violations:
            field, problem = violations[0]
            raise Refusal(Reason.MALFORMED, f"{field}: {problem}", violations=violations)

    def fields(self, message: Descriptor) -> dict[str, FieldDescriptor]:
        """Return the fields of a message by either of their names."""
        known = self._fields.get(message.full_name)
        if known is None:
            known = {
                name: field for field in message.fields for name in (field.name, field.json_name)
            }
            self._fields[message.full_name] = known
        return known

    def _read(
        self, value: dict[str, Json], message: AnyMessage, at: str
    ) -> Iterator[tuple[str, str]]:
        """Read an object into a message that stands `at` a path; yield what is wrong with which field."""
        known = self.fields(message.DESCRIPTOR)
        seen: set[str] = set()
        for name, inner in value.items():
            field = known.get(name)
            if field is None:
                yield printable(at + name), "there is no such field"
                continue
            place = at + field.name
            if field.name in seen:
                yield place, "is there by both of its names"
                continue
            seen.add(field.name)
            if inner is None:
                continue
            choice = field.containing_oneof
            if choice is not None and message.WhichOneof(choice.name) is not None:
                yield place, f"only one of {choice.name} can be there"
                continue
            yield from self._read_field(field, inner, message, place)

    def _read_field(
        self, field: FieldDescriptor, value: Json, message: AnyMessage, at: str
    ) -> Iterator[tuple[str, str]]:
        """Read the value of a field."""
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            yield from self._read_map(field, value, message, at)
        elif field.is_repeated:
            if not isinstance(value, list):
                yield at, "must be a list"
                return
            into = getattr(message, field.name)
            for number, each in enumerate(value):
                yield from self._read_item(field, each, into, f"{at}[{number}]")
        elif field.message_type is not None:
            inner = getattr(message, field.name)
            inner.SetInParent()
            yield from self._read_message(field, value, inner, at)
        else:
            try:
                setattr(message, field.name, self._scalar(field)(value))
            except NotRead as error:
                yield at, str(error)

    def _read_item(
        self, field: FieldDescriptor, value: Json, into: AnyMessage, at: str
    ) -> Iterator[tuple[str, str]]:
        """Read an item of a list."""
        if field.message_type is not None:
            yield from self._read_message(field, value, into.add(), at)
            return
        try:
            into.append(self._scalar(field)(value))
        except NotRead as error:
            yield at, str(error)

    def _read_message(
        self, field: FieldDescriptor, value: Json, into: AnyMessage, at: str
    ) -> Iterator[tuple[str, str]]:
        """Read a message that is in another one."""
        assert field.message_type is not None
        if field.message_type.full_name in SCALAR_MESSAGES:
            yield from read_text_message(value, into, at)
        elif isinstance(value, dict):
            yield from self._read(value, into, f"{at}.")
        else:
            yield at, "must be an object"

    def _read_map(
        self, field: FieldDescriptor, value: Json, message: AnyMessage, at: str
    ) -> Iterator[tuple[str, str]]:
        """Read a map of texts to scalars: there is no other in the protos."""
        if not isinstance(value, dict):
            yield at, "must be an object"
            return
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        into, read_key = getattr(message, field.name), self._scalar(entry["key"])
        read = self._scalar(entry["value"])
        for key, each in value.items():
            try:
                into[read_key(key)] = read(each)
            except NotRead as error:
                yield printable(f"{at}[{key}]"), str(error)

    def _scalar(self, field: FieldDescriptor) -> Reader:
        """Return what reads one value of a field."""
        reader = self._readers.get(field.full_name)
        if reader is None:
            reader = self._readers[field.full_name] = json_reader(field)
        return reader


def read_text_message(value: Json, into: AnyMessage, at: str) -> Iterator[tuple[str, str]]:
    """Read a message that JSON writes as one text: a duration or a time; yield what is wrong."""
    kind = into.DESCRIPTOR.name
    try:
        into.FromJsonString(value)
    except (ValueError, TypeError, AttributeError, OverflowError):
        yield at, f"must be {_EXAMPLES[kind]}"


_EXAMPLES = {
    "Duration": 'a duration in seconds, such as "20s" or "1.5s"',
    "Timestamp": 'a time, such as "2026-03-01T12:00:00Z"',
    "FieldMask": 'names of fields, such as "a,b.c"',
}
