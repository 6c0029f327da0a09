"""Running a test: processes play, blocks are kept and counted, and it ends by itself or when told to."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, final

from shoal.cli.comparison.course import Course
from shoal.cli.comparison.crew import Crew, row_of
from shoal.cli.comparison.kept import Kept
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.row import Row
from shoal.cli.comparison.view import line
from shoal.cli.interrupt import INTERRUPTED
from shoal.cli.output import note

_BLINK: Final = 0.5
"""Seconds between two states of the line on a terminal."""

_PACE: Final = 10.0
"""Seconds between two lines where there is no terminal."""


@final
class Stop:
    """Whether somebody wants the test to end: Ctrl-C or SIGTERM; the second ends the process at once."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self.is_set = False

    def hear(self, _number: int, _frame: FrameType | None) -> None:
        """Take in a signal."""
        if self.is_set:
            os._exit(INTERRUPTED)
        self.is_set = True
        self._crew.wake()


def run_course(plan: Plan, course: Course, kept: Kept | None, workers: int, *, quiet: bool) -> bool:
    """Play a test to its end; return whether it was interrupted before.

    The blocks that are kept count first. The crew is told to go when the last block is counted.
    """
    for row in kept.rows if kept is not None else ():
        course.add(row)
    if course.is_over:
        return False
    teller = _Teller(course, quiet=quiet)
    said: set[str] = set()
    with Crew(plan, workers) as crew, _listening(Stop(crew)) as stop:
        for worker in range(crew.number):
            _give(crew, worker, course)
        while not course.is_over and not stop.is_set:
            answer = crew.hear(_BLINK)
            teller.tell()
            if answer is None:
                continue
            found = row_of(crew, answer)
            row = Row.from_json(found)
            if kept is not None:
                kept.add(row)
            course.add(row)
            for side, words in found["said"].items():
                if side not in said:
                    said.add(side)
                    teller.clear()
                    note(" ".join(f"{side}, {words}".split()))
            _give(crew, answer.worker, course)
        teller.clear()
        return not course.is_over


def _give(crew: Crew, worker: int, course: Course) -> None:
    block = course.next_block()
    if block is not None:
        crew.ask(worker, block)


@contextmanager
def _listening(stop: Stop) -> Iterator[Stop]:
    """Let the first signal stop the test."""
    before = {number: signal.signal(number, stop.hear) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@final
class _Teller:
    """Says how it goes: on a terminal in one line that changes, otherwise now and then in another one."""

    def __init__(self, course: Course, *, quiet: bool) -> None:
        self._course = course
        self._is_quiet = quiet
        self._on_terminal = sys.stderr.isatty()
        self._next = time.monotonic() + (0 if self._on_terminal else _PACE)

    def tell(self) -> None:
        """Say it, if it is time."""
        if self._is_quiet or time.monotonic() < self._next:
            return
        if self._on_terminal:
            self._next = time.monotonic() + _BLINK
            sys.stderr.write(f"\r\x1b[K{line(self._course)}")
            sys.stderr.flush()
        else:
            self._next = time.monotonic() + _PACE
            note(line(self._course))

    def clear(self) -> None:
        """Make room for another line."""
        if self._on_terminal and not self._is_quiet:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
