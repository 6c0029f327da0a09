"""What is to be played: the two bots, the field, the table, and what all chance follows from."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final

from shoal.sequential import Scale


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """The blocks of a test; equal plans give equal blocks, if the bots are such.

    `a`, `b` and those of the `field` are SPECs. Without a field A and B meet directly, in two seats.
    """

    a: str
    b: str
    field: tuple[str, ...]
    ruleset: str
    seats: int
    seed: int

    @property
    def scale(self) -> Scale:
        """What an Elo difference makes of these blocks."""
        return Scale(self.seats, bool(self.field))

    def opponents(self, block: int) -> tuple[int, ...]:
        """Return who of the field sits at the table of a block, by place in it: all take turns.

        A field that is too small for the table has some of its bots at two seats.
        """
        return tuple((block + place) % len(self.field) for place in range(self.seats - 1))

    def deal(self, block: int) -> bytes:
        """Return the seed of the deals of a block."""
        return hashlib.sha256(f"shoal test {self.seed} {block}".encode()).digest()

    def as_json(self) -> dict[str, object]:
        """Return the plan as fields of JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "against": list(self.field),
            "ruleset": self.ruleset,
            "seats": self.seats,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Return the plan that `as_json` wrote; raise KeyError, TypeError or ValueError for anything else."""
        return cls(
            a=str(row["a"]),
            b=str(row["b"]),
            field=tuple(map(str, row["against"])),
            ruleset=str(row["ruleset"]),
            seats=int(row["seats"]),
            seed=int(row["seed"]),
        )
