"""Publishes ratings: works the tables of competitions out anew every so often, of all that counts by then.

A table is a function of what is stored alone (T63): whoever directs next makes the same one, and so does
anybody with an export.
"""

import asyncio
import time
from typing import NoReturn, final

import structlog

from shoal.server.director.basis import anchors_of, basis_of
from shoal.server.director.played import Played, table
from shoal.server.guard import one_of_many
from shoal.server.store.competition_data import AT_ONCE, CompetitionData
from shoal.server.store.competition_nouns import Competition, State
from shoal.server.store.competitions import CompetitionStore, now_ms
from shoal.server.store.direction import Direction
from shoal.server.store.published import Published, PublishedStore
from shoal.server.store.releases import ReleaseStore

_log = structlog.get_logger(__name__)


@final
class Publishing:
    """Publishes the tables of rated competitions while it holds the lease.

    Results are kept of those that are not over. What is over is looked at once, and again when other results
    count in it.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        releases: ReleaseStore,
        published: PublishedStore,
        direction: Direction,
        every: float,
    ) -> None:
        """Read and write here, `every` so many seconds."""
        self._competitions = competitions
        self._data = data
        self._releases = releases
        self._published = published
        self._direction = direction
        self._every = every
        self._played: dict[str, Played] = {}
        self._settled: dict[str, tuple[int, int]] = {}

    async def run(self) -> NoReturn:
        """Look every so often, for ever."""
        while True:
            await self.look()
            await asyncio.sleep(self._every)

    async def look(self) -> None:
        """Publish the tables of which something has changed, one after the other."""
        ids = [*await self._competitions.ids(ladders=True)]
        ids += await self._competitions.ids(ladders=False)
        for at in range(0, len(ids), AT_ONCE):
            for found in await self._competitions.some(ids[at : at + AT_ONCE]):
                if self._settled.get(found.competition_id) != _counted(found):
                    with one_of_many("table_not_published", competition=found.competition_id):
                        await self._look(found)

    async def _look(self, found: Competition) -> None:
        name = found.competition_id
        if found.specification.rated:
            await self._update(found)
        if found.state is State.FINISHED and not found.is_recounting:
            self._settled[name] = _counted(found)
            self._played.pop(name, None)

    async def _update(self, found: Competition) -> None:
        """Publish the table of a competition unless it is that which is published."""
        name, begun = found.competition_id, time.monotonic()
        known = await self._releases.every(name)
        anchors = anchors_of(found.specification)
        basis = basis_of(found, await self._data.end(name), known)
        if await self._published.basis(name) == basis:
            return
        played = self._played.setdefault(name, Played(self._competitions, self._data, name))
        await played.read(basis.place)
        results = played.results()
        made = await asyncio.to_thread(table, results, found.rulings, known, anchors)
        await self._published.publish(self._direction, name, Published(made, basis, now_ms()))
        _log.info(
            "table_published",
            competition=name,
            bots=len(made.rows),
            blocks=made.blocks,
            seconds=round(time.monotonic() - begun, 3),
        )


def _counted(found: Competition) -> tuple[int, int]:
    """Return what changes when other results count in a competition that is over."""
    return found.rulings.number, found.rated
