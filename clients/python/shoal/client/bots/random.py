"""A bot that takes any option: whatever else loses to it has a mistake in it."""

from random import Random

from shoal.client import pb
from shoal.client.bot import Bot
from shoal.client.bots.rulesets import ALL_RULESETS


class RandomBot(Bot):
    """Chooses evenly among the options. The same seed makes the same choices."""

    name = "random"
    version = "1"
    max_matches = 32
    rulesets = ALL_RULESETS

    def __init__(self, seed: int | str | None = None) -> None:
        """Prepare the dice; without a seed they are thrown differently each time."""
        self._random = Random(seed)

    def for_match(self, match: pb.Match) -> "RandomBot":  # noqa: ARG002
        """Return a player with dice of its own, so that matches do not disturb each other."""
        return RandomBot(self._random.getrandbits(64))

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:  # noqa: ARG002
        """Return any option."""
        return self._random.choice(decision.options)
