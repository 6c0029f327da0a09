"""A record as a JSON document, and back: one line for each entry, so that two can be compared."""

import json
from typing import NoReturn

from shoal.record.errors import BadRecord
from shoal.record.model import FORMAT, Record
from shoal.record.reading import cut, shaped, told
from shoal.record.shape import Plain
from shoal.record.writing import plain_fields

LARGEST_FILE = 32 * 1024 * 1024
"""Bytes. The longest log there can be is a fifth of that."""

LISTED = ("seats", "entries")
"""The fields whose items have a line each."""


def to_json(record: Record) -> str:
    """Return the document of a record."""
    fields = plain_fields(record)
    lines = [f"{_dump(name)}: {_lines(name, value)}" for name, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(text: str) -> Record:
    """Return the record of a document; raise BadRecord unless it is one of this format."""
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError:
        raise BadRecord("", "not a record: its lists are too deep") from None
    except ValueError as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord("", f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise BadRecord("", f"not a record: an object, not {told(data)}")
    if data.get("format") != FORMAT:
        # Said before anything else: in another format all else may be otherwise.
        raise BadRecord("format", f"{FORMAT} is read here, not {told(data.get('format'))}")
    return shaped(Record, data)


def _lines(name: str, value: Plain) -> str:
    """Return a field of the record, in lines where it is a list of much."""
    if name in LISTED and isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"  {_dump(item)}" for item in value) + "\n]"
    return _dump(value)


def _dump(value: Plain) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; raise BadRecord for a name that is there twice, since readers differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecord(cut(twice), "is there twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise BadRecord("", f"not JSON: {text} is no number")
