"""Files and folders that options name: whichever cannot be used is refused by the name of its option."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import final


@final
class FileRefused(Exception):
    """A file or a folder cannot be used: the system's error, and the option that named it or ""."""

    def __init__(self, cause: OSError, option: str = "") -> None:
        """Keep both for whoever writes the line."""
        super().__init__(f"{option} {cause}".strip())
        self.cause = cause
        self.option = option


@contextmanager
def named_by(option: str, place: object) -> Iterator[None]:
    """Raise FileRefused for an error of the system about `place`, which an option named."""
    try:
        yield
    except FileRefused:
        raise
    except OSError as error:
        raise FileRefused(OSError(error.errno, error.strerror, str(place)), option) from error


@contextmanager
def folder_named_by(option: str, place: object) -> Iterator[None]:
    """Do the same for a folder, which is in the way of nothing when it is there already."""
    with named_by(option, place):
        try:
            yield
        except FileExistsError as error:
            code = errno.ENOTDIR
            raise OSError(code, os.strerror(code)) from error
