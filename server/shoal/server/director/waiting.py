"""Tells of those who wait on a ladder, so that a server can say why. Hints only: nothing depends on them."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from shoal.competition.guests import TICKS
from shoal.competition.pool import Candidate, Table
from shoal.server.director.rooms import Rooms
from shoal.server.store.keys import now_ms
from shoal.server.store.waits import KEPT_MS, Wait, Waits, WaitStore

_GRAIN_MS: Final = 100
"""How exact times are: what is said is to change only when something happens."""

_AGAIN: Final = KEPT_MS / 2000
"""Seconds after which what has not changed is said again."""


class Waiting:
    """Tells of the waits of ladders whenever they change, and now and then if they do not."""

    def __init__(self, waits: WaitStore) -> None:
        """Tell here."""
        self._waits = waits
        self._said: dict[str, tuple[Waits, float]] = {}

    def forget(self, ladder_id: str) -> None:
        """Keep no more of a ladder."""
        self._said.pop(ladder_id, None)

    async def tell(
        self, ladder_id: str, pool: Sequence[Candidate], tables: Sequence[Table], rooms: Rooms
    ) -> None:
        """Tell who of the pool of a ladder waits, after these tables have been made."""
        waits = _waits(pool, tables, rooms)
        said, at = self._said.get(ladder_id, (None, 0.0))
        now = time.monotonic()
        if waits != said or now - at >= _AGAIN:
            await self._waits.keep(ladder_id, waits)
            self._said[ladder_id] = (waits, now)


def _waits(pool: Sequence[Candidate], tables: Iterable[Table], rooms: Rooms) -> Waits:
    seated = Counter(bot for table in tables for bot in table.bots)
    now = now_ms()
    bots = {}
    for who in pool:
        room = who.room - seated[who.bot_id]
        kept = rooms.held(who.bot_id) if room <= 0 else None
        if room > 0 or kept is not None:
            bots[who.bot_id] = Wait(
                room=max(room, 0),
                since_ms=round((now - who.waited_ms) / _GRAIN_MS) * _GRAIN_MS,
                ticks=min(who.ticks, TICKS),
                match_ms=round(who.match_ms / _GRAIN_MS) * _GRAIN_MS,
                kept=kept,
            )
    return Waits(bots, rooms.left_alone)
