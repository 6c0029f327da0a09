"""Moments as people write them and read them."""

from datetime import UTC, datetime

from shoal.cli.output import fail


def moment_of(option: str, text: str) -> int | None:
    """Return a moment in ms since 1970, None if nothing is said; it is in UTC unless it says otherwise."""
    if not text:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        fail(f"{option} is no time: {text!r}; write it like 2026-03-01T18:00+01:00")
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return round(read.timestamp() * 1000)


def moment_text(ms: int) -> str:
    """Write a moment, in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")
