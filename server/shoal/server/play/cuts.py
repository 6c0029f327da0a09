"""What a process gives its bots when it hears of the store again after its link was cut (T6)."""

from collections.abc import Collection
from typing import final

from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.credits import Credits, missing_bots
from shoal.server.store.keys import partition_of
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Place, Polling, Streaming
from shoal.server.together import for_each

LEAST_MS = 200
"""The end of a cut is known by the next tick: what is asked before that is heard of at once all the same."""

GIVEN_AT_ONCE = 32
"""For how many matches that is done at a time."""


@final
class Cuts:
    """Gives time for decisions of which this process could not tell its bots in time."""

    def __init__(self, process: str, hub: Hub, presences: PresenceStore, credit: Credits) -> None:
        """Look after the bots that `presences` has at this process, at the tables of `hub`."""
        self._process = process
        self._hub = hub
        self._presences = presences
        self._credits = credit

    async def make_good(self, partitions: Collection[int]) -> None:
        """Give what was lost in partitions of which nothing had been heard for some time until just now.

        What a bot was told before is its own: it has thought since then, and its answer waits here without
        being charged. Raise StoreUnavailable.
        """
        tables = [
            table
            for table in self._hub.read_along()
            if partition_of(table.match.meta.match_id) in partitions
        ]
        await self._hub.catch_up(tables)

        async def give(table: Table) -> None:
            lost_ms = table.unheard_ms()
            if table.over or lost_ms < LEAST_MS:
                return
            silent = missing_bots(table.match)
            places = await self._presences.whereabouts(silent)
            for bot_id, found in zip(silent, places, strict=True):
                if self._is_here(found.place):
                    await self._credits.make_good([table], bot_id, lost_ms)

        await for_each(tables, give, GIVEN_AT_ONCE)

    def _is_here(self, place: Place) -> bool:
        match place:
            case Streaming(process) | Polling(str(process)):
                return process == self._process
            case _:
                return False
