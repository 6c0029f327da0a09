"""The shape of a document is the type of its data classes. The only place where types are read."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from shoal.record.rows import ROWS
from shoal.record.shape import (
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

_LEAVES: Mapping[object, Shape] = {
    str: Text(),
    int: Number(),
    bool: Truth(),
    NoneType: Nothing(),
}


class Field(NamedTuple):
    """One field of a data class; one with a default may be absent, and is not written where it has it."""

    name: str
    shape: Shape
    default: object = MISSING

    @property
    def required(self) -> bool:
        """Whether the field has to be there."""
        return self.default is MISSING


@cache
def fields_of(kind: type) -> tuple[Field, ...]:
    """Return the fields of a data class, in the order in which they are written."""
    if kind in ROWS:
        types = ROWS[kind].fields
        return tuple(Field(name, _shape_of(types[name])) for name in types)
    types = get_type_hints(kind, include_extras=True)
    defaults = {each.name: each.default for each in fields(cast("Any", kind))}
    return tuple(Field(name, _shape_of(types[name]), defaults[name]) for name in _names(kind))


def values_of(value: object) -> tuple[object, ...]:
    """Return what a data class has in its fields, in their order."""
    kind: type = type(value)
    row = ROWS.get(kind)
    if row is not None and row.apart is not None:
        return row.apart(value)
    return tuple(getattr(value, name) for name in _names(kind))


def made_of(kind: type, values: Iterable[object]) -> object:
    """Return the data class that has these in its fields."""
    row = ROWS.get(kind)
    make = kind if row is None or row.made is None else row.made
    return make(*values)


def kind_name(kind: type) -> str:
    """Return what a class is called in a document: as its row says, else `LogEntry` is `log_entry`."""
    if kind in ROWS:
        return ROWS[kind].kind
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def word_of(member: Enum) -> str:
    """Return a member of an enum as a word: its value where that is text, else its name."""
    return member.value if isinstance(member.value, str) else member.name.lower()


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the names that the fields of a data class have in it."""
    return tuple(each.name for each in fields(cast("Any", kind)))


def _shape_of(hint: object) -> Shape:
    """Return the shape of a type; a type that is annotated with a shape has that."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return cast("Shape", inside[1])
    if origin is tuple:
        return Items(_shape_of(inside[0]))
    if origin in (Union, UnionType):
        if all(map(is_dataclass, inside)):
            return Kinds({kind_name(each): Fields(each) for each in inside})
        return Either(tuple(_shape_of(each) for each in inside))
    return _LEAVES.get(hint) or _shape_of_class(cast("type", hint))


def _shape_of_class(kind: type) -> Shape:
    """Return the shape of an enum or a data class. A member without a word is in no document."""
    if issubclass(kind, Enum):
        return Word({word_of(member): member for member in kind if word_of(member)})
    return Fields(kind)
