"""Where a bot is: at its stream, at its polls, or nowhere, and then whose doing that was."""

from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.server.store.link import Reply

_NOBODY = b"-"


@final
@dataclass(frozen=True, slots=True)
class Streaming:
    """It has a stream, or a process that died has, whose claim has not run out yet."""

    process: str


@final
@dataclass(frozen=True, slots=True)
class Polling:
    """It has no stream, and polls."""

    waits_at: str | None
    """The process that keeps a poll of it waiting; None when it was answered, and is to ask again."""


@final
@dataclass(frozen=True, slots=True)
class Left:
    """It closed its stream itself, or lost it on its own side; or it never had one."""


@final
@dataclass(frozen=True, slots=True)
class SentAway:
    """A server of ours ended its stream, so many milliseconds ago in partition time."""

    ago_ms: int


@final
@dataclass(frozen=True, slots=True)
class Dropped:
    """The claim to its stream ran out, and nobody had let it go: the process that had it is gone."""

    process: str


Place: TypeAlias = Streaming | Polling | Left | SentAway | Dropped


@final
@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a bot is. `epoch`: how often it has been claimed."""

    place: Place
    epoch: int

    @property
    def is_here(self) -> bool:
        """Whether it has a stream, or polls."""
        return isinstance(self.place, Streaming | Polling)


def whereabouts_of(reply: Reply) -> Whereabouts:
    """Read what where.lua returns."""
    *told, epoch = reply
    return Whereabouts(_place(*told), epoch)


def _place(process: bytes, last: bytes, left: bytes, away_ms: int) -> Place:
    """Return the place that follows from who has the bot, who had it, and how that ended."""
    if process == b"":
        return Polling(None if last == _NOBODY else last.decode())
    if process != _NOBODY:
        return Streaming(process.decode())
    if left == b"1" or last == _NOBODY:
        return Left()
    return Dropped(last.decode()) if away_ms < 0 else SentAway(away_ms)
