"""Single values of proto3 JSON: what a JSON value, or a text of a path or query, means for a field.

Each reader raises NotRead, whose text says what would have been understood.
"""

import base64
import binascii
import math
import re
import struct
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

Json: TypeAlias = Any
"""What JSON can say: a dict, list, text, number, truth value or None."""

Reader: TypeAlias = Callable[[Json], Any]

_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NO_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LONGEST_NUMBER = 400
"""Longer texts of numbers are none: Python would take its time over them."""

_BITS = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SFIXED32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_FIXED32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SINT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SFIXED64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_FIXED64: (0, 2**64 - 1),
}


class NotRead(ValueError):
    """A value is none of its field."""


def json_reader(field: FieldDescriptor) -> Reader:
    """Return what reads one JSON value of a field that is no message."""
    if field.type in _BITS:
        low, high = _BITS[field.type]
        return lambda value: _integer(value, low, high)
    if field.type == FieldDescriptor.TYPE_ENUM:
        names = _names(field)
        return lambda value: _enum(value, names)
    return _OTHERS[field.type]


def text_reader(field: FieldDescriptor) -> Reader:
    """Return what reads one text of a query, which knows no types, for a field that is no message."""
    read = json_reader(field)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return lambda text: read(_TRUTH.get(text, text))
    if field.type == FieldDescriptor.TYPE_ENUM:
        return lambda text: read(int(text) if _is_short_whole(text) else text)
    return read


_TRUTH = {"true": True, "false": False}


def _integer(value: Json, low: int, high: int) -> int:
    """Read a whole number, which may be written as a text."""
    number = _whole(value)
    if number is None:
        raise NotRead("must be a whole number")
    if not low <= number <= high:
        raise NotRead(f"must be from {low} to {high}")
    return number


def _whole(value: Json) -> int | None:
    """Return the whole number that a value says, None for any other value."""
    if isinstance(value, str):
        if _is_short_whole(value):
            return int(value)
        value = _float_of(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_short_whole(text: str) -> bool:
    """Return whether a text is a whole number that may matter."""
    return len(text) <= _LONGEST_NUMBER and _WHOLE.fullmatch(text) is not None


def _float_of(text: str) -> float | None:
    """Return the number that a text says, None for none."""
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    return float(text)


def _double(value: Json) -> float:
    """Read a number."""
    number = value
    if isinstance(value, str):
        number = _NO_NUMBERS.get(value, _float_of(value))
        if number is not None and math.isinf(number) and value not in _NO_NUMBERS:
            raise NotRead("is too large")
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise NotRead("must be a number")
    try:
        return float(number)
    except OverflowError:
        raise NotRead("is too large") from None


def _float(value: Json) -> float:
    """Read a number of single precision."""
    number = _double(value)
    try:
        struct.pack("f", number)
    except OverflowError:
        raise NotRead("is too large") from None
    return number


def _bool(value: Json) -> bool:
    """Read a truth value."""
    if not isinstance(value, bool):
        raise NotRead("must be true or false")
    return value


def _string(value: Json) -> str:
    """Read a text, in which no half of a surrogate pair stands alone."""
    if not isinstance(value, str):
        raise NotRead("must be a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotRead("must be Unicode text: half of a surrogate pair is none") from None
    return value


def _bytes(value: Json) -> bytes:
    """Read bytes in base64, of either alphabet, padded or not."""
    text = _string(value).translate(_URL_SAFE)
    try:
        return base64.b64decode(
            text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        raise NotRead("must be base64") from None


_URL_SAFE = str.maketrans("-_", "+/")


def _enum(value: Json, names: Mapping[str, int]) -> int:
    """Read an enum by name or number; a number that has no name is passed on, as it is in gRPC."""
    if isinstance(value, str):
        if value not in names:
            raise NotRead(f"must be one of {', '.join(names)}")
        return names[value]
    return _integer(value, *_BITS[FieldDescriptor.TYPE_INT32])


def _names(field: FieldDescriptor) -> Mapping[str, int]:
    """Return the numbers of the enum of a field by their names."""
    assert field.enum_type is not None
    return {value.name: value.number for value in field.enum_type.values}


_OTHERS: Mapping[int, Reader] = {
    FieldDescriptor.TYPE_DOUBLE: _double,
    FieldDescriptor.TYPE_FLOAT: _float,
    FieldDescriptor.TYPE_BOOL: _bool,
    FieldDescriptor.TYPE_STRING: _string,
    FieldDescriptor.TYPE_BYTES: _bytes,
}
