"""Plain data read as data classes, strictly.

Every field without a default must be there, no other may be, and a value must have the very shape that
its field has. BadRecord says where it has not, as a path: `entries[17].think_ms`.
"""

import json
import re
from typing import TypeVar, assert_never, cast

from shoal.engine import UnknownCard, parse_card
from shoal.record.errors import BadRecord
from shoal.record.fields import fields_of, made_of
from shoal.record.shape import (
    LARGEST,
    CardName,
    Either,
    Fields,
    Items,
    Kinds,
    Nothing,
    Number,
    Shape,
    Text,
    Truth,
    Word,
)

T = TypeVar("T")

LONGEST_NAME = 80
"""What is said of a broken file is for people: a name of a megabyte is cut."""


def shaped(kind: type[T], data: object) -> T:
    """Return the data class that plain data shows; raise BadRecord."""
    return cast("T", _read_fields(kind, _object(data, ""), ""))


def told(data: object) -> str:
    """Return plain data in a few words."""
    match data:
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return cut(json.dumps(data))


def cut(text: str) -> str:
    """Return a text, or as much of it as people want to read; nothing in it moves a terminal."""
    shown = text if text.isprintable() else json.dumps(text)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 3]}..."


def _read(shape: Shape, data: object, path: str) -> object:
    """Return the value of a shape."""
    match shape:
        case Text(pattern):
            return _read_text(data, pattern, path)
        case Number(least):
            return _read_number(data, least, path)
        case Truth() | Nothing():
            if isinstance(data, bool) if isinstance(shape, Truth) else data is None:
                return data
            raise _not(path, "true or false" if isinstance(shape, Truth) else "null", data)
        case CardName():
            return _read_card(data, path)
        case Word(members):
            if not isinstance(data, str) or data not in members:
                raise _not(path, f"one of {', '.join(members)}", data)
            return members[data]
        case Items(item, exactly):
            if not isinstance(data, list):
                raise _not(path, "a list", data)
            if exactly is not None and len(data) != exactly:
                raise BadRecord(path, f"a list of {exactly}, not of {len(data)}")
            return tuple(_read(item, each, f"{path}[{at}]") for at, each in enumerate(data))
        case Either(choices):
            return _read(_chosen(choices, data), data, path)
        case Fields(kind):
            return _read_fields(kind, _object(data, path), path)
        case Kinds(named):
            found = dict(_object(data, path))
            tag = found.pop("kind", None)
            if not isinstance(tag, str) or tag not in named:
                raise _not(f"{path}.kind", f"one of {', '.join(named)}", tag)
            return _read_fields(named[tag].of, found, path)
        case _:
            assert_never(shape)


def _read_fields(kind: type, data: dict[str, object], path: str) -> object:
    """Return the data class whose fields an object has."""
    dot = f"{path}." if path else ""
    wanted = fields_of(kind)
    names = {each.name for each in wanted}
    for name in data:
        if name not in names:
            raise BadRecord(f"{dot}{cut(name)}", "no such field")
    for each in wanted:
        if each.required and each.name not in data:
            raise BadRecord(f"{dot}{each.name}", "is missing")
    return made_of(
        kind,
        [
            _read(shape, data[name], f"{dot}{name}") if name in data else default
            for name, shape, default in wanted
        ],
    )


def _chosen(choices: tuple[Shape, ...], data: object) -> Shape:
    """Return the shape that data of this type can have, or one that will refuse it."""
    nothing = [each for each in choices if isinstance(each, Nothing)]
    if data is None and nothing:
        return nothing[0]
    others = [each for each in choices if not isinstance(each, Nothing)]
    return next(
        (each for each in others if isinstance(each, Items) == isinstance(data, list)), others[0]
    )


def _read_text(data: object, pattern: str, path: str) -> str:
    if not isinstance(data, str):
        raise _not(path, "text", data)
    if pattern and not re.fullmatch(pattern, data):
        raise _not(path, f"text that matches {pattern}", data)
    try:
        data.encode()
    except UnicodeEncodeError:
        raise _not(path, "text that UTF-8 can hold", data) from None
    return data


def _read_number(data: object, least: int, path: str) -> int:
    """Return an integer: a bool is none, though Python says so, nor is 1.0."""
    if not isinstance(data, int) or isinstance(data, bool):
        raise _not(path, "an integer", data)
    if data < least:
        raise _not(path, f"{least} or more", data)
    if data > LARGEST:
        raise BadRecord(path, f"at most {LARGEST}, not a number of {data.bit_length()} bits")
    return data


def _read_card(data: object, path: str) -> int:
    try:
        return parse_card(data if isinstance(data, str) else "")
    except UnknownCard:
        raise _not(path, "the name of a card", data) from None


def _object(data: object, path: str) -> dict[str, object]:
    if not isinstance(data, dict):
        raise _not(path, "an object", data)
    return data


def _not(path: str, wanted: str, data: object) -> BadRecord:
    """Return what is wrong with a value that is not what was wanted."""
    return BadRecord(path, f"{wanted}, not {told(data)}")
