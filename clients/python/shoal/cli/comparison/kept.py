"""The file that a test is kept in, so that it can go on after an interruption: a line of JSON for each block.

The first line is what was asked for, and what the files of the bots were. A line is written in one piece. One
that is not whole, because the machine went down, is cut off when the test goes on; its block is played again.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self, final

from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.row import Row
from shoal.cli.comparison.scoring import PLAIN
from shoal.cli.files import cannot_read, cannot_write
from shoal.cli.output import fail
from shoal.sequential import BadRule, Rule, Scale

FORMAT: Final = 2
OLDER: Final = 1
"""The format in which nothing was said of luck."""

ELSE: Final = "--state names another file"


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What a test is: its plan, its rule (None: a fixed number of blocks), and digests of the bots' files.

    `scores` names those that decide: plain ones, or those of a model of luck.
    """

    plan: Plan
    rule: Rule | None
    files: Mapping[str, str]
    scores: str = PLAIN

    @property
    def scale(self) -> Scale:
        """What an Elo difference makes of the blocks' scores that decide."""
        return replace(self.plan.scale, adjusted=self.scores != PLAIN)

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the first line."""
        rule = self.rule
        hypotheses = (
            None
            if rule is None
            else {"elo0": rule.elo0, "elo1": rule.elo1, "alpha": rule.alpha, "beta": rule.beta}
        )
        return {
            "shoal_test": FORMAT,
            **self.plan.as_json(),
            "rule": hypotheses,
            "scores": self.scores,
            "files": dict(self.files),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote; raise KeyError, TypeError or ValueError for anything else."""
        found = row["rule"]
        rule = None if found is None else Rule(**{name: float(found[name]) for name in found})
        files = {str(spec): str(digest) for spec, digest in row["files"].items()}
        scores = PLAIN if row["shoal_test"] == OLDER else str(row["scores"])
        return cls(Plan.from_json(row), rule, files, scores)


@final
class Kept:
    """An open file of a test."""

    def __init__(self, path: Path, asked: Asked, rows: Sequence[Row], size: int) -> None:
        """Go on after so many bytes; `read` finds out how many."""
        self.rows = rows
        self._path = path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.ftruncate(self._file, size)
        except OSError as error:
            cannot_write(f"--state {path}", error)
        if not size:
            self._write(asked.as_json())

    def add(self, row: Row) -> None:
        """Keep a block."""
        self._write(row.as_json())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, row: Mapping[str, Any]) -> None:
        line = json.dumps(row).encode() + b"\n"
        try:
            if os.write(self._file, line) != len(line):
                fail(
                    f"--state {self._path}: there is no room: make some, and go on with the same command"
                )
        except OSError as error:
            cannot_write(f"--state {self._path}", error)


def read_asked(path: Path) -> Asked | None:
    """Return what the test of a file is; None where there is no file, or nothing in it."""
    first = next(iter(_lines(path)), None)
    return None if first is None else _asked(path, first)


def read_rows(path: Path) -> list[Row]:
    """Return the blocks that are in a file, which is not empty."""
    first, *lines = _lines(path)
    scores = _asked(path, first).scores
    return [_row(path, number, line, scores) for number, line in enumerate(lines, 2)]


def open_kept(path: Path, asked: Asked) -> Kept:
    """Return the file of a test, with the blocks that are in it; end with what is wrong with it."""
    lines = list(_lines(path))
    rows: list[Row] = []
    if lines:
        _same(path, _asked(path, lines[0]), asked)
        rows = read_rows(path)
    return Kept(path, asked, rows, sum(map(len, lines)))


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the whole lines of a file."""
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line
    except FileNotFoundError:
        return
    except OSError as error:
        cannot_read(f"--state {path}", error)


def _asked(path: Path, line: bytes) -> Asked:
    try:
        row = json.loads(line)
        kept = row["shoal_test"]
    except (ValueError, KeyError, TypeError):
        fail(f"--state {path}: not the file of a test, so it is left alone: {ELSE}")
    if kept not in (OLDER, FORMAT):
        fail(f"--state {path}: of format {kept}, and this shoal knows {FORMAT}: {ELSE}")
    try:
        return Asked.from_json(row)
    except (KeyError, TypeError, ValueError, AttributeError, BadRule):
        fail(f"--state {path}: its first line is damaged: {ELSE}")


def _row(path: Path, number: int, line: bytes, scores: str) -> Row:
    try:
        row = Row.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError):
        row = None
    if row is None or (row.luck is None and scores != PLAIN):
        fail(
            f"--state {path}: line {number} is damaged: take it out, and its block is played again"
        )
    return row


def _same(path: Path, kept: Asked, asked: Asked) -> None:
    """End unless a file is of the very test that is asked for: its blocks would not be of one kind."""
    before, now = kept.as_json(), asked.as_json()
    for name in before:
        if name != "files" and before[name] != now[name]:
            was, is_now = _said(before[name]), _said(now[name])
            fail(f"--state {path}: a test with {name} {was}, and not {is_now}: {ELSE}")
    for spec, digest in kept.files.items():
        if asked.files.get(spec) != digest:
            fail(f"--state {path}: {spec} has changed since, so it is another bot: {ELSE}")


def _said(value: object) -> str:
    if value is None:
        return "of a fixed size"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "nobody"
    if isinstance(value, dict):
        return ", ".join(f"{name} {each:g}" for name, each in value.items())
    return str(value)
