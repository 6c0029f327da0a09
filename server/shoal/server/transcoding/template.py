"""Path templates of `google.api.http`: what is literal, what names a field, and which `:verb` ends it.

Of the grammar in google/api/http.proto this is what the protos use: segments that are a word or the whole
value of one field. Another template is an error when the server starts, and not a route that nobody reaches.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

_LITERAL = re.compile(r"[A-Za-z0-9._~-]+")
_VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\}")
_VERB = re.compile(r"[A-Za-z][A-Za-z0-9]*")


class BadTemplate(ValueError):
    """A path template is none that is understood here."""


@final
@dataclass(frozen=True, slots=True)
class Literal:
    """A segment that is this word."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A segment whose text, percent-decoded, is the value of a field, such as `match_id`."""

    field: str


Segment: TypeAlias = Literal | Variable


@final
@dataclass(frozen=True, slots=True)
class Template:
    """A path: segments between slashes, and the verb after the last colon, "" for none."""

    segments: tuple[Segment, ...]
    verb: str = ""

    @property
    def variables(self) -> tuple[str, ...]:
        """The fields that the path gives, in their order."""
        return tuple(each.field for each in self.segments if isinstance(each, Variable))

    def __str__(self) -> str:
        path = "".join(
            f"/{each.text}" if isinstance(each, Literal) else f"/{{{each.field}}}"
            for each in self.segments
        )
        return f"{path}:{self.verb}" if self.verb else path


def parse_template(text: str) -> Template:
    """Return the template that a text writes; raise BadTemplate."""
    path, colon, verb = text.partition(":")
    if not path.startswith("/") or (colon and not _VERB.fullmatch(verb)):
        raise BadTemplate(f"{text!r} is no path template")
    template = Template(tuple(_segment(part, text) for part in path[1:].split("/")), verb)
    if len(set(template.variables)) < len(template.variables):
        raise BadTemplate(f"{text!r} gives a field twice")
    return template


def split_path(raw_path: str) -> tuple[Sequence[str], str]:
    """Return the segments of a request's path, still percent-encoded, and its verb, "" for none.

    A colon that belongs to a value is percent-encoded, so the first one of the last segment begins the verb.
    """
    *before, last = raw_path.removeprefix("/").split("/")
    last, _, verb = last.partition(":")
    return (*before, last), verb


def _segment(part: str, text: str) -> Segment:
    """Return a segment; raise BadTemplate."""
    if _LITERAL.fullmatch(part):
        return Literal(part)
    variable = _VARIABLE.fullmatch(part)
    if variable is None:
        raise BadTemplate(f"{text!r} has the segment {part!r}: a word or {{field}} is understood")
    return Variable(variable[1])
