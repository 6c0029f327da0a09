"""The tables of this process: found, read from the store, brought up to date, let go.

A table that somebody reads along is kept fresh: bells tell of changes that other processes made, and
every `RECONCILE_SECONDS` the revs of all of them are compared with the store, so that a lost bell costs
no more than that.
"""

import asyncio
from collections import OrderedDict
from typing import final

import structlog

from shoal.engine import Event
from shoal.match import (
    Entry,
    EntryKind,
    Match,
    StateFormatError,
    VoidReason,
    decode_match,
    decode_meta,
    follows,
    parse_entry,
    replay,
    step,
)
from shoal.server.guard import one_of_many
from shoal.server.hub.attention import Attention
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.table import Reader, Table
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import is_id, partition_of
from shoal.server.store.matches import MatchStore, StoredMatch

RECONCILE_SECONDS = 2.0
ENDED_SECONDS = 10.0
"""For how long a match that is over is compared with the store: longer than a failover takes."""

SOON_SECONDS = 0.2
"""How long a part of the store that answers waits for one that does not."""

IDLE_TABLES = 2_000
"""How many tables without readers are kept, so that unary players find theirs at hand."""

log = structlog.get_logger()


@final
class Hub:
    """All tables of this process."""

    def __init__(self, matches: MatchStore, clock: Attention) -> None:
        """Start with no tables; `clock` is theirs."""
        self._clock = clock
        self._store = matches
        self._tables: dict[str, Table] = {}
        self._idle: OrderedDict[str, Table] = OrderedDict()
        self.condemned = Condemned()
        self._replaying = asyncio.Lock()
        self._ended: dict[str, float] = {}

    def at_hand(self, match_id: str) -> Table | None:
        """Return the table if it is at hand, fresh or not."""
        return self._tables.get(match_id)

    @property
    def live(self) -> int:
        """How many of the matches at hand are not over."""
        return sum(not table.over for table in self._tables.values())

    async def table(self, match_id: str) -> Table | None:
        """Return the table, reading it from the store when it is not at hand; None: no such match."""
        table = self._tables.get(match_id)
        if table is not None:
            if match_id in self._idle:
                self._idle.move_to_end(match_id)
            return table
        found = await self._load(match_id)
        if found is None:
            return None
        table = self._tables.setdefault(match_id, Table(*found, self._clock))
        if not table.readers:
            self._rest(table)
        return table

    async def refresh(self, table: Table) -> None:
        """Bring a table up to date with the store."""
        while True:
            while table.committing is not None:
                await asyncio.wait([table.committing])
            match = table.match
            match_id = match.meta.match_id
            # The rev first: what is committed between the two is among the entries, and a rev
            # that is not ours although nothing follows ours is of another course of the log.
            (stored_rev,), texts = await asyncio.gather(
                self._store.revs([match_id]), self._store.entries(match_id, match.version)
            )
            if table.match is not match:
                return
            # A step that was sent meanwhile may have come from the same old position: whoever
            # gave way to it would let two callers keep each other from ever seeing the new one.
            if table.committing is None:
                break
        rev = match.rev
        entries = []
        for text in texts:
            if not follows(rev, text):
                await self._reread(table)
                return
            logged = parse_entry(text)
            entries.append(logged)
            rev = logged.rev
        if entries:
            table.follow(entries)
        elif stored_rev != rev:
            await self._reread(table)

    async def history(self, table: Table, version: int) -> list[tuple[int, list[Event]]]:
        """Return all events after `version`, replaying the log when they are not at hand."""
        if version >= table.known_from:
            return table.since(version)
        match = table.match
        # One at a time, with a pause after each: a whole match takes tens of milliseconds.
        async with self._replaying:
            texts = await self._store.entries(match.meta.match_id, 0, match.version)
            past = replay(Match(match.meta, match.secret), map(parse_entry, texts))
            await asyncio.sleep(0)
        return [item for item in past if item[0] > version]

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

    async def reconcile(self) -> None:
        """For ever: compare the revs of the tables that are read along with the store."""
        while True:
            await asyncio.sleep(RECONCILE_SECONDS)
            tables = [
                table
                for table in self._tables.values()
                if table.readers and not table.over and table.committing is None
            ]
            tables += self._ended_lately()
            try:
                await self.catch_up(tables)
            except StoreUnavailable:
                log.warning("reconcile_skipped", tables=len(tables))

    def _ended_lately(self) -> list[Table]:
        """Return the tables whose end is so fresh that a failover may still take it back."""
        now = asyncio.get_running_loop().time()
        self._ended = {
            match_id: self._ended.get(match_id, now)
            for match_id, table in self._tables.items()
            if table.over
        }
        return [
            self._tables[match_id]
            for match_id, since in self._ended.items()
            if now - since < ENDED_SECONDS
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

    async def _reread(self, table: Table) -> None:
        """Start a table again from the store."""
        match_id = table.match.meta.match_id
        found = await self._load(match_id)
        if found is None:
            self._lose(table)
            return
        if await self._still_has(table.match):
            table.replace(*found)  # what we read before was of two different moments
            return
        log.warning("timeline_changed", match=match_id, version=table.match.version)
        self.condemned.add(match_id, VoidReason.LOST_MOVES)
        # In the store before anything else: another server, which knows nothing of it, might end the match.
        await self._store.condemn(match_id, VoidReason.LOST_MOVES.value)
        table.replace(*found)

    async def _still_has(self, match: Match) -> bool:
        """Tell whether the store has the log that a match was made of."""
        if match.version == 0:
            return True
        match_id, last = match.meta.match_id, match.version - 1
        texts = await self._store.entries(match_id, last, last + 1)
        return [parse_entry(text).rev for text in texts] == [match.rev]

    def _lose(self, table: Table) -> None:
        """Let go of a table whose match the store has lost, and tell its readers that it is void."""
        match = table.match.copy()
        match_id = match.meta.match_id
        log.error("match_lost_by_store", match=match_id, version=match.version)
        self._tables.pop(match_id, None)
        self._idle.pop(match_id, None)
        if not table.over:
            step(match, Entry(EntryKind.VOID, value=VoidReason.LOST_MOVES.value))
            table.replace(match, table.asked_at)

    def _rest(self, table: Table) -> None:
        """Keep a table that nobody reads along for a while, and let go of the one idle longest."""
        match_id = table.match.meta.match_id
        if self._tables.get(match_id) is not table:
            return
        self._idle[match_id] = table
        while len(self._idle) > IDLE_TABLES:
            match_id, _ = self._idle.popitem(last=False)
            del self._tables[match_id]

    async def _load(self, match_id: str) -> tuple[Match, float] | None:
        """Return the match as stored, and the local time at which its open decision was asked."""
        if not is_id(match_id):
            return None
        clock, stored = await asyncio.gather(
            self._store.submit_tick(partition_of(match_id), 0), self._store.load(match_id)
        )
        if stored is None:
            return None
        read_at = self._clock.now()
        match = _as_stored(stored)
        texts = await self._store.entries(match_id, match.version, stored.version)
        replay(match, map(parse_entry, texts))
        match.version = stored.version
        match.rev = stored.rev
        match.decision_id = stored.decision_id
        match.asked_ms = stored.asked_ms
        match.limit_ms = stored.limit_ms
        if stored.banks is not None:
            match.banks = list(stored.banks)
        return match, read_at - (clock.now_ms - stored.asked_ms) / 1000


def _as_stored(stored: StoredMatch) -> Match:
    """Return the match as the store has kept it, from which the log leads on.

    What another version of this server has kept, and this one does not read, is made again from the log:
    so servers can be replaced one after the other, by the next version or by the one before.
    """
    try:
        match = decode_match(stored.meta, stored.secret, stored.state)
    except StateFormatError as error:
        log.info("state_made_again", match=stored.match_id, reason=str(error))
        return Match(decode_meta(stored.meta), stored.secret)
    match.version = stored.state_version
    return match
