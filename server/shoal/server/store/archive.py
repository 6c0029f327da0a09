"""The archive: finished matches as files, each with all that the store had of it. Nobody else reads them.

A file for each match, in a folder for each hour, both found by the match's id: `2026-11-30/07/<id>.json.gz`.
A file is there as a whole or not at all, and is never written a second time.
"""

import base64
import gzip
import json
import os
import secrets
import socket
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, final

from shoal.server.store import keys

FORMAT: Final = 1
"""How a file is written; another number when that changes."""

_PARTS: Final = "parts"
"""The folder for files that are being written: what a killed process left there is worth nothing."""


class ArchiveBroken(Exception):
    """A file of the archive cannot be read, or has another format; the message names it."""


class ArchiveDiffers(Exception):
    """A match is to be archived, and another course of it is there."""


@final
@dataclass(frozen=True, slots=True)
class ArchivedMatch:
    """A finished match as the store had it: the fields of its hash, and the entries of its log."""

    match_id: str
    fields: Mapping[str, bytes]
    entries: tuple[bytes, ...]


@final
class Archive:
    """A folder of finished matches. Every method works on files, and may raise OSError."""

    def __init__(self, folder: Path) -> None:
        """Work in this folder; nothing is touched yet."""
        self._folder = folder.absolute()

    @property
    def place(self) -> str:
        """Where the folder is, for people: machine and path."""
        return f"{socket.gethostname()}:{self._folder}"

    def prepare(self) -> None:
        """Make the folder if it is not there, and throw away what was never finished."""
        parts = self._folder / _PARTS
        parts.mkdir(parents=True, exist_ok=True)
        for part in parts.iterdir():
            part.unlink(missing_ok=True)
        _flush(self._folder)

    def path(self, match_id: str) -> Path:
        """Return where a match is, or would be."""
        made = datetime.fromtimestamp(keys.time_of(match_id) / 1000, UTC)
        return self._folder / f"{made:%Y-%m-%d}" / f"{made:%H}" / f"{match_id}.json.gz"

    def has(self, match_ids: Iterable[str]) -> set[str]:
        """Return those of these matches that are there."""
        return {match_id for match_id in match_ids if self.path(match_id).is_file()}

    def read(self, match_id: str) -> ArchivedMatch | None:
        """Return a match, None if it is not there. Raises ArchiveBroken."""
        path = self.path(match_id)
        try:
            return _read(match_id, path)
        except FileNotFoundError:
            return None

    def write(self, matches: Iterable[ArchivedMatch]) -> dict[str, ArchiveDiffers]:
        """Keep matches; when this returns they are on the disk, but for those that it returns.

        One that is there already stays as it is: if another course of it is to be kept, that is what is
        returned of it. Raises ArchiveBroken.
        """
        folders: set[Path] = set()
        differ: dict[str, ArchiveDiffers] = {}
        for match in matches:
            path = self.path(match.match_id)
            path.parent.mkdir(parents=True, exist_ok=True)
            # Also of a file that was there: whoever wrote it may have been killed before this.
            folders |= {path.parent, path.parent.parent, self._folder}
            try:
                self._write(match, path)
            except ArchiveDiffers as error:
                differ[match.match_id] = error
        for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
            _flush(folder)
        return differ

    def _write(self, match: ArchivedMatch, path: Path) -> None:
        with suppress(FileNotFoundError):
            if _read(match.match_id, path) == match:
                return
            raise ArchiveDiffers(f"{path} has another course of this match")
        part = self._folder / _PARTS / f"{match.match_id}.{secrets.token_hex(8)}"
        try:
            with part.open("wb") as stream:
                stream.write(gzip.compress(_text(match), mtime=0))
                stream.flush()
                os.fsync(stream.fileno())
            path.hardlink_to(part)  # which, unlike a renaming, never replaces what is there
        except FileExistsError:  # somebody was quicker
            if _read(match.match_id, path) != match:
                raise ArchiveDiffers(f"{path} has another course of this match") from None
        finally:
            part.unlink(missing_ok=True)


def _read(match_id: str, path: Path) -> ArchivedMatch:
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
        if data["format"] != FORMAT or data["match_id"] != match_id:
            raise ArchiveBroken(f"{path}: format {data['format']} of {data['match_id']}")
        return ArchivedMatch(
            match_id,
            {name: _value(text) for name, text in data["fields"].items()},
            tuple(text.encode() for text in data["log"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error) as error:
        raise ArchiveBroken(f"{path}: {error}") from error
    except gzip.BadGzipFile as error:
        raise ArchiveBroken(f"{path}: {error}") from error


def _text(match: ArchivedMatch) -> bytes:
    """Return the text of a file: the same for the same match, whoever writes it."""
    document = {
        "type": "match",
        "format": FORMAT,
        "match_id": match.match_id,
        "fields": {name: _plain(value) for name, value in sorted(match.fields.items())},
        "log": [entry.decode() for entry in match.entries],
    }
    return json.dumps(document, separators=(",", ":")).encode()


def _plain(value: bytes) -> str | dict[str, str]:
    """Return text as it is, and other bytes in base64."""
    try:
        return value.decode("ascii")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def _value(text: str | dict[str, str]) -> bytes:
    """Undo `_plain`."""
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])


def _flush(folder: Path) -> None:
    """Have the disk know the names in a folder."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
