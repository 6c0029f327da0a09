"""Specifications as plain data, as TOML and JSON have it: strings, numbers, lists and tables.

A document has the names of the dataclasses. Its `format` is a table with a `kind` beside the fields of
that format. What is missing has its default, what is unknown is refused by its name, and a number is of
exactly the type that it should be: true is no 1 and 2.0 no 2.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, TypeVar, Union, cast, final, get_args, get_origin, get_type_hints

from shoal.competition.problems import Problem
from shoal.competition.specification import KINDS, Format, Ladder, Specification
from shoal.competition.validation import check

T = TypeVar("T")

_UNREADABLE = object()

_LONGEST = 80
"""How much of a value is told."""

_NAMES: Mapping[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
}


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What a document says, and all that is wrong with it.

    The specification is complete, but means something only if there are no problems.
    """

    specification: Specification
    problems: tuple[Problem, ...]


def read(document: Mapping[str, object]) -> Reading:
    """Return the specification of a document with every problem in it, in the order of the paths.

    What could not be read is taken as its default for finding further problems; those that come of
    the default itself are left out.
    """
    reader = _Reader([])
    specification = reader.dataclass(Specification, document, "")
    unreadable = {problem.path for problem in reader.problems}
    further = [
        problem
        for problem in check(specification)
        if not any(_is_within(problem.path, path) for path in unreadable)
    ]
    return Reading(specification, tuple(sorted([*reader.problems, *further])))


def write(specification: Specification) -> dict[str, object]:
    """Return the document that reads as this specification; what is None is left out."""
    return _plain(specification)


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}["))


def _plain(value: object) -> dict[str, object]:
    assert is_dataclass(value)
    document: dict[str, object] = {}
    for kind, made in KINDS.items():
        if isinstance(value, made):
            document["kind"] = kind
    for each in fields(value):
        content = getattr(value, each.name)
        if is_dataclass(content):
            document[each.name] = _plain(content)
        elif isinstance(content, tuple):
            document[each.name] = [_plain(one) if is_dataclass(one) else one for one in content]
        elif content is not None:
            document[each.name] = content
    return document


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads values by the types of the fields that they are for, and collects what is wrong."""

    problems: list[Problem]

    def dataclass(self, made: type[T], document: object, path: str) -> T:
        """Read a table."""
        if not isinstance(document, Mapping):
            self._complain(path, "must be a table")
            document = {}
        hints = get_type_hints(made)
        known = {each.name: each for each in fields(cast("Any", made))}
        for name in document:
            if name not in known:
                self._complain(_join(path, str(name)), _unknown(known))
        values = {}
        for name, each in known.items():
            if name in document:
                value = self._value(hints[name], document[name], _join(path, name))
            else:
                value = _UNREADABLE
                if _is_required(each):
                    self._complain(_join(path, name), "must be given")
            if value is not _UNREADABLE:
                values[name] = value
            elif _is_required(each):
                values[name] = _STAND_INS[name]()
        return made(**values)

    def _value(self, hint: object, value: object, path: str) -> object:
        if hint == Format:
            return self._format(value, path)
        if is_dataclass(hint):
            return self.dataclass(cast("type[object]", hint), value, path)
        if get_origin(hint) in {Union, types.UnionType}:
            (hint,) = (each for each in get_args(hint) if each is not type(None))
        if get_origin(hint) is tuple:
            return self._list(get_args(hint)[0], value, path)
        if hint is float and type(value) is int:
            return float(value)
        if type(value) is not hint:
            self._complain(path, f"must be {_NAMES[hint]}, not {_shown(value)}")
            return _UNREADABLE
        return value

    def _list(self, hint: object, value: object, path: str) -> object:
        if not isinstance(value, list | tuple):
            self._complain(path, f"must be a list, not {_shown(value)}")
            return _UNREADABLE
        items = [self._value(hint, item, f"{path}[{n}]") for n, item in enumerate(value)]
        return _UNREADABLE if any(item is _UNREADABLE for item in items) else tuple(items)

    def _format(self, value: object, path: str) -> object:
        table = dict(value) if isinstance(value, Mapping) else {"kind": value}
        kind = table.pop("kind", None)
        made = KINDS.get(kind) if isinstance(kind, str) else None
        if made is None:
            self._complain(f"{path}.kind", f"must be one of {', '.join(KINDS)}, not {_shown(kind)}")
            return _UNREADABLE
        return self.dataclass(made, table, path)

    def _complain(self, path: str, message: str) -> None:
        self.problems.append(Problem(path, message))


_STAND_INS: Mapping[str, Callable[[], object]] = {"name": lambda: "unnamed", "format": Ladder}
"""What is taken for a field without a default that could not be read."""


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _shown(value: object) -> str:
    """Return a value as it may be told: its beginning, since a document may have anything anywhere."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
        return "what it is"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _unknown(known: Mapping[str, object]) -> str:
    return f"is unknown; known here: {', '.join(known)}"


def _is_required(each: "Field[Any]") -> bool:
    return each.default is MISSING and each.default_factory is MISSING
