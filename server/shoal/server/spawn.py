"""Starting programs from a process that runs gRPC.

uvloop forks to start a program, and gRPC's handlers of fork then crash one child in seven before it has
begun (measured with grpcio 1.85: 21 of 150 beside eight busy streams). `subprocess.Popen` runs no such
handlers: 0 of 150.
"""

import asyncio
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO, final

POLL_SECONDS = 0.02


@final
class Program:
    """A program that was started; to be awaited from an event loop."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int = subprocess.DEVNULL,
        stdout: int | IO[bytes] = subprocess.DEVNULL,
        stderr: int | IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start it, in a session of its own: an interrupt from the keyboard does not reach it."""
        self._popen = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its process."""
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """How it ended, negative for a signal; None while it runs."""
        return self._popen.poll()

    async def wait(self) -> int:
        """Wait until it has ended, and return how."""
        while (code := self._popen.poll()) is None:  # noqa: ASYNC110 - a process sets no event
            await asyncio.sleep(POLL_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal; nothing happens when it has ended."""
        self._popen.send_signal(number)

    def terminate(self) -> None:
        """Ask it to end."""
        self._popen.terminate()

    def kill(self) -> None:
        """End it."""
        self._popen.kill()

    def close_stdin(self) -> None:
        """Close the pipe that is its standard input, if it has one."""
        if self._popen.stdin is not None:
            self._popen.stdin.close()
