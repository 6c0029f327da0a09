"""The JSON Schema of a record (draft 2020-12), told from the shapes that it is read by."""

from typing import assert_never

from shoal.engine import FACES, card_name
from shoal.record.fields import fields_of, kind_name
from shoal.record.model import FORMAT, Record
from shoal.record.rows import ROWS
from shoal.record.shape import (
    LARGEST,
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

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "A record of Shoal: a finished match"


def schema() -> Plain:
    """Return the schema."""
    definitions: dict[str, Plain] = {
        "card": {"enum": [card_name(card) for card in range(len(FACES))]}
    }
    record = _fields(Fields(Record), definitions, {})
    return {"$schema": DIALECT, "title": TITLE, **record, "$defs": definitions}


def _tell(shape: Shape, definitions: dict[str, Plain]) -> Plain:
    """Return the schema of a shape; what it names is told in `definitions`."""
    match shape:
        case Text(pattern):
            text: dict[str, Plain] = {"type": "string"}
            return {**text, "pattern": f"^(?:{pattern})$"} if pattern else text
        case Number(least):
            return {"type": "integer", "minimum": least, "maximum": LARGEST}
        case Truth():
            return {"type": "boolean"}
        case Nothing():
            return {"type": "null"}
        case CardName():
            return {"$ref": "#/$defs/card"}
        case Word(members):
            return {"enum": list(members)}
        case Items(item, exactly):
            items: dict[str, Plain] = {"type": "array", "items": _tell(item, definitions)}
            return items if exactly is None else {**items, "minItems": exactly, "maxItems": exactly}
        case Either(choices):
            return {"anyOf": [_tell(each, definitions) for each in choices]}
        case Fields():
            return _named(shape, definitions, {})
        case Kinds(named):
            return {
                "oneOf": [
                    _named(each, definitions, {"kind": {"const": name}})
                    for name, each in named.items()
                ]
            }
        case _:
            assert_never(shape)


def _named(shape: Fields, definitions: dict[str, Plain], first: dict[str, Plain]) -> Plain:
    """Return a reference to a data class, having told it."""
    name = kind_name(shape.of)
    if name not in definitions:
        definitions[name] = {}  # keeps its place before those that its own fields name
        definitions[name] = _fields(shape, definitions, first)
    return {"$ref": f"#/$defs/{name}"}


def _fields(
    shape: Fields, definitions: dict[str, Plain], first: dict[str, Plain]
) -> dict[str, Plain]:
    """Return the schema of a data class, whose objects begin with some fields more."""
    properties = dict(first)
    required: list[Plain] = list(first)
    for each in fields_of(shape.of):
        properties[each.name] = _tell(each.shape, definitions)
        if each.required:
            required.append(each.name)
    if shape.of is Record:
        properties["format"] = {"const": FORMAT}
    said: dict[str, Plain] = {} if shape.of in ROWS else _first_sentences(shape.of)
    return {
        **said,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _first_sentences(kind: type) -> dict[str, Plain]:
    """Return what a class says of itself; of one that may be compiled nothing, since it has lost it."""
    return {"description": " ".join((kind.__doc__ or "").split("\n\n")[0].split())}
