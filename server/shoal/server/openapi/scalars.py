"""How JSON writes the values that are no messages of ours: numbers, texts, bytes, moments, durations."""

from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema, or another part of the document."""

_DURATION = r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$"

WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Duration": {"type": "string", "pattern": _DURATION},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.FieldMask": {"type": "string"},
}
"""Messages that JSON writes as a text of their own kind."""

_SMALL = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SFIXED32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_FIXED32: (0, 2**32 - 1),
}
_LARGE = {
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_SINT64: "int64",
    FieldDescriptor.TYPE_SFIXED64: "int64",
    FieldDescriptor.TYPE_UINT64: "uint64",
    FieldDescriptor.TYPE_FIXED64: "uint64",
}
_REAL = {FieldDescriptor.TYPE_DOUBLE: "double", FieldDescriptor.TYPE_FLOAT: "float"}


class NoSchema(TypeError):
    """A field has a type that this module does not know how JSON writes."""


def scalar(field: FieldDescriptor, *, asked: bool) -> Schema:
    """Return the schema of one value of a field; raise NoSchema. What is `asked` may be written in more ways.

    An answer has no bounds: 32 bits are what `format` says.
    """
    kind = field.type
    if kind in _SMALL:
        number: Schema = {"type": "integer", "format": "int32"}
        least, most = _SMALL[kind]
        return {**number, "minimum": least, "maximum": most} if asked else number
    if kind in _LARGE:
        text: Schema = {"type": "string", "format": _LARGE[kind], "pattern": "^-?[0-9]{1,19}$"}
        return {"anyOf": [text, {"type": "integer", "format": _LARGE[kind]}]} if asked else text
    if kind in _REAL:
        number = {"type": "number", "format": _REAL[kind]}
        return {"anyOf": [number, {"type": "string", "enum": ["NaN", "Infinity", "-Infinity"]}]}
    if kind == FieldDescriptor.TYPE_BOOL:
        return {"type": "boolean"}
    if kind == FieldDescriptor.TYPE_STRING:
        return {"type": "string"}
    if kind == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    raise NoSchema(field.full_name)
