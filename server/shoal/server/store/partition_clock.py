"""Where the time of a partition is on the clock of this process: what the store said when, and no more."""

from typing import Final, final

from shoal.server.gaps import Gaps

CUT_SECONDS: Final = 1.2
"""Ticks come twice a second: for so long nothing is heard of a partition only if the way to it is cut."""


@final
class PartitionClock:
    """Translates partition time to local moments, for as long as the store is heard of.

    What it says is never later than the truth by more than a reply took: whoever counts from there charges no
    less than was thought. It is earlier by an outage until the store has answered again.
    """

    __slots__ = ("_cuts", "_heard", "_zero")

    def __init__(self) -> None:
        """Begin without having seen it; `saw` comes before everything else."""
        self._zero = float("-inf")
        self._heard: float | None = None
        self._cuts = Gaps()

    def saw(self, now_ms: int, asked: float, answered: float) -> bool:
        """Note that partition time was `now_ms` at some time between two local moments, in seconds.

        Tell whether the way to the partition was cut before: nothing had been heard of it for so long.
        """
        heard, self._heard = self._heard, answered
        was_cut = heard is not None and answered - heard > CUT_SECONDS
        if heard is not None and was_cut:
            self._cuts.add(heard, answered)
        # As little as the two allow: so all the answers together tell more than the fastest of them.
        self._zero = min(max(self._zero, asked - now_ms / 1000), answered - now_ms / 1000)
        return was_cut

    def cut_between(self, begin: float, end: float) -> float:
        """Return for how many of the seconds between two local moments the way to the partition was cut."""
        return self._cuts.between(begin, end)

    def moment(self, ms: int) -> float:
        """Return the local moment, in seconds, at which partition time was `ms`, or one shortly before."""
        return self._zero + ms / 1000
