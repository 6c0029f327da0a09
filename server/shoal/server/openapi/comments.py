"""What the protos say of everything in them, from the table that is generated beside the code of them."""

import json
import re
from importlib.resources import files
from typing import Protocol, final

_ERRORS = re.compile(r"(?:^|(?<=[.!?)]) )Errors: ", re.MULTILINE)


class Named(Protocol):
    """Anything in a proto that has a full name: a service, a method, a message, a field, an enum."""

    full_name: str


class NotCommented(KeyError):
    """Something has no comment, or the table is older than the protos: `make proto` makes it again."""


@final
class Comments:
    """The comments of the protos, by the full names of what they stand above."""

    def __init__(self, said: dict[str, str]) -> None:
        """Take what is said of each name: a line for each paragraph."""
        self._said = said

    def of(self, thing: Named) -> str:
        """Return what is said of a thing; raise NotCommented."""
        return self.named(thing.full_name)

    def named(self, full_name: str) -> str:
        """Return what is said of what has this name; raise NotCommented."""
        try:
            return self._said[full_name].replace("\n", "\n\n")
        except KeyError:
            raise NotCommented(full_name) from None

    def of_value(self, enum: Named, value: str) -> str:
        """Return what is said of a value of an enum; raise NotCommented."""
        return self.named(f"{enum.full_name}.{value}")

    def meaning(self, method: Named) -> str:
        """Return what is said of a method, without its errors."""
        return _ERRORS.split(self.of(method), maxsplit=1)[0].strip()

    def errors(self, method: Named) -> str:
        """Return what is said of a method's errors, "" for nothing."""
        _, *said = _ERRORS.split(self.of(method), maxsplit=1)
        return said[0].strip() if said else ""


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    sentence = re.split(r"(?<=[.:;])\s", text, maxsplit=1)[0]
    return sentence.rstrip(".:;")


def read_comments() -> Comments:
    """Return the comments that the package holds."""
    text = files("shoal.v1").joinpath("comments.json").read_text(encoding="utf-8")
    return Comments(json.loads(text))
