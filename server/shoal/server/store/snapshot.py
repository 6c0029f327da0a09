"""A private Redis as one file, taken while it serves, and put into an empty folder again."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import hiredis

from shoal.server.store import keys
from shoal.server.store.errors import FolderInUse, StoreRefused, StoreUnavailable
from shoal.server.store.folder import hold_folder, socket_of
from shoal.server.store.launcher import launch_redis
from shoal.server.store.link import Part, Reply
from shoal.server.store.probe import ask

_POLL: Final = 0.05

_LOG: Final = "appendonly.aof"
"""What Redis reads at its start. It may begin with a snapshot, and nothing has to follow: a snapshot is one.
Redis 7 moves it into a folder of its own."""

_DATA: Final = (_LOG, "appendonlydir", "dump.rdb")
"""What a folder has in which there was a Redis."""


class FolderHasData(StoreRefused):
    """There is a store already where another is to be put."""


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """What a store was when its snapshot was taken."""

    redis_version: str
    key_count: int
    archives: tuple[str, ...]
    """Where matches are that were taken out of it."""


def take_snapshot(folder: Path, out: Path) -> Summary:
    """Write all that the Redis of a folder has at one moment to a new file; blocks while it is written.

    A server may use it meanwhile; if none does, the Redis is started for it. Raises StoreRefused and OSError.
    """
    with _running(folder) as path:
        summary = _summary(path)
        _save(path)
        (_, where), (_, name) = (
            _ask(path, "CONFIG", "GET", what) for what in ("dir", "dbfilename")
        )
        saved = Path(where.decode(), name.decode())
        with saved.open("rb") as source, out.open("xb") as target:
            shutil.copyfileobj(source, target)
        saved.unlink(missing_ok=True)  # it is the append-only file that counts there
    return summary


def put_snapshot(snapshot: Path, folder: Path) -> None:
    """Make the store of a folder, which must have none, from a snapshot: a Redis that starts there has it.

    Raises FolderHasData, FolderInUse and OSError.
    """
    with hold_folder(folder):
        for name in _DATA:
            if (folder / name).exists():
                raise FolderHasData(f"{folder} has a store already: choose a folder without one")
        part = folder / f"{_LOG}.part"
        shutil.copyfile(snapshot, part)
        flush(part)
        part.replace(folder / _LOG)
        flush(folder)


def flush(path: Path) -> None:
    """Have the disk know a file or a folder."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def _running(folder: Path) -> Iterator[Path]:
    """Give the socket of the Redis of a folder, which is started if it does not run."""
    if not any((folder / name).exists() for name in _DATA):
        raise StoreRefused(f"{folder} has no store: name the --data-dir of a server")
    try:
        with launch_redis(folder):
            yield socket_of(folder.absolute())
    except FolderInUse:
        yield socket_of(folder.absolute())


def _save(path: Path) -> None:
    """Have Redis write a snapshot, after another one or a rewriting of its log that is on its way."""
    while True:
        try:
            _ask(path, "BGSAVE")
            break
        except StoreRefused as error:
            if "progress" not in str(error):
                raise
            time.sleep(_POLL)
    while (info := _info(path, "persistence"))["rdb_bgsave_in_progress"] != "0":
        time.sleep(_POLL)
    if info["rdb_last_bgsave_status"] != "ok":
        raise StoreRefused("Redis could not write a snapshot: see redis.log in its folder, and df")


def _summary(path: Path) -> Summary:
    places = {_ask(path, "HGET", key, "place") for key in keys.ARCHIVE} - {None}
    return Summary(
        redis_version=_info(path, "server")["redis_version"],
        key_count=_ask(path, "DBSIZE"),
        archives=tuple(sorted(place.decode() for place in places)),
    )


def _info(path: Path, section: str) -> dict[str, str]:
    lines = _ask(path, "INFO", section).decode().splitlines()
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name: value for name, _, value in pairs}


def _ask(path: Path, *command: Part) -> Reply:
    """Return the reply; raise StoreUnavailable when there is none, StoreRefused when it is an error."""
    try:
        reply = ask(path, *command)
    except OSError as error:
        raise StoreUnavailable(f"no Redis at {path}: {error}") from error
    if isinstance(reply, hiredis.ReplyError):
        raise StoreRefused(str(reply))
    return reply
