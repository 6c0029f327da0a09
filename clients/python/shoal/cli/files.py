"""What the system says of a file that cannot be used, and what to do about it: one line for people."""

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from shoal.cli.output import fail

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What the system says where there is no more room."""

_READING: Mapping[int, str] = {
    errno.ENOENT: "check the path",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "check the path",
    errno.EACCES: "you may not read it",
    errno.EPERM: "you may not read it",
}

_WRITING: Mapping[int, str] = {
    errno.ENOENT: "make its folder first",
    errno.EEXIST: "remove it, or name another",
    errno.EISDIR: "name a file in it",
    errno.ENOTDIR: "name another place, with folders alone above it",
    errno.EACCES: "name a place where you may write",
    errno.EPERM: "name a place where you may write",
    errno.EROFS: "name a place where you may write",
    errno.ENOSPC: "make room, or name another place",
    errno.EDQUOT: "make room, or name another place",
    errno.EFBIG: "make room, or name another place",
}


def cannot_read(place: object, error: OSError) -> NoReturn:
    """Say why a file, or what an option names, cannot be read; end."""
    fail(f"{place}: {unread(error)}")


def must_be_readable(path: Path) -> None:
    """End with what is wrong with a file unless it can be read."""
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        cannot_read(path, error)


def unread(error: OSError) -> str:
    """Return why a file cannot be read."""
    return _said(error, _READING)


def cannot_write(place: object, error: OSError) -> NoReturn:
    """Say why a file, or what an option names, cannot be written; end."""
    fail(f"{place}: {_said(error, _WRITING)}")


def unusable(error: OSError, place: str = "") -> str:
    """Return what is wrong with the file that an error names, after the option that named it."""
    names = " ".join(str(part) for part in (place, error.filename) if part)
    if names:
        return f"{names}: {_said(error, _WRITING)}"
    if error.errno in FULL:
        return f"a file cannot be written: {_said(error, _WRITING)}"
    return _said(error, {})


def _said(error: OSError, advice: Mapping[int, str]) -> str:
    """Return the system's words, which can be looked up, and ours."""
    said = error.strerror or str(error) or type(error).__name__
    more = advice.get(error.errno or 0)
    return f"{said}: {more}" if more else said
