"""Where the time of a partition is on the clock of this process: what the store said when, and no more."""

from collections import deque
from typing import Final, NamedTuple, final

from shoal.server.gaps import GAPS_KEPT, Gaps, Interval, measure
from shoal.server.store.liveness import CUT_OFF_MS

CUT_SECONDS: Final = CUT_OFF_MS / 1000
"""Ticks come twice a second: whoever hears nothing of a partition for so long is cut off from it, or does not
get to hear."""


@final
class StoodStill(NamedTuple):
    """For how many milliseconds partition time has stood still in all, and what it was when it last did."""

    total_ms: int = 0
    last_at_ms: int = 0


_NEVER: Final = StoodStill()


@final
class PartitionClock:
    """Translates partition time to local moments, for as long as the store is heard of.

    What it says is never later than the truth by more than a reply took: whoever counts from there charges no
    less than was thought. It is earlier by an outage until the store has answered again. `cuts` are the times
    in which nothing was heard of the partition, and the end of one is kept until somebody takes it. `pauses`
    are those in which its time stood still, since nobody asked for it.
    """

    __slots__ = ("_cut_from", "_heard", "_latest", "_stood", "_total_ms", "_zero", "cuts", "pauses")

    def __init__(self) -> None:
        """Begin without having seen it; `saw` comes before everything else."""
        self.cuts = Gaps()
        self.pauses = Gaps()
        self._cut_from: float | None = None
        self._heard = float("-inf")
        self._latest = float("inf")
        self._stood: deque[tuple[int, float]] = deque(maxlen=GAPS_KEPT)
        self._total_ms = 0
        self._zero = float("-inf")

    def saw(self, now_ms: int, asked: float, answered: float, stood: StoodStill = _NEVER) -> None:
        """Note that partition time was `now_ms` at some time between two local moments, in seconds."""
        heard, self._heard = self._heard, answered
        first = heard == float("-inf")
        if not first and answered - heard > CUT_SECONDS:
            self.cuts.add(heard, answered)
            if self._cut_from is None:
                self._cut_from = heard
        more = (stood.total_ms - self._total_ms) / 1000
        self._total_ms = stood.total_ms
        before = self._zero
        # As little as the two allow: so all the answers together tell more than the fastest of them.
        self._latest = answered - now_ms / 1000
        self._zero = min(max(before + more, asked - now_ms / 1000), self._latest)
        if more > 0 and not first:
            # A time of day that was put forward is nothing that anybody has waited for.
            self._note(stood.last_at_ms, min(self._zero - before, answered - heard))

    def _note(self, at_ms: int, seconds: float) -> None:
        """Note that partition time was `at_ms` for some seconds, those before it went on."""
        if seconds > 0:
            end = self._zero + at_ms / 1000
            self.pauses.add(end - seconds, end)
            self._stood.append((at_ms, seconds))

    def take_cut(self) -> float | None:
        """Return when a cut began that has ended since this was last asked, the first of several.

        None when none has ended, whoever heard of the partition meanwhile, and for whatever.
        """
        begin, self._cut_from = self._cut_from, None
        return begin

    def unheard(self, begin: float, known: float) -> Interval | None:
        """Return from when a cut kept from us what was asked at `begin`, until it was `known`.

        None when no cut lay between. With the end of a cut it is not known yet: first it has to be read.
        What is read, or rung for, may be known before it is heard what time it is.
        """
        if known - self._heard > CUT_SECONDS:
            cuts = [*self.cuts.within(begin, self._heard), (max(begin, self._heard), known)]
        else:
            cuts = self.cuts.within(begin, known)
        return (cuts[0][0], known) if cuts else None

    def was_heard(self, begin: float, known: float) -> bool:
        """Tell whether the partition was heard of all the time that lay between two moments."""
        return self.cuts.latest <= begin and known - self._heard <= CUT_SECONDS

    def cut_between(self, begin: float, end: float) -> float:
        """Return for how many of the seconds between two moments the way was cut, or is it still."""
        cuts = self.cuts.within(begin, end)
        if end - self._heard > CUT_SECONDS:
            cuts.append((max(begin, self._heard), end))
        return measure(cuts)

    def moment(self, ms: int) -> float:
        """Return the local moment, in seconds, at which partition time was `ms`, or one shortly before.

        Of a time at which it stood still it is the last such moment.
        """
        moment = self._zero + ms / 1000
        for at_ms, seconds in reversed(self._stood):
            if ms >= at_ms:
                break  # nearly always the first
            moment -= seconds
        return moment

    def ms(self, moment: float) -> int:
        """Return the partition time at a local moment, or one shortly after."""
        later = measure(self.pauses.within(moment, float("inf")))
        return int((moment - self._zero + later) * 1000)

    def counted_ms(self, begin_ms: int, moment: float) -> int:
        """Return what has surely passed from a partition time to a local moment."""
        unsure = self._latest - self._zero
        return max(0, int(self.ms(moment) - begin_ms - unsure * 1000))
