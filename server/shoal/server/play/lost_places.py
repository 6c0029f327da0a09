"""Live matches that the list of a bot lost, with the master of its partition: put back, with the time (T6).

Such a bot may never have heard of the match that waits for it. It is looked for when a deadline has come, and
before that wherever somebody else reads the match along: then nobody waits for the deadline.
"""

import asyncio
from collections.abc import Sequence
from typing import final

import structlog

from shoal.match import Match, Phase
from shoal.server.guard import one_of_many
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.credits import Credits, missing_bots
from shoal.server.store.bots import BotStore
from shoal.server.store.commits import Guard
from shoal.server.store.errors import StoreUnavailable
from shoal.server.together import for_each

LOOK_SECONDS = 4.0

OPEN_MS = 3_000
"""A match that has waited for less is not looked at: most answers come sooner."""

LOOKED_AT_ONCE = 100

log = structlog.get_logger()


@final
class LostPlaces:
    """Finds them, and makes good what they cost."""

    def __init__(self, hub: Hub, credit: Credits, bots: BotStore) -> None:
        """Look at the tables of `hub` that somebody reads along, and into the lists of `bots`."""
        self._hub = hub
        self._credits = credit
        self._bots = bots

    async def keep(self) -> None:
        """For ever: look every `LOOK_SECONDS`; a store that is away is waited for."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except StoreUnavailable:
                log.info("lost_places_not_looked_for")

    async def look(self) -> None:
        """Make good what the bots lost that matches have waited for, for a while. Raise StoreUnavailable."""
        tables = [
            table
            for table in self._hub.read_along()
            # While seats are still to come the list of one may be on its way, as the match was.
            if table.match.phase is Phase.LIVE and table.open_ms() >= OPEN_MS
        ]
        await for_each(tables, self._look_at, LOOKED_AT_ONCE)

    async def of(self, bot_ids: Sequence[str], match_id: str) -> list[str]:
        """Return those of these bots whose lists lack a match."""
        return await self._bots.without_match(bot_ids, match_id)

    async def make_good(
        self, table: Table, judged: Match, lost: list[str], guard: Guard, shortest_ms: int = 0
    ) -> None:
        """Give the match, as it was judged, all its time back, and put it into the lists of these bots.

        Only if it is open for `shortest_ms`: else it has been given its time meanwhile.
        """
        if await self._credits.give_all(table, judged, guard, shortest_ms) and not table.over:
            log.warning("live_match_was_lost", match=table.match.meta.match_id, bots=lost)
            await self._bots.restore_match(lost, table.match.meta.match_id)

    async def _look_at(self, table: Table) -> None:
        """Look at a match before its deadline."""
        match = table.match
        match_id = match.meta.match_id
        with one_of_many("lost_place_not_made_good", match=match_id):
            lost = await self.of(missing_bots(match), match_id)
            if lost and table.match is match:
                await self.make_good(table, match, lost, Guard.NONE, OPEN_MS)
