"""The results of a competition, handed to whoever makes its table: all once, and then only what is new."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import final

from shoal.server.director.fitter import Fitter
from shoal.server.store.competition_data import CompetitionData, Counted, Place
from shoal.server.store.competitions import CompetitionStore


@final
class Played:
    """All results of one competition up to a place in the order, handed over to a fitter."""

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        fitter: Fitter,
        competition_id: str,
    ) -> None:
        """Read from these; nothing has been read yet."""
        self._competitions = competitions
        self._data = data
        self._fitter = fitter
        self._name = competition_id
        self._place = Place()
        self.size = 0
        """How many results there are."""

    async def read(self, end: Place) -> None:
        """Read what was counted up to a place in the order, and before there was one.

        What is counted meanwhile is none of it: a table says of which place it is (T63).
        """
        if not await self._data.is_there(self._name, self._place):
            await self._fitter.forget(self._name)  # a failover has lost the end of it
            self._place, self.size = Place(), 0
        counted = await self._data.between(self._name, self._place, end)
        await self._add(counted.changed, counted.noted)
        if self._place == Place():
            await self._add(await self._early(counted, end), counted.noted)
        self._place = end

    async def _early(self, counted: Counted, end: Place) -> list[str]:
        """Return what is in no order, where all of the order up to a place is known."""
        (size,) = await self._competitions.sizes([self._name])
        if size <= len(counted.match_ids):
            return []
        every = await self._data.all(self._name)
        since = await self._data.between(self._name, end, await self._data.end(self._name))
        known = counted.numbers.keys() | since.numbers.keys()
        return [match_id for match_id in every.match_ids if match_id not in known]

    async def _add(self, match_ids: Sequence[str], noted: Collection[str]) -> None:
        """Hand results over: those of which luck was `noted` by the end without it, others as they are."""
        async for some in self._data.results(self._name, match_ids):
            # What was noted since is not part of a table up to here.
            lines = [each if each.match_id in noted else replace(each, luck=b"") for each in some]
            self.size = await self._fitter.add(self._name, lines)
