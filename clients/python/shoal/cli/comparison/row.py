"""A block that was played, as a process tells it and as the file of a test keeps it: a line of JSON."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, final

from shoal.sequential import BlockScore


@final
@dataclass(frozen=True, slots=True)
class Row:
    """What a block came to.

    `score` is what A and B won; `luck` is how much of it the cards brought, None where that is not known.
    `faults` is how often each side's bots failed.
    """

    block: int
    score: BlockScore
    luck: BlockScore | None = None
    faults: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Return the row as fields of JSON."""
        return {
            "block": self.block,
            "a": self.score.a,
            "b": self.score.b,
            "luck": self.luck and list(self.luck),
            "faults": dict(self.faults),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote; raise KeyError, TypeError or ValueError for anything else."""
        luck = row.get("luck")
        faults = {str(side): int(count) for side, count in row["faults"].items()}
        return cls(
            int(row["block"]),
            BlockScore(float(row["a"]), float(row["b"])),
            None if luck is None else BlockScore(*map(float, luck)),
            Counter(faults),
        )
