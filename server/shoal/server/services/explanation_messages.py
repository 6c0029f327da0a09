"""From explanations to messages."""

from shoal.competition.explanation import Explanation
from shoal.v1 import tournament_pb2 as pb


def explanation_message(explanation: Explanation) -> pb.Explanation:
    """Return the message of an explanation."""
    return pb.Explanation(
        bot_ids=explanation.bots,
        sentences=explanation.sentences,
        numbers=explanation.numbers,
    )
