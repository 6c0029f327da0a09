"""The shapes that a value can have in a document: nouns only.

`fields` tells the shape of a field from its type, `writing` and `reading` go by it, and `schema` tells
it to others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, final

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | None"
"""What JSON can hold; a record holds no fractions."""

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
    """A list: of any length, or of exactly so many."""

    of: "Shape"
    exactly: int | None = None


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
