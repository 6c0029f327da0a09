"""What the director has last seen of a ladder's bots that wait: hints, for those who ask why."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from shoal.server.store import keys
from shoal.server.store.pipe import Pipe

KEPT_MS: Final = 5000
"""How long they are kept: whoever finds none knows that no director looks at the ladder."""


@unique
class Kept(Enum):
    """What a place of a bot is kept for, until the others of a table are free too."""

    TOURNAMENT = "tournament"
    FORCED = "forced"
    """A table that an organizer has asked for."""


_KEPT: Final = {each.value: each for each in Kept}


@dataclass(frozen=True, slots=True)
class Wait:
    """A bot that has room: since when (wall time in ms), in how many ticks, and how long its matches take.

    `room` is for how many tables. `kept` says what its last place is kept for, if it is.
    """

    room: int
    since_ms: int
    ticks: int
    match_ms: int
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Waits:
    """Those who wait, by bot, and those who did not answer and are left alone for a while."""

    bots: Mapping[str, Wait]
    left_alone: Collection[str] = ()


@final
class WaitStore:
    """The waits of ladders in Redis, each ladder's in its partition."""

    def __init__(self, pipe: Pipe) -> None:
        """Work through this pipe."""
        self._pipe = pipe

    async def keep(self, ladder_id: str, waits: Waits) -> None:
        """Keep what was seen, for a while."""
        bots = {
            bot: [
                *(wait.room, wait.since_ms, wait.ticks, wait.match_ms),
                wait.kept.value if wait.kept is not None else "",
            ]
            for bot, wait in waits.bots.items()
        }
        text = json.dumps([bots, sorted(waits.left_alone)], separators=(",", ":"))
        await self._pipe.command("SET", keys.competition(ladder_id, "waits"), text, "PX", KEPT_MS)

    async def get(self, ladder_id: str) -> Waits | None:
        """Return what was last seen; None if no director has looked lately."""
        text = await self._pipe.command("GET", keys.competition(ladder_id, "waits"))
        if text is None:
            return None
        bots, left_alone = json.loads(text)
        return Waits(
            {
                bot: Wait(room, since, ticks, match_ms, _KEPT.get(kept))
                for bot, (room, since, ticks, match_ms, kept) in bots.items()
            },
            frozenset(left_alone),
        )
