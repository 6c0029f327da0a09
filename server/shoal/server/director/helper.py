"""A process of its own that answers one who directs: a JSON line for each that it is sent.

What takes long or holds the interpreter is done there, so that nobody waits for it who directs.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Final, final

import structlog

PATIENCE: Final = 600.0
"""For how many seconds an answer is waited for: a table of a million results takes not a tenth of that."""

log = structlog.get_logger()


class HelperGone(Exception):
    """The process has ended; what it was told is gone with it. The next one is started when it is asked."""


class NotDone(Exception):
    """It could not do what it was asked; the message says what it met."""


@final
class Helper:
    """A process that is started when it is first asked. It ends with `close`, and when this process does.

    One thing is asked at a time, and waited for in a thread. One that does not answer for long is ended.
    """

    def __init__(self, module: str, patience: float = PATIENCE) -> None:
        """Start nothing yet; `module` is what is to be run, and is waited for so many seconds at most."""
        self._command = (sys.executable, "-m", module)
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()

    async def ask(self, *asked: object) -> object:
        """Return the answer. Raises HelperGone and NotDone."""
        async with self._turn:
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: ASYNC220 - see `spawn`: this one forks no handlers
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            line = json.dumps(asked).encode() + b"\n"
            said = b""
            try:
                async with asyncio.timeout(self._patience):
                    said = await asyncio.to_thread(_exchange, self._process, line)
            except TimeoutError:
                log.warning("helper_silent", pid=self.pid, what=self._command[-1])
        if not said:
            self.close()
            raise HelperGone
        found: dict[str, object] = json.loads(said)
        if "error" in found:
            raise NotDone(found["error"])
        return found["answer"]


def answer(answered: Callable[[bytes], object]) -> None:
    """Be such a process: answer until the input ends, when whoever asks is gone, however that went."""
    for line in sys.stdin.buffer:
        try:
            said = {"answer": answered(line)}
        except (ArithmeticError, LookupError, ValueError) as error:
            said = {"error": repr(error)}
        try:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody waits for it any more: whoever asked was killed meanwhile.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return


def _exchange(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    """Send a line and wait for the answer, which is empty if there is none."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line)
        process.stdin.flush()
        return process.stdout.readline()
    except (BrokenPipeError, ValueError):  # it is gone, or was ended meanwhile
        return b""
