"""Where the time of a partition is on the clock of this process: what the store said when, and no more."""

from typing import Final, final

from shoal.server.gaps import Gaps, Interval
from shoal.server.store.liveness import CUT_OFF_MS

CUT_SECONDS: Final = CUT_OFF_MS / 1000
"""Ticks come twice a second: whoever hears nothing of a partition for so long is cut off from it, or does not
get to hear."""


@final
class PartitionClock:
    """Translates partition time to local moments, for as long as the store is heard of.

    What it says is never later than the truth by more than a reply took: whoever counts from there charges no
    less than was thought. It is earlier by an outage until the store has answered again. `cuts` are the times
    in which nothing was heard of the partition, and the end of one is kept until somebody takes it.
    """

    __slots__ = ("_cut_from", "_heard", "_latest", "_zero", "cuts")

    def __init__(self) -> None:
        """Begin without having seen it; `saw` comes before everything else."""
        self.cuts = Gaps()
        self._cut_from: float | None = None
        self._heard: float | None = None
        self._latest = float("inf")
        self._zero = float("-inf")

    def saw(self, now_ms: int, asked: float, answered: float) -> None:
        """Note that partition time was `now_ms` at some time between two local moments, in seconds."""
        heard, self._heard = self._heard, answered
        if heard is not None and answered - heard > CUT_SECONDS:
            self.cuts.add(heard, answered)
            if self._cut_from is None:
                self._cut_from = heard
        # As little as the two allow: so all the answers together tell more than the fastest of them.
        self._latest = answered - now_ms / 1000
        self._zero = min(max(self._zero, asked - now_ms / 1000), self._latest)

    def take_cut(self) -> float | None:
        """Return when a cut began that has ended since this was last asked, the first of several.

        None when none has ended, whoever heard of the partition meanwhile, and for whatever.
        """
        begin, self._cut_from = self._cut_from, None
        return begin

    def unheard(self, begin: float, known: float) -> Interval | None:
        """Return from when a cut kept from us what was asked at `begin`, until it was `known`.

        None when no cut lay between. With the end of a cut it is not known yet: first it has to be read.
        """
        cuts = self.cuts.within(begin, known)
        return (cuts[0][0], known) if cuts else None

    def cut_after(self, moment: float, now: float) -> bool:
        """Tell whether the way to the partition was cut later than a moment, or is it still."""
        is_cut = self._heard is not None and now - self._heard > CUT_SECONDS
        return is_cut or self.cuts.latest > moment

    def moment(self, ms: int) -> float:
        """Return the local moment, in seconds, at which partition time was `ms`, or one shortly before."""
        return self._zero + ms / 1000

    def latest_moment(self, ms: int) -> float:
        """Return the last local moment at which partition time may have been `ms`, as far as is sure."""
        return self._latest + ms / 1000

    def ms(self, moment: float) -> int:
        """Return the partition time at a local moment, or one shortly after."""
        return int((moment - self._zero) * 1000)
