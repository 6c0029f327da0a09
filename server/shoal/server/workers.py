"""Several server processes on one port: started, heard when they serve, and kept running."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import final

import structlog

from shoal.server.app import Ports
from shoal.server.settings import Settings
from shoal.server.spawn import Program
from shoal.server.supervisor import STOP_SECONDS, keep

log = structlog.get_logger()


class WorkerFailed(Exception):
    """A server process ended before it had ever served."""


@final
class Worker:
    """One place for a server process: whichever process is in it just now."""

    def __init__(self, number: int, environment: dict[str, str]) -> None:
        """Start nothing yet."""
        self._number = number
        self._environment = environment
        self._ears: set[int] = set()
        self._process: Program | None = None
        self.serving = asyncio.Event()
        """Set once a process in this place has served."""

    @property
    def pid(self) -> int:
        """The process in this place now; 0 before the first."""
        return self._process.pid if self._process is not None else 0

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear what processes in this place say, until the context ends."""
        try:
            yield
        finally:
            for ear in tuple(self._ears):
                self._close(ear)

    def start(self) -> Program:
        """Start a process; raise WorkerFailed when the one before never served."""
        if self._process is not None and not self.serving.is_set():
            msg = f"a worker ended with {self._process.returncode} before it served: see its log"
            raise WorkerFailed(msg)
        words = ["-m", "shoal.cli", "serve", "--no-director", "--announce"]
        words += ["--worker", "--with-parent"]
        ear, mouth = os.pipe()
        self._ears.add(ear)
        with os.fdopen(mouth, "wb") as out:
            self._process = Program(
                [sys.executable, *words],
                stdin=subprocess.PIPE,
                stdout=out,
                environment=self._environment,
            )
        asyncio.get_running_loop().add_reader(ear, self._hear, ear)
        return self._process

    def _hear(self, ear: int) -> None:
        """Take the one line that a worker says when it serves, or the end of the pipe."""
        if os.read(ear, 65536):
            log.info("worker_serving", worker=self._number, pid=self.pid)
            self.serving.set()
        else:
            self._close(ear)

    def _close(self, ear: int) -> None:
        """Hear no more of one process."""
        asyncio.get_running_loop().remove_reader(ear)
        self._ears.discard(ear)
        os.close(ear)


async def keep_worker(worker: Worker, grace_seconds: float) -> None:
    """Keep a process in this place until cancelled; then let it drain. Raise WorkerFailed."""
    with worker.listening():
        await keep("worker_died", worker.start, grace_seconds + STOP_SECONDS)


def make_workers(settings: Settings, redis_url: str, ports: Ports) -> list[Worker]:
    """Return as many workers as the settings say, which all listen on the same ports.

    Each gets the settings in its environment, where no other user can read a password.
    """
    place = {"port": ports.grpc, "http_port": ports.http, "redis_url": redis_url}
    given = {**settings.model_dump(), **place, "workers": 1}
    environment = {**os.environ, **{f"SHOAL_{name.upper()}": str(v) for name, v in given.items()}}
    return [Worker(number, environment) for number in range(1, settings.workers + 1)]
