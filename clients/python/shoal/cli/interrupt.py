"""Ctrl-C where there is nothing that it could harm: the process ends at once, without a word.

A KeyboardInterrupt in the middle of an import is no use: it may be printed, swallowed, or turned into
another error by whatever is being imported.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
"""Exit code after Ctrl-C, where a command has no other end."""


@contextmanager
def quiet() -> Iterator[None]:
    """Let Ctrl-C end the process at once, until the context ends: for imports.

    Where it means something else already, or is ignored as in the background of a script, it stays so.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    leave_at_interrupt()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def leave_at_interrupt() -> None:
    """Let Ctrl-C end the process at once from now on."""
    signal.signal(signal.SIGINT, _leave)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)
