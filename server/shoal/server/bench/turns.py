"""What was measured in turns: slices of a load, each beside one of the echo, and what they say together."""

import statistics
from dataclasses import dataclass, field
from typing import final

from shoal.server.bench.driver import Counts
from shoal.server.bench.echo import EchoCost

_MS = 1e3
_US = 1e6


@final
@dataclass(slots=True)
class Slice:
    """What happened in some seconds of play; CPU and duration are in seconds."""

    counts: Counts = field(default_factory=Counts)
    server_cpu: float = 0.0
    redis_cpu: float = 0.0
    took: float = 0.0

    def add(self, other: "Slice") -> None:
        """Add what happened at another time."""
        self.counts.add(other.counts)
        self.server_cpu += other.server_cpu
        self.redis_cpu += other.redis_cpu
        self.took += other.took

    @property
    def moves_per_s(self) -> float:
        """Committed moves in a second."""
        return self.counts.moves / self.took

    @property
    def us_per_move(self) -> float:
        """Microseconds of the server's CPU for each move."""
        return self.server_cpu / self.counts.moves * _US

    def figures(self) -> dict[str, float]:
        """Return the figures that are shown."""
        counts = self.counts
        percentiles = statistics.quantiles(counts.latencies, n=100)
        overheads = statistics.quantiles(counts.overheads, n=100)
        return {
            "moves_per_s": round(self.moves_per_s),
            "p50_ms": round(percentiles[49] * _MS, 2),
            "p99_ms": round(percentiles[98] * _MS, 2),
            "overhead_p50_ms": round(overheads[49] * _MS, 2),
            "overhead_p99_ms": round(overheads[98] * _MS, 2),
            "server_us_per_move": round(self.us_per_move, 1),
            "redis_us_per_move": round(self.redis_cpu / counts.moves * _US, 1),
            "moves_per_message": round(counts.moves / counts.messages, 2),
            "finished": counts.finished,
        }


@final
class Turns:
    """Slices of one load in `played`, all together, and those of the echo beside them."""

    def __init__(self) -> None:
        """Start with none."""
        self.played = Slice()
        self.echoes: list[EchoCost] = []
        self._ratios: list[float] = []

    def add(self, played: Slice, echo: EchoCost) -> None:
        """Add a slice of the load, and the one of the echo that followed."""
        self.played.add(played)
        self.echoes.append(echo)
        self._ratios.append(played.us_per_move / echo.us_per_pair)

    @property
    def ratio(self) -> float:
        """The median of what each pair of slices says: one that was disturbed moves it little."""
        return statistics.median(self._ratios)

    def ratios(self) -> dict[str, object]:
        """Return the ratio, and between which values the middle half of the pairs lies."""
        low, _, high = statistics.quantiles(self._ratios, n=4)
        return {"ratio": round(self.ratio, 2), "ratio_spread": [round(low, 2), round(high, 2)]}
