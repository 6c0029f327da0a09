"""From messages and enums to JSON Schemas: what proto3 JSON really looks like, asked and answered.

What is asked may be written in more ways than what is answered: an enum also by its number, 64 bits also as a
number. So a type that is in both has two schemas, the one that is asked with `Input` at the end of its name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import TypeAlias, final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.rpc.status_pb2 import Status

from shoal.server.openapi.comments import Comments
from shoal.server.openapi.scalars import WELL_KNOWN, Schema, scalar

Type: TypeAlias = Descriptor | EnumDescriptor

STATUS = "Status"
"""The name of the schema of `google.rpc.Status`, which `refusals.py` writes."""


class Side(Enum):
    """Which way a message goes."""

    ASKED = auto()
    ANSWERED = auto()


@final
class Schemas:
    """The schemas of all messages that are asked or answered, and their names."""

    def __init__(
        self, asked: Iterable[Descriptor], answered: Iterable[Descriptor], comments: Comments
    ) -> None:
        """Know what is in these messages, at any depth."""
        self._comments = comments
        self._types = {Side.ASKED: _all_in(asked), Side.ANSWERED: _all_in(answered)}

    def reference(self, to: Type, side: Side) -> Schema:
        """Return a schema that refers to that of a type."""
        if to.full_name == Status.DESCRIPTOR.full_name:
            return {"$ref": f"#/components/schemas/{STATUS}"}
        if to.full_name in WELL_KNOWN:
            return dict(WELL_KNOWN[to.full_name])
        return {"$ref": f"#/components/schemas/{self._name(to, side)}"}

    def field(self, field: FieldDescriptor, side: Side) -> Schema:
        """Return the schema of a field, with what it means."""
        return {**self._shape(field, side), "description": self._comments.of(field)}

    def components(self, without: Mapping[str, Collection[str]]) -> dict[str, Schema]:
        """Return all schemas by their names; `without` names fields of requests that the path gives."""
        return {
            self._name(each, side): (
                self._enum(each, side)
                if isinstance(each, EnumDescriptor)
                else self._message(each, side, without.get(each.full_name, ()))
            )
            for side, types in self._types.items()
            for each in types.values()
        }

    def _name(self, of: Type, side: Side) -> str:
        """Return the name of a type's schema."""
        twice = side is Side.ASKED and of.full_name in self._types[Side.ANSWERED]
        return f"{of.name}Input" if twice else str(of.name)

    def _message(self, message: Descriptor, side: Side, without: Collection[str]) -> Schema:
        """Return the schema of a message.

        A request may leave out what has its default. An answer has every field, but for those that say by
        being there that there is something.
        """
        fields = [field for field in message.fields if field.name not in without]
        schema: Schema = {
            "type": "object",
            "description": self._described(message),
            "properties": {field.json_name: self.field(field, side) for field in fields},
            "additionalProperties": False,
        }
        always = [field.json_name for field in fields if not field.has_presence]
        if side is Side.ANSWERED and always:
            schema["required"] = always
        choices = choices_of(message)
        if len(choices) == 1 and len(next(iter(choices.values()))) == len(fields):
            schema["maxProperties"] = 1
        return schema

    def _described(self, message: Descriptor) -> str:
        """Return what is said of a message and of the choices in it."""
        said = [self._comments.of(message)]
        for choice, fields in choices_of(message).items():
            names = ", ".join(f"`{field.json_name}`" for field in fields)
            meaning = self._comments.named(f"{message.full_name}.{choice}")
            said.append(f"At most one of {names}. {meaning}")
        return "\n\n".join(said)

    def _enum(self, enum: EnumDescriptor, side: Side) -> Schema:
        """Return the schema of an enum, with what each value means."""
        names = [value.name for value in enum.values]
        meanings = (f"- `{name}`: {self._comments.of_value(enum, name)}" for name in names)
        text: Schema = {"type": "string", "enum": names}
        number = {"type": "integer", "enum": [value.number for value in enum.values]}
        shape = {"anyOf": [text, number]} if side is Side.ASKED else text
        return {**shape, "description": "\n".join((self._comments.of(enum), "", *meanings))}

    def _shape(self, field: FieldDescriptor, side: Side) -> Schema:
        """Return the schema of a field's values: one, several, or one for each key."""
        if is_map(field):
            return {"type": "object", "additionalProperties": self._one(value_of(field), side)}
        one = self._one(field, side)
        return {"type": "array", "items": one} if field.is_repeated else one

    def _one(self, field: FieldDescriptor, side: Side) -> Schema:
        """Return the schema of one value of a field."""
        named = field.message_type or field.enum_type
        if named is not None:
            return self.reference(named, side)
        return scalar(field, asked=side is Side.ASKED)


def is_map(field: FieldDescriptor) -> bool:
    """Whether a field is a map: in the descriptors, a list of entries with key and value."""
    inner = field.message_type
    return inner is not None and bool(inner.GetOptions().map_entry)


def value_of(field: FieldDescriptor) -> FieldDescriptor:
    """Return what a map has for each key."""
    assert field.message_type is not None
    return field.message_type.fields_by_name["value"]


def choices_of(message: Descriptor) -> dict[str, list[FieldDescriptor]]:
    """Return the fields of each `oneof`, by its name; one that stands for `optional` is none."""
    return {
        choice.name: list(choice.fields)
        for choice in message.oneofs
        if not (len(choice.fields) == 1 and choice.name == f"_{choice.fields[0].name}")
    }


def _all_in(roots: Iterable[Descriptor]) -> dict[str, Type]:
    """Return these messages and what is in them at any depth, by full name, but for what Google made."""
    found: dict[str, Type] = {}
    left: list[Type] = list(roots)
    while left:
        each = left.pop()
        if each.full_name not in found and not each.full_name.startswith("google."):
            found[each.full_name] = each
            left.extend(_inside(each))
    return found


def _inside(of: Type) -> Iterator[Type]:
    """Yield the types of a message's fields."""
    if isinstance(of, EnumDescriptor):
        return
    for field in of.fields:
        value = value_of(field) if is_map(field) else field
        named = value.message_type or value.enum_type
        if named is not None:
            yield named
