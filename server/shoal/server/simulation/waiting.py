"""Who waits although it could be seated: the only waiting that a scheduler can be blamed for."""

from collections import defaultdict
from collections.abc import Sequence
from typing import final

from shoal.server.simulation.member import Member


def could_be_seated(members: Sequence[Member]) -> list[Member]:
    """Return those of a pool with room that some rated table could be made for now, of these alone."""
    sides: defaultdict[int, set[str]] = defaultdict(set)
    for member in members:
        for size in member.profile.sizes:
            sides[size].add(member.profile.owner)
    return [
        member
        for member in members
        if any(len(sides[size]) >= size for size in member.profile.sizes)
    ]


@final
class Waiting:
    """Adds up the waiting of each bot from one look to the next."""

    def __init__(self) -> None:
        """Begin with nobody who waits."""
        self._waiting: list[Member] = []
        self._since_ms = 0.0

    def pass_time(self, now_ms: float) -> None:
        """Charge the time since the last look to those who waited then; before anything changes."""
        for member in self._waiting:
            member.waited_ms += now_ms - self._since_ms
        self._since_ms = now_ms

    def look(self, members: Sequence[Member]) -> None:
        """See who waits from now on: bots that are here and have room, after the tables were made."""
        self._waiting = could_be_seated(members)
