"""Saying what goes wrong in the author's code: the first of a kind in full, then only how often."""

import logging
from collections import Counter

log = logging.getLogger("shoal.client")

FAULTS = (Exception, SystemExit)
"""What the author's code may raise without ending more than its own call."""

_EVERY = 100
"""After so many of a kind, another line says how many there were."""


class Faults:
    """The faults of a run, by kind: what failed, with which exception, in which line."""

    def __init__(self) -> None:
        """Start without any."""
        self._counts: Counter[str] = Counter()

    def say(self, match_id: str, what: str, error: BaseException) -> None:
        """Log an exception: with its traceback if it is the first of its kind."""
        kind = f"{what}: {type(error).__name__}{_line_of(error)}"
        if self._first(kind):
            log.error("match %s: %s", match_id, what, exc_info=error)

    def say_wrong(self, match_id: str, what: str, value: object) -> None:
        """Log a value that is of no use, if it is the first of its type."""
        if self._first(f"{what} (a {type(value).__name__})"):
            log.error("match %s: %s: %.200r", match_id, what, value)

    def _first(self, kind: str) -> bool:
        """Count a fault; return whether it is the first of its kind, and log every hundredth."""
        self._counts[kind] += 1
        count = self._counts[kind]
        if count % _EVERY == 0:
            log.error("%d times: %s", count, kind)
        return count == 1


def _line_of(error: BaseException) -> str:
    """Return the line where an exception was raised, as ` at file:line`."""
    frame = error.__traceback__
    if frame is None:
        return ""
    while frame.tb_next is not None:
        frame = frame.tb_next
    return f" at {frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}"
