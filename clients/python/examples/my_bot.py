"""A first bot: takes what scores, lays down its duos, and stops at ten points.

Run it: shoal bot register my-bot && shoal bot run clients/python/examples/my_bot.py:MyBot --ladder main
"""

from shoal.client import Bot, pb
from shoal.client.cards import face_of
from shoal.client.holding import holding_of

ENOUGH = 10


class MyBot(Bot):
    """Write `choose`; the kit does the rest."""

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Return the option that looks best."""
        cards = holding_of(observation)

        def value(option: pb.Option) -> float:
            match option.WhichOneof("kind"):
                case "take_deck":
                    return 0.5  # who knows what comes
                case "take_pile":
                    return cards.gain(face_of(observation.piles[option.take_pile.pile].top))
                case "keep":
                    return cards.gain(face_of(option.keep.card))
                case "pick_card":
                    return cards.gain(face_of(option.pick_card.card))
                case "play_duo":
                    return 1
                case "stop":
                    return 2 if observation.points >= ENOUGH else -1
                case _:
                    return 0  # end the turn; never call the last chance before a stop

        return max(decision.options, key=value)
