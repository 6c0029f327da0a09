"""A bot that takes the most points now: no memory, no plan, and it stops as soon as it may."""

from random import Random

from shoal.client import pb
from shoal.client.bot import Bot
from shoal.client.bots.extras import extra_gain
from shoal.client.bots.rulesets import ALL_RULESETS
from shoal.client.cards import face_of
from shoal.client.holding import Holding, holding_of

DECK_HOPE = 0.5
"""Points that two cards to choose from are taken to bring."""


class GreedyBot(Bot):
    """Values each option by the points that it brings at once. The same seed breaks ties the same."""

    name = "greedy"
    version = "1"
    max_matches = 32
    rulesets = ALL_RULESETS

    def __init__(self, seed: int | str | None = None) -> None:
        """Prepare the dice that break ties."""
        self._random = Random(seed)

    def for_match(self, match: pb.Match) -> "GreedyBot":  # noqa: ARG002
        """Return a player with dice of its own, so that matches do not disturb each other."""
        return GreedyBot(self._random.getrandbits(64))

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Return the option that brings most, any of them where several do."""
        cards = holding_of(observation)

        def value(option: pb.Option) -> tuple[float, float]:
            return _gain(option, observation, cards), self._random.random()

        return max(decision.options, key=value)


def _gain(option: pb.Option, observation: pb.Observation, cards: Holding) -> float:
    """Return the points that an option brings at once."""
    match option.WhichOneof("kind"):
        case "take_deck":
            return DECK_HOPE
        case "take_pile":
            return cards.gain(face_of(observation.piles[option.take_pile.pile].top))
        case "keep":
            return cards.gain(face_of(option.keep.card))
        case "pick_card":
            return cards.gain(face_of(option.pick_card.card))
        case "play_duo" | "play_trio":
            return 1.0
        case "stop":
            return 2.0
        case _:
            return extra_gain(option, observation, cards)
