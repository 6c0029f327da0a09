"""Looks through the lists of live matches: what is over, or was never made, takes no bot's room for ever.

A result that is counted takes its match from the lists of its bots. A failover of a bot's partition may
lose that, and then nothing brings it up again: so all lists are read, a page at a time.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Final, TypeAlias, final

import structlog

from shoal.match import Phase
from shoal.server.director.settings import Settings
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.keys import time_of
from shoal.server.store.matches import MatchStore

_BOTS: Final = 200
"""How many bots are looked at at a time."""

_UNMADE_MS: Final = 60_000
"""How old an id must be for its match to be taken for one that was never made, or is lost."""

_log = structlog.get_logger(__name__)

Place: TypeAlias = tuple[str, str]
"""A bot, and a match in its list."""


@final
class Tidying:
    """Takes from the lists what was over when it was looked at before, and is there all the same."""

    def __init__(
        self,
        bots: BotStore,
        matches: MatchStore,
        settings: Settings,
        counted_until: Callable[[], float],
    ) -> None:
        """Look at the lists of all bots there are.

        `counted_until` says up to when, by the monotonic clock, all results have been counted: what ended
        later may only be waiting for that.
        """
        self._counted_until = counted_until
        self._bots = bots
        self._matches = matches
        self._settings = settings
        self._next = ""
        self._since: dict[Place, float] = {}

    async def run(self) -> None:
        """Look at some bots every so often, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(self._settings.tidy)

    async def look(self) -> None:
        """Look at the next bots, and take from their lists what has been over for long enough."""
        page = await self._bots.list_bots(_BOTS, self._next)
        self._next = page.next_token
        now = time.monotonic()
        over = await self._over(page.ids)
        looked_at = set(page.ids)
        self._since = {
            place: since
            for place, since in self._since.items()
            if place[0] not in looked_at or place in over
        }
        for place in over:
            since = self._since.setdefault(place, now)
            if now - since >= self._settings.settled and self._counted_until() > since:
                bot_id, match_id = place
                _log.warning("live_match_was_over", match=match_id, bot=bot_id)
                await self._bots.end_match([bot_id], match_id)

    async def _over(self, bot_ids: Collection[str]) -> set[Place]:
        """Return what is in the lists of these bots although it is over, or not there."""
        lists = await self._bots.live_of(bot_ids)
        places = {(bot_id, id_) for bot_id, ids in lists.items() for id_ in ids}
        every = sorted({match_id for _, match_id in places})
        statuses = await self._matches.statuses(every)
        over = set()
        for bot_id, match_id in places:
            with one_of_many("live_match_unreadable", match=match_id, bot=bot_id):
                if _is_over(match_id, statuses.get(match_id)):
                    over.add((bot_id, match_id))
        return over


def _is_over(match_id: str, status: str | None) -> bool:
    """Tell whether a match is over; one that is not there, whether it is old enough not to come any more."""
    if status is None:
        return time.time_ns() // 1_000_000 - time_of(match_id) > _UNMADE_MS
    return status == Phase.FINISHED
