"""One real match: the engine deals, and baselines of the kit answer what a server would ask them."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, final

from shoal.client import Bot, pb
from shoal.client.bots import GreedyBot, RandomBot
from shoal.engine import (
    apply,
    decision,
    move_from_code,
    new_match,
    observe,
    opening_events,
    result,
    ruleset,
)
from shoal.luck import adjusted
from shoal.rating.luck import in_parts
from shoal.wire.observation import decision_bytes, observation_bytes

LIMIT_MS = 10_000
"""What a bot is told of its time; nobody here looks at the clock."""


@final
class MixedBot(Bot):
    """The greedy baseline, but for a share of its decisions, which the random one takes."""

    def __init__(self, greedy: float, seed: str) -> None:
        """Prepare both; `greedy` is the share of decisions of the greedy one."""
        self._share = greedy
        self._dice = Random(seed)
        self._greedy = GreedyBot(f"{seed} greedy")
        self._random = RandomBot(f"{seed} random")

    def choose(self, observation: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Let one of the two choose."""
        chosen = self._greedy if self._dice.random() < self._share else self._random
        return chosen.choose(observation, decision)


@final
class RealMatch(NamedTuple):
    """How a match ended, by seat: the placements and, at a table of two, the parts of the win without luck.

    The parts are those of `shoal.rating.Match`.
    """

    placements: tuple[int, ...]
    adjusted: tuple[int, ...]


def play_real_match(shares: Sequence[float], seed: str, rules: str = "base") -> RealMatch:
    """Play a match of mixed bots with these shares of greedy decisions."""
    players = [MixedBot(share, f"{seed} {seat}") for seat, share in enumerate(shares)]
    state = new_match(ruleset(rules), len(players), seed.encode())
    events = opening_events(state)
    while (asked := decision(state)) is not None:
        view = observation_bytes(observe(state, asked.seat))
        message = pb.Decision.FromString(decision_bytes(asked, "simulated", LIMIT_MS, LIMIT_MS))
        option = players[asked.seat].choose(pb.Observation.FromString(view), message)
        events += apply(state, move_from_code(option.option_id))
    end = result(state)
    assert end is not None
    if len(players) > 2:
        return RealMatch(tuple(end.ranks), ())
    return RealMatch(
        tuple(end.ranks), in_parts(adjusted(ruleset(rules), end.ranks, events).adjusted)
    )
