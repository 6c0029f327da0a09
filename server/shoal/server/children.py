"""Programs that a demonstration or a measurement starts, and ends whatever happens to itself."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import psutil

from shoal.server.spawn import Program

Result = TypeVar("Result")

START_LIMIT: Final = 30.0
STOP_LIMIT: Final = 10.0
NOTICE_LIMIT: Final = 0.5
POLL: Final = 0.05
LAST_WORDS: Final = 200


class ChildFailed(Exception):
    """A program of ours ended, or would not start; the message is one line."""


@dataclass(frozen=True, slots=True)
class Child:
    """A running program, and the files that its results and its log go to."""

    name: str
    process: Program
    out: Path
    log: Path

    def ask_to_end(self) -> None:
        """Send SIGTERM, if it is still running."""
        with suppress(ProcessLookupError):
            if self.process.returncode is None:
                self.process.terminate()

    def failure(self) -> ChildFailed:
        """Return what to say when the program ended although it should not have."""
        code = self.process.returncode
        if code is not None and code < 0:
            return ChildFailed(f"{self.name} was killed by signal {-code}")
        lines = self.log.read_text(errors="replace").split("\n") if self.log.exists() else []
        said = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        return ChildFailed(f"{self.name} ended with {code}: {said[-LAST_WORDS:]}")


@dataclass(frozen=True, slots=True)
class ServerChild:
    """A running `shoal serve` with a private Redis."""

    child: Child
    port: int
    http_port: int
    pid: int
    redis_pid: int
    admin_token: str

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"


def run_to_the_end(
    main: Coroutine[Any, Any, Result],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> Result:
    """Run a coroutine whose cleaning up nothing interrupts.

    The first SIGINT, SIGTERM or SIGHUP cancels it, more of them change nothing; KeyboardInterrupt is
    raised when it has cleaned up.
    """
    stopped = False

    async def guarded() -> Result:
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            nonlocal stopped
            if not stopped:
                stopped = True
                task.cancel()

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop)
        return await main

    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(guarded())
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        raise


def shoal_command(*arguments: str) -> list[str]:
    """Return the command line that runs the `shoal` of this very installation."""
    return [str(Path(sysconfig.get_path("scripts")) / "shoal"), *arguments]


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command line that runs a module with this very Python."""
    return [sys.executable, "-m", module, *arguments]


@asynccontextmanager
async def running(name: str, command: Sequence[str], folder: Path) -> AsyncIterator[Child]:
    """Run a program until the context ends; what it says goes to files in `folder`.

    To files and not through pipes, because a pipe that its children hold open hides its end. It has a
    session of its own, so that an interrupt from the keyboard reaches us alone, and we end it in
    order: SIGTERM, and SIGKILL when that is not enough. Its standard input is ours to hold: a command
    with --with-parent ends when we do, however that is.
    """
    out, log = folder / f"{name}.out", folder / f"{name}.log"
    with out.open("wb") as results, log.open("wb") as messages:
        process = Program(
            command,
            stdin=subprocess.PIPE,
            stdout=results,
            stderr=messages,
            environment=_plain_environment(),
        )
    try:
        yield Child(name, process, out, log)
    finally:
        try:
            await _end(process)
        finally:
            process.close_stdin()


@asynccontextmanager
async def running_server(folder: Path, *arguments: str) -> AsyncIterator[ServerChild]:
    """Run `shoal serve` on a free port, with its data in `folder`, until the context ends.

    Raise ChildFailed when it does not come up.
    """
    command = shoal_command(
        *("serve", "--announce", "--port", "0", "--data-dir", str(folder / "data")),
        *("--admin-token-file", str(folder / "admin.token"), "--with-parent", *arguments),
    )
    async with running("server", command, folder) as child:
        relatives: list[psutil.Process] = []
        try:
            said = await announcement(child)
            # Now, because nobody would know whose they were once the server is dead.
            relatives = _relatives(child.process)
            token = (folder / "admin.token").read_text().strip()
            yield ServerChild(
                child, said["port"], said["http_port"], said["pid"], said["redis_pid"], token
            )
        finally:
            relatives += _relatives(child.process)
            await _end(child.process)
            _kill(relatives)


async def unless_one_ends(work: Coroutine[Any, Any, Result], children: Sequence[Child]) -> Result:
    """Return what `work` returns; raise ChildFailed, and cancel it, when a program ends before it."""
    working = asyncio.create_task(work)
    ends = {asyncio.create_task(child.process.wait()): child for child in children}
    try:
        await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
        if working.done() and working.exception() is not None:
            # Work that fails because a program dies may notice before we do.
            await asyncio.wait(ends, timeout=NOTICE_LIMIT, return_when=asyncio.FIRST_COMPLETED)
        ended = next((child for task, child in ends.items() if task.done()), None)
        if ended is not None:
            raise ended.failure()
        return working.result()
    finally:
        for task in (working, *ends):
            task.cancel()
        await asyncio.gather(working, *ends, return_exceptions=True)


async def announcement(child: Child) -> dict[str, int]:
    """Return the first JSON object that a program prints; raise ChildFailed when there will be none."""
    try:
        async with asyncio.timeout(START_LIMIT):
            while child.process.returncode is None:
                for line in child.out.read_text().splitlines(keepends=True):
                    if line.startswith("{") and line.endswith("\n"):
                        said: dict[str, int] = json.loads(line)
                        return said
                await asyncio.sleep(POLL)
    except TimeoutError:
        raise ChildFailed(f"{child.name} did not start within {START_LIMIT:.0f} s") from None
    raise child.failure()


async def _end(process: Program) -> None:
    """Ask a program to end; kill it, and everything of its session, when it does not."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_LIMIT)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _relatives(process: Program) -> list[psutil.Process]:
    """Return what the program has started: its Redis and its director have sessions of their own."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        return []


def _kill(relatives: list[psutil.Process]) -> None:
    """End what a program that was killed could not end itself."""
    for relative in relatives:
        with suppress(psutil.Error):
            relative.kill()


def _plain_environment() -> dict[str, str]:
    """Return the environment without what is set for a server of the user's own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_")}
