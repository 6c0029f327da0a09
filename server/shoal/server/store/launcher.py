"""A private Redis in a folder of its own: started, adopted when it was orphaned, and stopped."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, final
from urllib.parse import quote

import hiredis
import psutil

from shoal.server.store.binary import find_binary
from shoal.server.store.errors import StoreRefused
from shoal.server.store.folder import hold_folder, socket_path
from shoal.server.store.probe import ask

_START_LIMIT: Final = 15.0
_STOP_LIMIT: Final = 30.0
_POLL: Final = 0.01
_LAST_WORDS: Final = 400


@final
class PrivateRedis:
    """A running Redis that only its launcher may stop; `adopted` when a killed server left it behind."""

    def __init__(self, folder: Path, path: Path) -> None:
        """Adopt the orphan of the folder, or start one; returns at once, see `await_ready`."""
        self._folder = folder
        self._path = path
        self._child: subprocess.Popen[bytes] | None = None
        orphan = _orphan(folder)
        self.adopted = orphan is not None
        self._process = orphan or self._start()

    @property
    def url(self) -> str:
        """Where it is: the same for as long as the context lasts."""
        return f"unix://{quote(str(self._path))}"

    @property
    def pid(self) -> int:
        """The process that it is now."""
        return self._process.pid

    def is_running(self) -> bool:
        """Tell whether it is there; somebody may have killed it, or its disk may be full."""
        return self._process.is_running() and self._process.status() != psutil.STATUS_ZOMBIE

    def revive(self) -> None:
        """Start it again on the same data, after it has ended; blocks while it starts."""
        if self._child is not None:
            self._child.poll()  # takes note of its end, or Python complains that it is still running
        self._process = self._start()
        self.await_ready()

    def await_ready(self) -> None:
        """Return when it serves; raise StoreRefused when it does not start."""
        _await_ready(self._folder, self._path, self._process)

    def stop(self) -> None:
        """End it, once it has written what it has."""
        _stop(self._process, self._child)

    def _start(self) -> psutil.Process:
        self._child = _start(find_binary(), self._folder, self._path)
        return psutil.Process(self._child.pid)


@contextmanager
def launch_redis(folder: Path) -> Iterator[PrivateRedis]:
    """Run a Redis whose data is in `folder` until the context ends; blocks while it starts.

    What it acknowledges is on disk. It has no port, a session of its own (an interrupt from the
    keyboard does not reach it), and outlives a server that is killed: the next one adopts it.
    Raises FolderInUse, NoRedisBinary, or StoreRefused when it does not start.
    """
    folder = folder.absolute()
    with hold_folder(folder), socket_path(folder) as path:
        redis = PrivateRedis(folder, path)
        try:
            redis.await_ready()
            yield redis
        finally:
            redis.stop()


def _orphan(folder: Path) -> psutil.Process | None:
    """Return the Redis that a killed server left running in this folder, if there is one."""
    try:
        process = psutil.Process(int((folder / "redis.pid").read_text()))
        if "-server" in process.name() and Path(process.cwd()).samefile(folder):
            return process
    except (OSError, ValueError, psutil.Error):
        pass  # no such file, or its number belongs to nobody or to a stranger by now
    return None


def _start(program: Path, folder: Path, path: Path) -> subprocess.Popen[bytes]:
    """Start the program on the folder's data."""
    settings = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(folder),
        "pidfile": str(folder / "redis.pid"),
        "logfile": str(folder / "redis.log"),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    words = [word for name, value in settings.items() for word in (f"--{name}", value)]
    return subprocess.Popen(
        [program, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _await_ready(folder: Path, path: Path, process: psutil.Process) -> None:
    """Return when Redis serves; loading its data may take as long as it takes."""
    give_up = time.monotonic() + _START_LIMIT
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        with suppress(OSError):
            reply = ask(path, "PING")
            if reply == b"PONG":
                return
            if isinstance(reply, hiredis.ReplyError) and str(reply).startswith("LOADING"):
                give_up = time.monotonic() + _START_LIMIT
        if time.monotonic() > give_up:
            msg = f"the Redis of {folder} (process {process.pid}) does not answer: kill it"
            raise StoreRefused(msg)
        time.sleep(_POLL)
    with suppress(OSError):
        last_words = (folder / "redis.log").read_text(errors="replace")[-_LAST_WORDS:]
        msg = f"Redis did not start in {folder}; its log ends with: {last_words}"
        raise StoreRefused(msg)
    msg = f"Redis did not start in {folder}; see that the folder can be written"
    raise StoreRefused(msg)


def _stop(process: psutil.Process, child: subprocess.Popen[bytes] | None) -> None:
    """Ask Redis to write what it has and end; kill it when it does not."""
    patient = child or process
    with suppress(psutil.NoSuchProcess):
        process.terminate()
    try:
        patient.wait(timeout=_STOP_LIMIT)
    except (subprocess.TimeoutExpired, psutil.TimeoutExpired):
        process.kill()
        patient.wait()
