"""What a run of a bot added up to."""

import time
from collections import Counter
from dataclasses import dataclass, field

from shoal.client.bot import MatchEnd


@dataclass(slots=True)
class Tally:
    """Counts of one run; `run_bot` keeps them current, and returns them at the end.

    `refused` counts refused moves by reason. `late` counts choices that came when the server had
    stopped waiting for them. `faults` counts defaults played because `choose` failed.
    """

    bot_id: str = ""
    bot_name: str = ""
    connected: bool = False
    connections: int = 0
    live: int = 0
    matches: int = 0
    wins: int = 0
    unplayed: int = 0
    moves: int = 0
    faults: int = 0
    late: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    placements: Counter[int] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    @property
    def average_placement(self) -> float | None:
        """Mean placement of the matches that were played; None before the first."""
        played = self.placements.total()
        return sum(self.placements.elements()) / played if played else None

    def add_end(self, end: MatchEnd) -> None:
        """Count a match that is over."""
        self.matches += 1
        self.wins += end.won
        if end.placement is None:
            self.unplayed += 1
        else:
            self.placements[end.placement] += 1

    def as_dict(self) -> dict[str, object]:
        """Return the counts for JSON."""
        return {
            "bot_id": self.bot_id,
            "bot_name": self.bot_name,
            "seconds": round(self.seconds, 3),
            "matches": self.matches,
            "wins": self.wins,
            "unplayed": self.unplayed,
            "average_placement": self.average_placement,
            "moves": self.moves,
            "faults": self.faults,
            "late": self.late,
            "refused": dict(self.refused),
            "connections": self.connections,
            "open": self.live,
        }
