"""When the call came in that is being handled: from there on time is the server's, not the bot's (T47)."""

import time
from contextvars import ContextVar

_arrived: ContextVar[float] = ContextVar("arrived")


def note_arrival() -> None:
    """Note that a call comes in now, before anything is looked up for it; for the interceptor alone."""
    _arrived.set(time.monotonic())


def arrival() -> float:
    """Return when the call that is being handled came in, in monotonic seconds."""
    return _arrived.get()
