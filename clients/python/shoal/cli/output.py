"""How the command speaks: results on stdout, everything else on stderr, errors in one line."""

import json
import logging
import sys
from typing import NoReturn, TypeAlias

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

FAILED = 2
"""Exit code of every error that was said in one line."""

WIDEST = 60
"""Characters of the widest cell that makes its column wider, where cells have words of people in them."""


class Failed(Exception):
    """What went wrong, in one line for people; the command ends with exit code 2."""


def fail(message: str) -> NoReturn:
    """Say what went wrong, and end."""
    raise Failed(" ".join(message.split()))


def say(text: str) -> None:
    """Print a line of the result."""
    sys.stdout.write(f"{text}\n")


def note(text: str) -> None:
    """Print a line that is not part of the result."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def say_json(value: object) -> None:
    """Print the result as JSON; messages as proto3 JSON."""
    say(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def say_line(value: Json) -> None:
    """Print a result as one line of JSON, where there are many of them."""
    say(json.dumps(value))


def say_table(
    header: list[str], rows: list[list[str]], *, right: set[int], widest: int | None = None
) -> None:
    """Print rows in columns; those whose numbers are in `right` are aligned to the right.

    A cell of more than `widest` characters moves what follows in its own row, and makes no other row longer.
    """
    widths = [
        max(len(cell) for cell in column if widest is None or len(cell) <= widest)
        for column in zip(header, *rows, strict=True)
    ]
    for row in [header, *rows]:
        cells = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        say("  ".join(cells).rstrip())


def log_to_stderr(*, verbose: bool) -> None:
    """Send the kit's log lines to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    over = "\r\x1b[K" if sys.stderr.isatty() else ""  # the status line, which is written again
    handler.setFormatter(logging.Formatter(f"{over}%(levelname)s %(message)s"))
    logger = logging.getLogger("shoal.client")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)


def _plain(value: object) -> object:
    if isinstance(value, Message):
        return MessageToDict(value, always_print_fields_with_no_presence=True)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
