"""Times, on the clock of this process, in which it missed something, and how long several are together."""

from collections import deque
from collections.abc import Iterable
from typing import Final, TypeAlias, final

GAPS_KEPT: Final = 64
"""How many of the latest are remembered: what was before them counts as if nothing had been missed."""

Interval: TypeAlias = tuple[float, float]
"""From one moment to another, in local monotonic seconds."""


@final
class Gaps:
    """The latest gaps, which do not overlap. `latest` is the end of the last one."""

    __slots__ = ("_gaps", "latest")

    def __init__(self) -> None:
        """Begin without any."""
        self._gaps: deque[Interval] = deque(maxlen=GAPS_KEPT)
        self.latest = float("-inf")

    def add(self, begin: float, end: float) -> None:
        """Note a gap that is later than all before."""
        self._gaps.append((begin, end))
        self.latest = end

    def within(self, begin: float, end: float) -> list[Interval]:
        """Return what of the gaps lies between two moments, the earliest first."""
        if self.latest <= begin:
            return []  # nearly always
        return clipped(self._gaps, begin, end)


def clipped(intervals: Iterable[Interval], begin: float, end: float) -> list[Interval]:
    """Return what of some intervals lies between two moments."""
    within = ((max(first, begin), min(last, end)) for first, last in intervals)
    return [(first, last) for first, last in within if first < last]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the union of intervals, the earliest first: none of them touches the next."""
    union: list[Interval] = []
    for begin, end in sorted(intervals):
        if union and begin <= union[-1][1]:
            union[-1] = union[-1][0], max(union[-1][1], end)
        else:
            union.append((begin, end))
    return union


def measure(intervals: Iterable[Interval]) -> float:
    """Return how many seconds lie in at least one of these intervals."""
    return sum(end - begin for begin, end in merged(intervals))
