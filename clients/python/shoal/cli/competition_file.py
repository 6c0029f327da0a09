"""Reading a tournament or a ladder from a TOML file, with every problem of it in one go."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, final

from shoal.cli.files import cannot_read
from shoal.cli.output import fail, note
from shoal.client import ShoalError
from shoal.competition import document
from shoal.competition.specification import Ladder, Specification
from shoal.wire.paths import written

_SHOWN = 12
"""How many problems are shown."""


@final
@dataclass(frozen=True, slots=True)
class TournamentFile:
    """What a file says. `entrants` are bots by name, for `shoal tournament run` alone."""

    specification: Specification
    entrants: tuple[str, ...]


def read_file(path: Path, *, plays: bool = True) -> TournamentFile:
    """Return the tournament of a file; end with its problems.

    Unless it `plays` with them, a list of entrants is one.
    """
    found = _toml(path)
    is_listed = "entrants" in found
    entrants = found.pop("entrants", [])
    reading = document.read(found)
    problems = problems_of(reading)
    if is_listed and not plays:
        problems.append(
            "entrants: `shoal tournament run` plays with them: take them out, and enter each with "
            "`shoal tournament enter ID --bot BOT`"
        )
    elif not isinstance(entrants, list) or not all(isinstance(each, str) for each in entrants):
        problems.append("entrants: must be a list of bots, like random-1")
    elif isinstance(reading.specification.format, Ladder) and not problems:
        problems.append(
            "format.kind: a ladder is no tournament: `shoal ladder create` makes ladders"
        )
    if problems:
        end_with(path, problems)
    return TournamentFile(reading.specification, tuple(entrants))


def read_ladder_file(path: Path) -> Specification:
    """Return the ladder of a file; end with its problems."""
    found = _toml(path)
    found.setdefault("format", {"kind": "ladder"})
    has_entrants = found.pop("entrants", None) is not None
    reading = document.read(found)
    problems = problems_of(reading)
    if has_entrants:
        problems.append("entrants: bots enter a ladder by themselves, with `shoal ladder join`")
    elif not isinstance(reading.specification.format, Ladder) and not problems:
        problems.append(
            "format.kind: a tournament is no ladder: `shoal tournament create` makes tournaments"
        )
    if problems:
        end_with(path, problems)
    return reading.specification


def _toml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        cannot_read(path, error)
    except UnicodeDecodeError:
        fail(f"{path}: not a text file")
    try:
        return tomllib.loads(text)
    except RecursionError:
        fail(f"{path}: not TOML that can be read: it is nested too deep")
    except ValueError as error:  # also a number of thousands of digits, which is no TOMLDecodeError
        fail(f"{path}: not TOML: {error}")


def problems_of(reading: document.Reading) -> list[str]:
    """Return all that is wrong with a specification, a line for each."""
    return [f"{problem.path}: {problem.message}" for problem in reading.problems]


@contextmanager
def as_written(path: Path | str, called: Callable[[str], str] = str) -> Iterator[None]:
    """Let a server's refusal of a specification end the command with the fields as they were written.

    In the file of this path; or in options, where it is "" and `called` names the option of a field.
    """
    try:
        yield
    except ShoalError as error:
        problems = [f"{called(field)}: {problem}" for field, problem in written(error.violations)]
        if not problems:
            raise
        end_with(path, problems)


def end_with(path: Path | str, problems: Sequence[str]) -> NoReturn:
    """Say what is wrong with a file, or with options where `path` is "", a line for each, and end."""
    where = f"{path}: " if path else ""
    for problem in problems[1:_SHOWN]:
        note(f"{where}{problem}")
    more = f" ({len(problems) - 1} more above)" if len(problems) > 1 else ""
    fail(f"{where}{problems[0]}{more}")
