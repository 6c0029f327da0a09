"""Where a tournament is played."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A server, and an organizer's token; one that is not `given` is there for the tournament alone."""

    address: str
    token: str
    tls: bool = False
    given: bool = True
