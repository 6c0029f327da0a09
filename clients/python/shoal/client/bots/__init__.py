"""Bots that come with the kit, from the weakest to the strongest: opponents and examples."""

from shoal.client.bot import Bot
from shoal.client.bots.greedy import GreedyBot
from shoal.client.bots.planner import PlannerBot
from shoal.client.bots.random import RandomBot

BASELINES: dict[str, type[Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "planner": PlannerBot,
}

__all__ = ["BASELINES", "GreedyBot", "PlannerBot", "RandomBot"]
