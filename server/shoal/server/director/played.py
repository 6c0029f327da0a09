"""The rated results of a competition, kept up to date: read once, and then only what is new."""

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import final

from shoal.competition.rulings import Rulings, counts
from shoal.rating import Match, Table, gathered
from shoal.server.director.releases import score_names
from shoal.server.director.result import finished, is_annulled, is_rated
from shoal.server.store.competition_data import CompetitionData, Place, Result
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.releases import Releases


@final
class Played:
    """All results of one competition up to a place in the order; of those that are rated what a table needs.

    A result takes about 400 bytes.
    """

    def __init__(
        self, competitions: CompetitionStore, data: CompetitionData, competition_id: str
    ) -> None:
        """Read from these; nothing has been read yet."""
        self._competitions = competitions
        self._data = data
        self._name = competition_id
        self._place = Place()
        self._known: dict[str, tuple[str, Match] | None] = {}

    async def read(self, end: Place) -> None:
        """Read what was counted up to a place in the order, and before there was one."""
        if not await self._data.is_there(self._name, self._place):
            self._place, self._known = Place(), {}  # a failover has lost the end of it
        counted = await self._data.between(self._name, self._place, end)
        await self._add(counted.match_ids)
        self._place = end
        (size,) = await self._competitions.sizes([self._name])
        if len(self._known) < size:
            every = await self._data.all(self._name)
            known = self._known.keys()
            early = [id_ for id_ in every.match_ids if id_ not in known | every.numbers.keys()]
            await self._add(early)

    def results(self) -> list[tuple[str, Match]]:
        """Return the rated ones with the keys of their blocks; it does not change afterwards."""
        return [each for each in self._known.values() if each is not None]

    async def _add(self, match_ids: Sequence[str]) -> None:
        async for some in self._data.results(self._name, match_ids):
            # Each takes 20 us to read, in which the results of others must not wait.
            self._known.update(await asyncio.to_thread(_read, some))


def table(
    results: Iterable[tuple[str, Match]],
    rulings: Rulings,
    known: Mapping[str, Releases],
    anchors: Mapping[str, float],
) -> Table:
    """Return the table of results with the keys of their blocks, by the rulings of their competition.

    `known` are the releases of bots: each is rated by itself. `anchors` are ratings that are given, by bot.
    A match that does not count is as if it had never been: one that was played in its place while the block
    went on is that of the block. Raises BadBlock if a result is there twice.
    """
    # Every server imports this module, and only who publishes needs arrays.
    from shoal.rating.table import rate  # noqa: PLC0415

    return rate(
        gathered(
            (key, replace(match, bots=score_names(match.match_id, match.bots, known)))
            for key, match in results
            if counts(rulings, match.match_id, match.bots, match.ended_ms)
        ),
        anchors,
    )


def _read(some: Iterable[Result]) -> dict[str, tuple[str, Match] | None]:
    return {each.match_id: _rated(each) for each in some}


def _rated(result: Result) -> tuple[str, Match] | None:
    """Return what a table needs of a result, None of one that is not rated or of no block."""
    match = finished(result.payload)
    if not is_rated(match) or is_annulled(match) or not result.block_key:
        return None
    # The same few names come again and again.
    bots = tuple(map(sys.intern, match.bots))
    key = sys.intern(result.block_key)
    return key, Match(result.match_id, bots, match.placements, match.ended_ms)
