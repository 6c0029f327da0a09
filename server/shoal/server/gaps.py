"""Times, on the clock of this process, in which it missed something."""

from collections import deque
from typing import Final, final

GAPS_KEPT: Final = 64
"""How many of the latest are remembered: what was before them counts as if nothing had been missed."""


@final
class Gaps:
    """The latest gaps, which do not overlap, in local monotonic seconds."""

    __slots__ = ("_gaps",)

    def __init__(self) -> None:
        """Begin without any."""
        self._gaps: deque[tuple[float, float]] = deque(maxlen=GAPS_KEPT)

    def add(self, begin: float, end: float) -> None:
        """Note a gap that is later than all before."""
        self._gaps.append((begin, end))

    def between(self, begin: float, end: float) -> float:
        """Return how many of the seconds between two moments are gaps."""
        if not self._gaps or self._gaps[-1][1] <= begin:
            return 0.0  # nearly always
        seconds = 0.0
        for gap_begin, gap_end in reversed(self._gaps):
            if gap_end <= begin:
                break
            seconds += max(0.0, min(gap_end, end) - max(gap_begin, begin))
        return seconds
