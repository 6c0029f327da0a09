"""Notes of every rated result what of it was no luck, some time after it was counted (docs/luck.md).

What is there is a function of the matches alone, whoever notes it. Results wait for nothing: a table is made
with what is noted by then, and anew when there is more.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, NoReturn, final

import structlog

from shoal.server.director.helper import Helper, HelperGone
from shoal.server.director.result import finished, is_annulled, is_rated
from shoal.server.guard import one_of_many
from shoal.server.store.competition_data import AT_ONCE, CompetitionData, Counted, Place, Result
from shoal.server.store.competition_nouns import Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.errors import MatchArchived
from shoal.server.store.luck import WithoutLuck
from shoal.server.store.matches import MatchStore

MATCHES: Final = 10
"""How many matches are read and adjusted at a time: a tenth of a second's work."""

ALL_SECONDS: Final = 180.0
"""How often what is over is looked at too: after a failover some results are counted late."""

_log = structlog.get_logger(__name__)


@final
class Adjusting:
    """Goes through the results of rated competitions in the order in which they were counted.

    It is done in a process of its own, which others go before. A match of which nobody has the record any
    more is passed over, and so is one that cannot be replayed; its plain result stays in all tables.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        matches: MatchStore,
        direction: Direction,
        *,
        every: float,
    ) -> None:
        """Read and write here, `every` so many seconds."""
        self._competitions = competitions
        self._data = data
        self._matches = matches
        self._direction = direction
        self._every = every
        self._helper = Helper("shoal.server.director.without_luck")
        self._places: dict[str, tuple[Place, Place]] = {}
        self._settled: dict[str, int] = {}
        self._active: frozenset[str] = frozenset()
        self._all_due = float("-inf")

    async def run(self) -> NoReturn:
        """Look every so often, for ever; end the process that works when this is cancelled."""
        try:
            while True:
                await self.look()
                await asyncio.sleep(self._every)
        finally:
            self.close()

    def close(self) -> None:
        """End the process that works."""
        self._helper.close()

    async def look(self) -> None:
        """Note all that was counted by now, in what goes on or has just ended, and now and then in all."""
        for found in await self._competitions_due():
            if self._settled.get(found.competition_id) != found.rated:
                with one_of_many("luck_not_noted", competition=found.competition_id):
                    await self._look(found)

    async def _competitions_due(self) -> list[Competition]:
        """Return the competitions to be looked at: there may be thousands that were over long ago."""
        active = await self._competitions.active()
        names = frozenset(each.competition_id for each in active)
        ended, self._active = self._active - names, names
        due = active + await self._competitions.some(sorted(ended))
        if time.monotonic() < self._all_due:
            return due
        self._all_due = time.monotonic() + ALL_SECONDS
        ids = [*await self._competitions.ids(ladders=True)]
        ids += await self._competitions.ids(ladders=False)
        others = [each for each in ids if each not in names | ended]
        for at in range(0, len(others), AT_ONCE):
            due += await self._competitions.some(others[at : at + AT_ONCE])
        return due

    async def _look(self, found: Competition) -> None:
        name = found.competition_id
        if found.specification.rated:
            end = await self._data.end(name)
            counted = await self._since(name, end)
            for at in range(0, len(counted.match_ids), AT_ONCE):
                await self._note(name, counted, counted.match_ids[at : at + AT_ONCE])
            # What was noted is behind that: if a failover loses it, it must be found out too.
            self._places[name] = end, await self._data.end(name)
        if found.state is State.FINISHED:
            self._settled[name] = found.rated

    async def _since(self, name: str, end: Place) -> Counted:
        """Return what was counted since the last look; all at the first, and if a failover has lost any."""
        place, noted = self._places.get(name, (Place(), Place()))
        if place == Place() or not await self._data.is_there(name, noted):
            return await self._data.all(name)
        return await self._data.between(name, place, end)

    async def _note(self, name: str, counted: Counted, match_ids: Sequence[str]) -> None:
        async for some in self._data.results(name, match_ids):
            due = [each for each in some if not each.luck and _is_due(each)]
            for at in range(0, len(due), MATCHES):
                lines = await self._lines(counted, due[at : at + MATCHES])
                if lines:
                    await self._direction.note_luck(name, lines)

    async def _lines(self, counted: Counted, due: Sequence[Result]) -> dict[str, WithoutLuck]:
        """Return what is to be noted of those of these matches whose record is there."""
        read = await asyncio.gather(*(self._read(each.match_id) for each in due))
        there = {each.match_id: one for each, one in zip(due, read, strict=True) if one is not None}
        if not there:
            return {}
        try:
            said = await self._helper.ask("adjust", [*there.values()])
        except HelperGone:
            _log.warning("luck_interrupted")
            raise
        assert isinstance(said, list)
        model, parts = said
        return {
            match_id: WithoutLuck(model, tuple(each), counted.numbers.get(match_id, 0))
            for match_id, each in zip(there, parts, strict=True)
            if each is not None
        }

    async def _read(self, match_id: str) -> tuple[str, str, list[str]] | None:
        """Return a match as the helper takes it, None of one whose record is gone."""
        try:
            stored = await self._matches.load(match_id)
            if stored is None:
                return None
            entries = await self._matches.entries(match_id, 0, stored.version)
        except MatchArchived:
            return None
        return (
            stored.meta.decode(errors="replace"),
            stored.secret.hex(),
            [entry.decode(errors="replace") for entry in entries],
        )


def _is_due(result: Result) -> bool:
    """Tell whether a result counts for ratings, so that luck is to be taken out of it."""
    match = finished(result.payload)
    return is_rated(match) and not is_annulled(match)
