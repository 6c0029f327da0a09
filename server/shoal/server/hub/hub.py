"""The tables of this process: found, read from the store, brought up to date, let go.

A table that somebody reads along is kept fresh: bells tell of changes that other processes made, and
every `RECONCILE_SECONDS` the revs of all of them are compared with the store, so that a lost bell costs
no more than that.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterable
from functools import partial
from typing import final

import structlog

from shoal.engine import Event
from shoal.match import Match, parse_entry, replay
from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.reading import Reading
from shoal.server.hub.table import Reader, Table
from shoal.server.hub.timeline import Timeline
from shoal.server.parts import Outages, Parts
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import partition_of
from shoal.server.store.matches import MatchStore

RECONCILE_SECONDS = 2.0
LATELY_SECONDS = 10.0
"""For how long a match that nobody reads along, or that is over, is compared with the store after it changed.

It may be this process alone that knows what a failover has lost, of matches whose bots have gone on to
another one. The time for which the store is away does not count: a failover takes as long as it takes to
find the master dead, which is not to be known here, and what it lost shows when there is a master again.
"""

SOON_SECONDS = 0.2
"""How long a part of the store that answers waits for one that does not."""

IDLE_TABLES = 2_000
"""How many tables without readers are kept, so that unary players find theirs at hand."""

log = structlog.get_logger()


@final
class Hub:
    """All tables of this process."""

    def __init__(self, matches: MatchStore, clock: Attention, condemned: Condemned) -> None:
        """Start with no tables; `clock` is theirs, and `condemned` is told which lost moves."""
        self._clock = clock
        self._store = matches
        self._reading = Reading(matches)
        self._timeline = Timeline(matches, self._reading, condemned)
        self._tables: dict[str, Table] = {}
        self._idle: OrderedDict[str, Table] = OrderedDict()
        self._replaying = asyncio.Lock()
        self._outages = Outages()

    def at_hand(self, match_id: str) -> Table | None:
        """Return the table if it is at hand, fresh or not."""
        return self._tables.get(match_id)

    async def table(self, match_id: str) -> Table | None:
        """Return the table, reading it from the store when it is not at hand; None: no such match."""
        table = self._tables.get(match_id)
        if table is not None:
            if match_id in self._idle:
                self._idle.move_to_end(match_id)
            return table
        found = await self._reading.load(match_id)
        if found is None:
            return None
        table = self._tables.setdefault(match_id, Table(*found, self._clock))
        if not table.readers:
            self._rest(table)
        return table

    async def archived(self, match_ids: Collection[str]) -> set[str]:
        """Return those of these matches that were taken out of the store, and can be read all the same."""
        return await self._store.archived(match_ids)

    async def refresh(self, table: Table) -> None:
        """Bring a table up to date with the store; let go of it when its match is not there any more."""
        if not await self._timeline.follow(table):
            match_id = table.match.meta.match_id
            self._tables.pop(match_id, None)
            self._idle.pop(match_id, None)

    async def history(self, table: Table, version: int) -> list[tuple[int, list[Event]]]:
        """Return all events after `version`, replaying the log when they are not at hand.

        Where it cannot be replayed, those that are at hand: what happened comes beside where the match
        stands, and is no reason to keep that from anybody. Raise StoreUnavailable.
        """
        if version < table.known_from:
            past = await self._replayed(table.match)
            if past is not None:
                return [item for item in past if item[0] > version]
        return table.since(max(version, table.known_from))

    async def _replayed(self, match: Match) -> list[tuple[int, list[Event]]] | None:
        """Return all events of a match; None, and a line in the log, when its log cannot be replayed."""
        match_id = match.meta.match_id
        texts = await self._store.entries(match_id, 0, match.version)
        # One at a time, with a pause after each: a whole match takes tens of milliseconds.
        async with self._replaying:
            try:
                return replay(Match(match.meta, match.secret), map(parse_entry, texts))
            except Exception as error:  # noqa: BLE001 - whatever a step raises, others may be able to make it
                log.warning("log_not_replayed", match=match_id, reason=repr(error))
                return None
            finally:
                await asyncio.sleep(0)

    def attach(self, table: Table, reader: Reader) -> Table:
        """Let somebody read along, and return the table to read: there is one for each match.

        A table that was let go meanwhile is at hand again, unless another has taken its place.
        """
        match_id = table.match.meta.match_id
        current = self._tables.setdefault(match_id, table)
        self._idle.pop(match_id, None)
        current.readers.add(reader)
        return current

    def detach(self, table: Table, reader: Reader) -> None:
        """Let somebody no longer read along."""
        table.readers.discard(reader)
        if not table.readers:
            self._rest(table)

    def read_along(self) -> list[Table]:
        """Return the tables of matches that go on and that somebody reads along."""
        return [table for table in self._tables.values() if table.readers and not table.over]

    async def hear(self, tables: Iterable[Table]) -> None:
        """Ask what time it is in the partitions of these matches now; raise StoreUnavailable.

        So it is known whether the way to them was cut, which else the next tick tells.
        """
        partitions = {partition_of(table.match.meta.match_id) for table in tables}
        await asyncio.gather(*(self._store.submit_tick(each, 0) for each in partitions))

    async def reconcile(self) -> None:
        """For ever: compare the revs of the tables that are read along with the store.

        Each partition on its own: while one is away, the others are looked at as often as ever.
        """
        async with asyncio.TaskGroup() as tasks:
            parts = Parts(tasks)
            while True:
                await asyncio.sleep(RECONCILE_SECONDS)
                if untold := self._outages.take_untold():
                    log.warning("reconcile_skipped", partitions=untold)
                tables = self.read_along() + self._changed_lately()
                tables = [table for table in tables if table.committing is None]
                for partition, those in by_partition(tables).items():
                    parts.do(partition, partial(self._reconcile, partition, those))

    async def _reconcile(self, partition: int, tables: list[Table]) -> None:
        """Compare the tables of a partition with the store."""
        try:
            await self.catch_up(tables)
            self._outages.note(partition, away=False)
        except StoreUnavailable:
            self._outages.note(partition, away=True)

    def _changed_lately(self) -> list[Table]:
        """Return the tables that nobody waits for, and whose last change a failover may still take back."""
        return [
            table
            for table in self._tables.values()
            if (table.over or not table.readers) and table.known_for() < LATELY_SECONDS
        ]

    async def catch_up(self, tables: list[Table]) -> None:
        """Refresh those tables whose rev is not the store's.

        Of a store in parts those whose part answers do not wait for the others. Raise StoreUnavailable when
        some was away.
        """
        asked = {
            self._store.submit_rev(table.match.meta.match_id): (table, table.match.rev)
            for table in tables
        }
        try:
            await self._catch_up(asked)
        finally:
            for future in asked:
                future.cancel()  # whoever goes away meanwhile leaves no answer that nobody looks at

    async def _catch_up(self, asked: "dict[asyncio.Future[str | None], tuple[Table, str]]") -> None:
        """Take the revs that were asked for out of `asked` as they come, and refresh what is stale."""
        failure: StoreUnavailable | None = None
        for seconds in (SOON_SECONDS, None):
            if not asked:
                break
            done, _ = await asyncio.wait(asked, timeout=seconds)
            stale = []
            for future in done:
                table, was = asked.pop(future)
                try:
                    rev = future.result()
                except StoreUnavailable as error:
                    failure = error
                    continue
                if rev != was and table.match.rev == was and table.committing is None:
                    stale.append(table)
            refreshed = await asyncio.gather(
                *map(self._catch_up_one, stale), return_exceptions=True
            )
            for outcome in refreshed:
                if isinstance(outcome, StoreUnavailable):
                    failure = outcome
                elif isinstance(outcome, BaseException):
                    raise outcome
        if failure is not None:
            raise failure

    async def _catch_up_one(self, table: Table) -> None:
        """Refresh a table; that one cannot be read is no reason to leave out the others."""
        with one_of_many("table_not_refreshed", match=table.match.meta.match_id):
            await self.refresh(table)

    def _rest(self, table: Table) -> None:
        """Keep a table that nobody reads along for a while, and let go of the one idle longest."""
        match_id = table.match.meta.match_id
        if self._tables.get(match_id) is not table:
            return
        self._idle[match_id] = table
        while len(self._idle) > IDLE_TABLES:
            match_id, _ = self._idle.popitem(last=False)
            del self._tables[match_id]


def by_partition(tables: Iterable[Table]) -> dict[int, list[Table]]:
    """Return tables by the partition of their matches."""
    sorted_out: dict[int, list[Table]] = {}
    for table in tables:
        sorted_out.setdefault(partition_of(table.match.meta.match_id), []).append(table)
    return sorted_out
