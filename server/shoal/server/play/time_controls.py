"""Time controls as they are asked for: what is allowed, and what 0 stands for."""

from dataclasses import replace

from shoal.match import TimeControl
from shoal.server.errors import malformed

DEFAULTS = TimeControl(
    move_ms=10_000,
    max_strikes=3,
    ready_ms=10_000,
    max_illegal=10,
    match_ms=4 * 3_600_000,
)

UNSET = TimeControl(move_ms=0, max_strikes=0, ready_ms=0)
"""Every default."""

_ALLOWED = {
    "move_ms": (100, 600_000),
    "max_strikes": (1, 100),
    "bank_ms": (0, 3_600_000),
    "increment_ms": (0, 60_000),
    "max_illegal": (1, 100),
    "match_ms": (60_000, 7 * 24 * 3_600_000),
}


def check_time(control: TimeControl) -> None:
    """Raise the Refusal that names the first field that is neither 0 nor allowed."""
    for name, (least, most) in _ALLOWED.items():
        value = getattr(control, name)
        if value and not least <= value <= most:
            raise malformed(f"time_control.{name}", f"{least} to {most}, not {value}")


def with_defaults(control: TimeControl) -> TimeControl:
    """Return a time control with the defaults where it says 0."""
    return replace(
        control,
        move_ms=control.move_ms or DEFAULTS.move_ms,
        max_strikes=control.max_strikes or DEFAULTS.max_strikes,
        ready_ms=control.ready_ms or DEFAULTS.ready_ms,
        max_illegal=control.max_illegal or DEFAULTS.max_illegal,
        match_ms=control.match_ms or DEFAULTS.match_ms,
    )
