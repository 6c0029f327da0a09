"""How the bots of the kit play: every choice is a function of a seed and the decision."""

from dataclasses import dataclass
from typing import Final, final
from zlib import crc32

from shoal.client import pb

SHORTEST_THOUGHT: Final = 0.005
LONGEST_THOUGHT: Final = 0.05
"""Seconds."""

SELDOM: Final = 400
OFTEN: Final = 8
"""One of so many decisions is answered by leaving the match; often, once all shall come to an end."""


@final
@dataclass(slots=True)
class Policy:
    """How one bot plays; `leaves_one_of` says how seldom it resigns, `longest_thought` is in seconds."""

    seed: int
    longest_thought: float = LONGEST_THOUGHT
    leaves_one_of: int = SELDOM

    def choice(self, decision: pb.Decision) -> int:
        """Return the option that answers a decision: stop the round, else lay a duo, else whatever comes."""
        for kind in ("stop", "play_duo"):
            for option in decision.options:
                if option.WhichOneof("kind") == kind:
                    return option.option_id
        return decision.options[self._hash(decision) % len(decision.options)].option_id

    def thought(self, decision: pb.Decision) -> float:
        """Return how many seconds the bot thinks about a decision."""
        part = (self._hash(decision) >> 8) % 1000 / 1000
        return SHORTEST_THOUGHT + part * (self.longest_thought - SHORTEST_THOUGHT)

    def resigns(self, decision: pb.Decision) -> bool:
        """Tell whether the bot leaves the match instead of answering."""
        return (self._hash(decision) >> 16) % self.leaves_one_of == 0

    def _hash(self, decision: pb.Decision) -> int:
        return crc32(f"{self.seed}:{decision.decision_id}".encode())


def otherwise(option_id: int, decision: pb.Decision) -> int:
    """Return another option than this one, if there is another."""
    others = [each.option_id for each in decision.options if each.option_id != option_id]
    return others[0] if others else option_id
