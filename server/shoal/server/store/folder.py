"""The folder of a private Redis: who may use it, and where its socket has room."""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from shoal.server.store.errors import FolderInUse, StoreRefused

_LONGEST_SOCKET: Final = 100
"""Bytes in the path of a socket; systems allow 103 to 107."""

_SOCKET: Final = "redis.sock"


def default_folder() -> Path:
    """Return the user's folder for a private Redis."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "shoal")


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Make the folder and keep others out of it; raise FolderInUse when they are in it already.

    The lock ends with this process, however it ends.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            msg = (
                f"another server (process {lock.read().strip() or 'unknown'}) uses {folder}: "
                "stop it, or choose another folder; servers that shall share one store each get the "
                "--redis-url of a Redis that runs by itself"
            )
            raise FolderInUse(msg) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def socket_of(folder: Path) -> Path:
    """Return the path of the folder's socket: in it, or in a short temporary one if it is too long."""
    inside = folder / _SOCKET
    if len(os.fsencode(inside)) <= _LONGEST_SOCKET:
        return inside
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path(tempfile.gettempdir(), f"shoal-{os.getuid()}-{digest}", _SOCKET)


@contextmanager
def socket_path(folder: Path) -> Iterator[Path]:
    """Give the path of the folder's socket, with room for it.

    The same folder always gets the same path, so that an orphan is found again.
    """
    path = socket_of(folder)
    if path.parent == folder:
        yield path
        return
    short = path.parent
    short.mkdir(mode=0o700, exist_ok=True)
    owner = short.lstat()
    if short.is_symlink() or owner.st_uid != os.getuid() or owner.st_mode & 0o077:
        msg = f"{short} is not ours alone: remove it, or choose a folder with a shorter path"
        raise StoreRefused(msg)
    try:
        yield path
    finally:
        shutil.rmtree(short, ignore_errors=True)
