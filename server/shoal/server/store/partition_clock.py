"""Where the time of a partition is on the clock of this process: what the store said when, and no more."""

from typing import final


@final
class PartitionClock:
    """Translates partition time to local moments, for as long as the store is heard of.

    What it says is never later than the truth by more than a reply took: whoever counts from there charges no
    less than was thought. It is earlier by an outage until the store has answered again.
    """

    __slots__ = ("_zero",)

    def __init__(self) -> None:
        """Begin without having seen it; `saw` comes before everything else."""
        self._zero = float("-inf")

    def saw(self, now_ms: int, asked: float, answered: float) -> None:
        """Note that partition time was `now_ms` at some time between two local moments, in seconds."""
        # As little as the two allow: so all the answers together tell more than the fastest of them.
        self._zero = min(max(self._zero, asked - now_ms / 1000), answered - now_ms / 1000)

    def moment(self, ms: int) -> float:
        """Return the local moment, in seconds, at which partition time was `ms`, or one shortly before."""
        return self._zero + ms / 1000
