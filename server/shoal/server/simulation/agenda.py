"""What is going to happen on the fake clock, in the order of time."""

import heapq
from dataclasses import dataclass
from typing import TypeAlias, final

from shoal.server.director.result import Finished
from shoal.server.simulation.member import Member
from shoal.server.store.competition_nouns import Block


@final
@dataclass(slots=True, eq=False)
class InPlay:
    """A block that is being played, with what has ended of it, and who sits there by position."""

    block: Block
    members: tuple[Member, ...]
    began_ms: float


@final
@dataclass(frozen=True, slots=True)
class Comes:
    """A bot comes, or comes back."""

    member: Member


@final
@dataclass(frozen=True, slots=True)
class Goes:
    """A bot goes; what it plays it plays to the end."""

    member: Member


@final
@dataclass(frozen=True, slots=True)
class Missed:
    """The ladder notices that a bot that has crashed is not there."""

    member: Member


@final
@dataclass(frozen=True, slots=True)
class Recovers:
    """A bot that has crashed runs again."""

    member: Member


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """A match of a block ends like that, after so many ms."""

    table: InPlay
    match: Finished
    took_ms: float


Happening: TypeAlias = Comes | Goes | Missed | Recovers | Ends


@final
class Agenda:
    """A heap by time; what is to happen at one moment happens in the order in which it was planned."""

    def __init__(self) -> None:
        """Plan nothing yet."""
        self._heap: list[tuple[float, int, Happening]] = []
        self._planned = 0

    def plan(self, at_ms: float, happening: Happening) -> None:
        """Let something happen then."""
        heapq.heappush(self._heap, (at_ms, self._planned, happening))
        self._planned += 1

    def next_ms(self) -> float:
        """Return when the next thing happens; infinite if nothing does any more."""
        return self._heap[0][0] if self._heap else float("inf")

    def pop(self) -> Happening:
        """Return the next thing, and forget it."""
        return heapq.heappop(self._heap)[2]
