"""Publishes ratings: works the tables of competitions out anew every so often, of all that counts by then.

A table is a function of what is stored alone (T63): whoever directs next makes the same one, and so does
anybody with an export.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Final, NoReturn, TypeAlias, final

import structlog

from shoal.rating import Table
from shoal.server.director.basis import anchors_of, basis_of, is_by_adjusted
from shoal.server.director.fitter import Fitter
from shoal.server.director.helper import HelperGone
from shoal.server.director.played import Played
from shoal.server.guard import one_of_many
from shoal.server.store.competition_data import AT_ONCE, CompetitionData, Place
from shoal.server.store.competition_nouns import Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.keys import now_ms
from shoal.server.store.published import Published, PublishedStore
from shoal.server.store.releases import Releases, ReleaseStore

MOST_KEPT: Final = 1_000_000
"""How many results are kept at most, of all competitions together, between two looks: 500 MB of them."""

_log = structlog.get_logger(__name__)


_Counted: TypeAlias = tuple[int, int, int]


@final
class Publishing:
    """Publishes the tables of rated competitions while it holds the lease.

    Tables are made in a process of its own, which also keeps the results of those that are not over: of at
    most `MOST_KEPT` together, and of what was left out they are read again each time. What is over is looked
    at once, and again when other results count in it.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        releases: ReleaseStore,
        published: PublishedStore,
        direction: Direction,
        fitter: Fitter,
        *,
        every: float,
        most_kept: int = MOST_KEPT,
    ) -> None:
        """Read and write here, `every` so many seconds."""
        self._most_kept = most_kept
        self._competitions = competitions
        self._data = data
        self._releases = releases
        self._published = published
        self._direction = direction
        self._every = every
        self._fitter = fitter
        self._played: dict[str, Played] = {}
        self._settled: dict[str, _Counted] = {}

    async def run(self) -> NoReturn:
        """Look every so often, for ever; end the process that makes tables when this is cancelled."""
        try:
            while True:
                await self.look()
                await asyncio.sleep(self._every)
        finally:
            self._fitter.close()

    async def look(self) -> None:
        """Publish the tables of which something has changed, one after the other."""
        ids = [*await self._competitions.ids(ladders=True)]
        ids += await self._competitions.ids(ladders=False)
        for at in range(0, len(ids), AT_ONCE):
            for found in await self._competitions.some(ids[at : at + AT_ONCE]):
                with one_of_many("table_not_published", competition=found.competition_id):
                    counted = await self._counted(found)
                    if self._settled.get(found.competition_id) != counted:
                        await self._look(found, counted)

    async def _look(self, found: Competition, counted: _Counted) -> None:
        name = found.competition_id
        if found.specification.rated:
            await self._update(found)
        if found.state is State.FINISHED and not found.is_recounting:
            self._settled[name] = counted
            await self._forget(name)

    async def _update(self, found: Competition) -> None:
        """Publish the table of a competition unless it is that which is published."""
        name, begun = found.competition_id, time.monotonic()
        known = await self._releases.every(name)
        basis = basis_of(found, await self._data.end(name), known)
        if await self._published.basis(name) == basis:
            return
        try:
            made = await self._made(found, basis.place, known)
        except HelperGone:
            self._played.clear()  # what was handed over is gone
            raise
        await self._published.publish(self._direction, name, Published(made, basis, now_ms()))
        _log.info(
            "table_published",
            competition=name,
            bots=len(made.rows),
            blocks=made.blocks,
            seconds=round(time.monotonic() - begun, 3),
        )

    async def _made(self, found: Competition, end: Place, known: Mapping[str, Releases]) -> Table:
        """Return the table of all that was counted up to a place. Raises HelperGone and NotDone."""
        name = found.competition_id
        if await self._competitions.sizes([name]) == [0]:
            return Table()  # nothing to be handed over, so no process is needed
        new = Played(self._competitions, self._data, self._fitter, name)
        played = self._played.pop(name, new)
        self._played[name] = played  # the last one is the latest
        await played.read(end)
        anchors = anchors_of(found.specification)
        made = await self._fitter.table(
            name, found.rulings, known, anchors, by_adjusted=is_by_adjusted(found.specification)
        )
        while sum(each.size for each in self._played.values()) > self._most_kept:
            await self._forget(next(iter(self._played)))
        return made

    async def _counted(self, found: Competition) -> _Counted:
        """Return what changes when other results count in a competition that is over, or luck is noted."""
        end = await self._data.end(found.competition_id)
        return found.rulings.number, found.rated, end.count

    async def _forget(self, competition_id: str) -> None:
        if self._played.pop(competition_id, None) is not None:
            await self._fitter.forget(competition_id)
