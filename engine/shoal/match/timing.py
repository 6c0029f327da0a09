"""How long seats may think: the time control of a match, and what a decision leaves of a bank. Pure."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think, and what it may do wrong. Times are in milliseconds.

    Every decision has `move_ms` of its own; what is thought beyond them is taken from the seat's bank,
    which begins with `bank_ms` and gains `increment_ms` with every move the seat makes itself. A seat
    leaves when it was silent `max_strikes` times, or gave `max_illegal` answers that are no options (0:
    it never does). `ready_ms` are for saying ready. After `match_ms` the match is void, however far it
    is (0: never).
    """

    move_ms: int
    max_strikes: int
    ready_ms: int
    bank_ms: int = 0
    increment_ms: int = 0
    max_illegal: int = 0
    match_ms: int = 0

    @property
    def has_banks(self) -> bool:
        """Whether seats have banks at all."""
        return bool(self.bank_ms or self.increment_ms)


def bank_after(control: TimeControl, bank_ms: int, think_ms: int, *, moved: bool) -> int:
    """Return what a decision that took so long leaves in the bank of its seat.

    `moved`: the seat answered itself, so it gains the increment. Must agree with commit.lua.
    """
    left = max(0, bank_ms - max(0, think_ms - control.move_ms))
    return left + control.increment_ms if moved else left
