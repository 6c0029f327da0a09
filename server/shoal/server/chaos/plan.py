"""What a run is to do."""

from dataclasses import dataclass
from typing import final

from shoal.server.chaos.faults import Fault


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What to do."""

    seconds: float
    """For how long faults happen, at least, those of processes in four fifths of it; the beginning and the
    end come on top."""

    seed: int
    matches: int
    faults: tuple[Fault, ...]
    at_least: int
    """How often each kind has to happen: for that, faults may go on for longer."""

    patience: float
    """Seconds after which a match in which nothing happens is stuck."""

    servers: int
    thinking: float
    """The longest that a bot thinks about a decision, in seconds."""

    workers: int = 1
    """How many processes the first of the servers has."""

    cluster: bool = False
    """Whether the store is a Redis Cluster, and not one Redis."""
