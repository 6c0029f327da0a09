"""How much time at tables a bot has had: what is shared out fairly on a ladder is time, not matches (T80).

What was long ago counts for less: half after `HALF_LIFE_MS`. So a bot that comes back after a week is not
owed a week, and one that has been served well today waits no longer than that.
"""

from dataclasses import dataclass
from typing import Final, final

HALF_LIFE_MS: Final = 10 * 60_000.0

_WEIGHT_OF_EVER: Final = HALF_LIFE_MS / 0.6931471805599453
"""All the time there is, weighted: the integral of the halving."""


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """The weighted time that a bot has been present, and has sat at tables, until a moment.

    Two tables at once count twice. Times are in ms.
    """

    until_ms: float
    present_ms: float = 0.0
    played_ms: float = 0.0


def used(before: Usage, until_ms: float, tables: int, *, present: bool = True) -> Usage:
    """Return the usage at a later moment, if the bot has been at so many tables since.

    Time that it was not present for does not count, but passes. A clock that went back has stood still.
    """
    passed = max(0.0, until_ms - before.until_ms)
    kept = 0.5 ** (passed / HALF_LIFE_MS)
    gained = _WEIGHT_OF_EVER * (1 - kept) if present else 0.0
    return Usage(
        until_ms=before.until_ms + passed,
        present_ms=before.present_ms * kept + gained,
        played_ms=before.played_ms * kept + gained * tables,
    )


def share(usage: Usage) -> float:
    """Return at how many tables it has sat on average; 0 for a bot that has only just come."""
    return usage.played_ms / usage.present_ms if usage.present_ms else 0.0


def more_share(matches: int, match_ms: float) -> float:
    """Return by how much a block of so many matches, one after the other, will raise a bot's share."""
    return matches * match_ms / _WEIGHT_OF_EVER
