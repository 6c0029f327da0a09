"""Values as plain ones that JSON can hold, each by its shape."""

from enum import Enum
from typing import assert_never, cast

from shoal.engine import card_name
from shoal.record.fields import fields_of, kind_name, values_of, word_of
from shoal.record.shape import (
    CardName,
    Either,
    Fields,
    Items,
    Kinds,
    Nothing,
    Number,
    Plain,
    Shape,
    Text,
    Truth,
    Word,
)


def plain(value: object, shape: Shape) -> Plain:
    """Return a value of this shape as JSON can hold it."""
    match shape:
        case Text() | Number() | Truth() | Nothing():
            return cast("Plain", value)
        case CardName():
            return card_name(cast("int", value))
        case Word():
            return word_of(cast("Enum", value))
        case Items(item, _):
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
    wanted = fields_of(cast("type", type(value)))
    return {
        name: plain(each, shape)
        for (name, shape, default), each in zip(wanted, values_of(value), strict=True)
        if each != default
    }


def _fits(value: object, shape: Shape) -> bool:
    """Tell whether a value is of this one of several shapes."""
    if value is None or isinstance(shape, Nothing):
        return value is None and isinstance(shape, Nothing)
    return isinstance(value, tuple) == isinstance(shape, Items)
