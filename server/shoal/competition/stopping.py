"""Whether a ladder is over by its stopping rule, and by which part of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from shoal.competition.specification import Stopping

_MINUTE_MS: Final = 60_000


@unique
class Stop(Enum):
    """What was reached."""

    BLOCKS = "every bot has played its blocks"
    INTERVAL = "every rating is as certain as asked for"
    TIME = "its time is over"


@final
@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one bot that has not left: its blocks, and its rating's ± in displayed points."""

    blocks: int
    interval: float


def stopped(stopping: Stopping, bots: Sequence[Known], run_ms: float) -> Stop | None:
    """Return the first part of the rule that is reached, None while the ladder goes on.

    `run_ms` is since its start. Without any bot only time can end it.
    """
    blocks, interval, minutes = stopping.blocks_per_bot, stopping.interval, stopping.minutes
    if minutes is not None and run_ms >= minutes * _MINUTE_MS:
        return Stop.TIME
    if bots and blocks is not None and all(bot.blocks >= blocks for bot in bots):
        return Stop.BLOCKS
    if bots and interval is not None and all(bot.interval <= interval for bot in bots):
        return Stop.INTERVAL
    return None
