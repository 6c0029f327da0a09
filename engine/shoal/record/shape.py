"""The shape of a document: what each field of a data class looks like in JSON, told from its type.

There is no table to keep in step with the classes: a new class of events, or a field more, needs no
line anywhere. `plain` writes by a shape, `reading` reads by it, `schema` tells it to others.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeAlias,
    Union,
    assert_never,
    cast,
    final,
    get_args,
    get_origin,
    get_type_hints,
)

from shoal.engine import card_name

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | None"
"""What JSON can hold; a record holds no fractions."""

CARD_FIELDS = frozenset(
    {
        *("card", "cards", "first", "second", "third", "group", "hand"),
        *("discarded", "given", "gained", "top", "pile_tops"),
    }
)
"""The fields of events whose integers are cards, and are written as their names.

The types do not tell: a card is an int. A test holds this against the source of the events.
"""

LARGEST = (1 << 53) - 1
"""Integers are within plus and minus this, so that every language reads them exactly."""


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A text, which matches `pattern` as a whole."""

    pattern: str = ""


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An integer of at least so much."""

    least: int = -LARGEST


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""


@final
@dataclass(frozen=True, slots=True)
class Nothing:
    """Null."""


@final
@dataclass(frozen=True, slots=True)
class CardName:
    """A card, by its name."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A member of an enum, by its word."""

    members: Mapping[str, Enum]


@final
@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    of: "Shape"


@final
@dataclass(frozen=True, slots=True)
class Either:
    """One of several shapes, which JSON's own types tell apart."""

    choices: tuple["Shape", ...]


@final
@dataclass(frozen=True, slots=True)
class Fields:
    """An object with the fields of a data class."""

    of: type


@final
@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """An object with the fields of one of several data classes, which its `kind` names."""

    named: Mapping[str, Fields]


Shape: TypeAlias = (
    Text | Number | Truth | Nothing | CardName | Word | Items | Either | Fields | Kinds
)

_LEAVES: Mapping[object, Shape] = {
    str: Text(),
    int: Number(),
    bool: Truth(),
    NoneType: Nothing(),
}


class Field(NamedTuple):
    """One field of a data class."""

    name: str
    shape: Shape


@cache
def fields_of(kind: type) -> tuple[Field, ...]:
    """Return the fields of a data class, in the order in which they are written."""
    hints = get_type_hints(kind, include_extras=True)
    names = [each.name for each in fields(cast("Any", kind))]
    return tuple(Field(name, _shape_of(hints[name], cards=name in CARD_FIELDS)) for name in names)


def kind_name(kind: type) -> str:
    """Return what a class is called in a document: `TurnEnded` is `turn_ended`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def word_of(member: Enum) -> str:
    """Return a member of an enum as a word: its value where that is text, else its name."""
    return member.value if isinstance(member.value, str) else member.name.lower()


def plain(value: object, shape: Shape) -> Plain:
    """Return a value of this shape as JSON can hold it."""
    match shape:
        case Text() | Number() | Truth() | Nothing():
            return cast("Plain", value)
        case CardName():
            return card_name(cast("int", value))
        case Word():
            return word_of(cast("Enum", value))
        case Items(item):
            return [plain(each, item) for each in cast("tuple[object, ...]", value)]
        case Either(choices):
            return plain(value, next(each for each in choices if _fits(value, each)))
        case Fields():
            return plain_fields(value)
        case Kinds():
            return {"kind": kind_name(type(value)), **plain_fields(value)}
        case _:
            assert_never(shape)


def plain_fields(value: object) -> dict[str, Plain]:
    """Return a data class as an object with its fields."""
    return {
        name: plain(getattr(value, name), shape)
        for name, shape in fields_of(cast("type", type(value)))
    }


def _fits(value: object, shape: Shape) -> bool:
    """Tell whether a value is of this one of several shapes."""
    if value is None or isinstance(shape, Nothing):
        return value is None and isinstance(shape, Nothing)
    return isinstance(value, tuple) == isinstance(shape, Items)


def _shape_of(hint: object, *, cards: bool) -> Shape:
    """Return the shape of a type; a type that is annotated with a shape has that."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return cast("Shape", inside[1])
    if origin is tuple:
        return Items(_shape_of(inside[0], cards=cards))
    if origin in (Union, UnionType):
        if all(map(is_dataclass, inside)):
            return Kinds({kind_name(each): Fields(each) for each in inside})
        return Either(tuple(_shape_of(each, cards=cards) for each in inside))
    if hint is int and cards:
        return CardName()
    return _LEAVES.get(hint) or _shape_of_class(cast("type", hint))


def _shape_of_class(kind: type) -> Shape:
    """Return the shape of an enum or a data class. A member without a word is in no document."""
    if issubclass(kind, Enum):
        return Word({word_of(member): member for member in kind if word_of(member)})
    return Fields(kind)
