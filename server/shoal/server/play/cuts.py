"""What a process gives its bots when it hears of the store again after its link was cut (T6)."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, final

import structlog

from shoal.server.guard import one_of_many
from shoal.server.hub.age import Lost
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.credits import GIVEN_AT_ONCE, Credits, missing_bots
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import partition_of
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Dropped, Place, Polling, Streaming
from shoal.server.together import for_each

LEAST_MS = 200
"""The end of a cut is known by the next tick: what is asked before that is heard of at once all the same."""

UNSURE_ROUNDS = 10
"""How often it is waited for an answer of the store that is in time, and so says for sure what time it is."""

log = structlog.get_logger()


@final
class _Due(NamedTuple):
    """A cut that is to be made good: from when it was, in monotonic seconds, and how often that was tried."""

    began: float
    rounds: int = 0


@final
class Cuts:
    """Gives time for decisions of which this process could not tell its bots in time.

    A partition that was cut off stays to be made good until that is done, since not all of a store need come
    back at a time: that of a match may be there, and that of its bot not yet.
    """

    def __init__(self, process: str, hub: Hub, presences: PresenceStore, credit: Credits) -> None:
        """Look after the bots that `presences` has at this process, at the tables of `hub`."""
        self._process = process
        self._hub = hub
        self._presences = presences
        self._credits = credit
        self._due: dict[int, _Due] = {}
        self._waiting: frozenset[int] = frozenset()

    def note(self, ended: Mapping[int, float]) -> None:
        """Note cuts that have ended, by partition with the moments at which they began."""
        for partition, began in ended.items():
            before = self._due.get(partition)
            self._due[partition] = _Due(began if before is None else before.began)

    async def make_good(self) -> None:
        """Give what was lost by the cuts that were noted, and could not be made good yet.

        What a bot was told before is its own: it has thought since then, and its answer waits here without
        being charged. Not to be called while it runs.
        """
        if not self._due:
            return
        due, tables = dict(self._due), self._tables_of(self._due)
        undone = await self._caught_up(tables)
        there = [table for part, each in tables.items() if part not in undone for table in each]

        async def give(table: Table) -> None:
            partition = partition_of(table.match.meta.match_id)
            try:
                with one_of_many("cut_not_made_good", match=table.match.meta.match_id):
                    done = await self._give(table, due[partition].began)
                    if not done and due[partition].rounds < UNSURE_ROUNDS:
                        undone.add(partition)
            except StoreUnavailable:
                undone.add(partition)

        await for_each(there, give, GIVEN_AT_ONCE)
        for partition, each in due.items():
            if self._due[partition] is not each:
                continue  # there was another one meanwhile
            if partition in undone:
                self._due[partition] = _Due(each.began, each.rounds + 1)
            else:
                del self._due[partition]
        waiting = frozenset(undone)
        if waiting - self._waiting:
            log.info("cut_to_be_made_good", partitions=sorted(waiting))
        self._waiting = waiting

    async def make_good_for(self, bot_id: str, tables: Iterable[Table], since: float) -> None:
        """Give a bot that polls what it lost by cuts since a moment: a poll then ended by them.

        The tables of its matches have just been read, and what time it is for them. Raise StoreUnavailable.
        """
        (found,) = await self._presences.whereabouts([bot_id])
        if self._is_here(found.place) or found.place == Polling(None):
            for table in tables:
                if bot_id in missing_bots(table.match):
                    await self._give_since(table, since, since)

    def _tables_of(self, partitions: Collection[int]) -> dict[int, list[Table]]:
        """Return the tables of partitions that somebody reads along."""
        tables: dict[int, list[Table]] = {}
        for table in self._hub.read_along():
            partition = partition_of(table.match.meta.match_id)
            if partition in partitions:
                tables.setdefault(partition, []).append(table)
        return tables

    async def _caught_up(self, tables: Mapping[int, list[Table]]) -> set[int]:
        """Bring tables up to date, and return the partitions that are away again."""
        done = await asyncio.gather(
            *(self._hub.catch_up(each) for each in tables.values()), return_exceptions=True
        )
        undone = set()
        for partition, outcome in zip(tables, done, strict=True):
            if isinstance(outcome, StoreUnavailable):
                undone.add(partition)
            elif isinstance(outcome, BaseException):
                raise outcome
        return undone

    async def _give(self, table: Table, began: float) -> bool:
        """Give the bots of a match that are here what they lost; False when there may be more to give.

        Raise StoreUnavailable.
        """
        bots = [(bot_id, table.here_since(bot_id)) for bot_id in missing_bots(table.match)]
        here = {bot_id: since for bot_id, since in bots if since is not None}
        losing = [bot_id for bot_id, since in here.items() if _lost(table, since, began)]
        if not losing:
            return True
        places = await self._presences.whereabouts(losing)
        done = True
        for bot_id, found in zip(losing, places, strict=True):
            if bot_id in missing_bots(table.match) and self._is_here(found.place):
                done &= await self._give_since(table, here[bot_id], began)
        return done

    async def _give_since(self, table: Table, since: float, began: float) -> bool:
        """Give what was lost by who is here since a moment; False when there may be more to give."""
        lost = _lost(table, since, began)
        if lost is None:
            return True
        if lost.counted_ms >= LEAST_MS:
            since_ms = table.partition.ms(lost.since)
            await self._credits.make_good_cut(table, lost.counted_ms, since_ms)
        return lost.ms - lost.counted_ms < LEAST_MS

    def _is_here(self, place: Place) -> bool:
        match place:
            case Streaming(process) | Polling(str(process)) | Dropped(process):
                # Dropped: it reads along here all the same; the cut has outlasted the claim to it.
                return process == self._process
            case _:
                return False


def _lost(table: Table, since: float, began: float) -> Lost | None:
    """Return what a bot lost; None when it is too little, or the match is over."""
    lost = None if table.over else table.age.lost(since, began)
    return None if lost is None or lost.ms < LEAST_MS else lost
