"""How the bots of the kit play: every choice is a function of a seed and the decision."""

from zlib import crc32

from shoal.client import pb

SHORTEST_THOUGHT = 0.005
LONGEST_THOUGHT = 0.05
"""Seconds."""

SELDOM = 400
OFTEN = 8
"""One of so many decisions is answered by leaving the match; often, once all shall come to an end."""


def choice(seed: int, decision: pb.Decision) -> int:
    """Return the option that answers a decision: stop the round, else lay a duo, else whatever comes."""
    for kind in ("stop", "play_duo"):
        for option in decision.options:
            if option.WhichOneof("kind") == kind:
                return option.option_id
    return decision.options[_hash(seed, decision) % len(decision.options)].option_id


def otherwise(option_id: int, decision: pb.Decision) -> int:
    """Return another option than this one, if there is another."""
    others = [each.option_id for each in decision.options if each.option_id != option_id]
    return others[0] if others else option_id


def thought(seed: int, decision: pb.Decision) -> float:
    """Return how many seconds a bot thinks about a decision."""
    part = (_hash(seed, decision) >> 8) % 1000 / 1000
    return SHORTEST_THOUGHT + part * (LONGEST_THOUGHT - SHORTEST_THOUGHT)


def resigns(seed: int, decision: pb.Decision, one_of: int) -> bool:
    """Tell whether a bot leaves the match instead of answering."""
    return (_hash(seed, decision) >> 16) % one_of == 0


def _hash(seed: int, decision: pb.Decision) -> int:
    return crc32(f"{seed}:{decision.decision_id}".encode())
