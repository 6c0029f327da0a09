"""The processes that play: each has one block at a time, and a thread here that waits for its answers."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from typing import IO, Any, Final, NamedTuple, Self, final

from shoal.cli.comparison.plan import Plan
from shoal.cli.output import fail

_COMMAND: Final = (sys.executable, "-m", "shoal.cli.comparison.worker")
_GRACE: Final = 5.0
"""Seconds that a process has to go when its input has ended."""


class Answer(NamedTuple):
    """What a process says: a row; None where it has ended."""

    worker: int
    row: Mapping[str, Any] | None


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@final
class Crew:
    """So many processes for a plan; `with` ends them.

    An interrupt from the keyboard does not reach them: what a block came to may still be heard. They end when
    this process does, for their input ends with it.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        """Start them."""
        self.answers: SimpleQueue[Answer | None] = SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ears: list[threading.Thread] = []
        first = json.dumps(plan.as_json()).encode() + b"\n"
        for worker in range(number):
            process = subprocess.Popen(
                _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
            self._processes.append(process)
            self._send(worker, first)
            assert process.stdout is not None
            ear = threading.Thread(target=self._listen, args=(worker, process.stdout), daemon=True)
            self._ears.append(ear)
            ear.start()

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self._processes)

    def __enter__(self) -> Self:
        """Return the crew itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End them: with their input, or, if a bot does not let go, by force."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in self._processes:
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for ear in self._ears:
            ear.join(_GRACE)

    def ask(self, worker: int, block: int) -> None:
        """Let one of them play a block."""
        self._send(worker, b"%d\n" % block)

    def hear(self, seconds: float) -> Answer | None:
        """Return the next answer, or None after so many seconds, or as soon as `wake` was called."""
        try:
            return self.answers.get(timeout=seconds)
        except Empty:
            return None

    def wake(self) -> None:
        """Let `hear` return; may be called by a signal handler."""
        self.answers.put(None)

    def ended(self, worker: int) -> int:
        """Return how a process has ended that says nothing more."""
        return self._processes[worker].wait()

    def _send(self, worker: int, line: bytes) -> None:
        pipe = self._processes[worker].stdin
        assert pipe is not None
        try:
            pipe.write(line)
            pipe.flush()
        except BrokenPipeError:  # it has ended, which its thread says too
            return

    def _listen(self, worker: int, source: IO[bytes]) -> None:
        with source:
            for line in source:
                self.answers.put(Answer(worker, json.loads(line)))
        self.answers.put(Answer(worker, None))


def row_of(crew: Crew, answer: Answer) -> Mapping[str, Any]:
    """Return the row of a block; end the command in one line where a process has none."""
    if answer.row is None:
        fail(
            f"a process of the test has ended ({_how(crew.ended(answer.worker))}), which is a bot's doing: "
            "`shoal play` with the same bots shows what they say"
        )
    if "failed" in answer.row:
        fail(str(answer.row["failed"]))
    return answer.row


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
