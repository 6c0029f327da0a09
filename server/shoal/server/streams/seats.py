"""Which matches a session has: those of its bot, found in the store and read along while it is open."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import final

import structlog

from shoal.match import VoidReason
from shoal.server.guard import one_of_many
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bots import BotStore
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import time_of
from shoal.server.streams.session import History, Session
from shoal.server.together import for_each

GHOST_MS = 60_000
"""How old an id in a bot's list must be for its match to be taken for one that was never created."""

READ_AT_ONCE = 32
"""How many matches of one bot are read at a time, so that one with many leaves room for the others."""

log = structlog.get_logger()


@final
class Seats:
    """Finds the matches of bots for the sessions of this process."""

    def __init__(self, hub: Hub, bots: BotStore) -> None:
        """Find the matches of `bots` at the tables of `hub`."""
        self._hub = hub
        self._bots = bots

    async def fill(
        self,
        session: Session,
        since: Mapping[str, int | None],
        *,
        opening: bool,
        lacking: set[str] | None = None,
    ) -> set[str]:
        """Give the session every match of its bot that it does not have yet; return which it is told of.

        Those are the live ones, and those that turned out to be void after their end. A match found on
        opening counts as seen up to now (None), or up to what the bot says in `since`; one that comes later
        is told from its beginning. Those whose part of the store is away are put into `lacking`, and not
        looked at again while they are in it: each look waits for that part. Without it they make
        StoreUnavailable.
        """
        live = await self._bots.to_tell(session.bot_id)
        void = await self._void_after_all(session, live)

        async def seat_one(match_id: str) -> None:
            seen = since.get(match_id, None if opening or match_id in void else 0)
            with _one_of_many(session, match_id, lacking):
                if not await self._seat_at(session, match_id, seen) and match_id in live:
                    await self._forget(session.bot_id, match_id)

        new = (live - session.tables.keys() - session.finished.keys() - (lacking or set())) | void
        # All of them end before this does: none may come to a table when the session has left.
        await for_each(sorted(new), seat_one, READ_AT_ONCE)
        for match_id in session.finished.keys() - live:
            del session.finished[match_id]
        return live

    async def fill_past(
        self,
        session: Session,
        since: Mapping[str, int | None],
        lacking: set[str] | None = None,
    ) -> None:
        """Give the session those matches of its bot that are over, and whose end it may not have been told.

        They are named in `since`, with the version that the bot has seen or None. `lacking` is as in `fill`.
        No more are read once the session is to end: a superseded stream, since its successor reads them
        too, or a poll while the server stops, to which they are lacking.
        """
        named = set(since) - session.tables.keys() - session.finished.keys() - (lacking or set())

        async def seat_one(match_id: str) -> None:
            if session.ends:
                if lacking is not None:
                    lacking.add(match_id)
                return
            with _one_of_many(session, match_id, lacking):
                await self._seat_at(session, match_id, since[match_id])

        past = await self._bots.played(session.bot_id, named)
        # Whether the bot sat there is seen from the match, which is in no list any more.
        past |= await self._hub.archived(named - past)
        await for_each(sorted(past), seat_one, READ_AT_ONCE)

    async def bring(self, session: Session, table: Table, seen: int) -> None:
        """Give the session what happened in one of its matches after a version."""
        backlog = await self._hub.history(table, seen)
        session.take(table, backlog[-1][0] if backlog else table.match.version, backlog)

    async def recall(self, session: Session, tables: Mapping[str, Table] | None = None) -> bool:
        """Give the session what these tables no longer keep of what it is to be told; False: they keep all.

        None stands for the marked ones. It takes time, in which they may go on: ask again until it is False.
        Raise StoreUnavailable.
        """
        behind = session.behind(tables)

        async def recall_one(table: Table) -> None:
            match_id = table.match.meta.match_id
            seen = session.seen.get(match_id)
            if seen is not None and seen < table.known_from:
                missed = await self._hub.history(table, seen)
                if session.seen.get(match_id) == seen:
                    session.recall(table, missed)

        # Side by side: those whose part of the store is there do not wait for the others.
        await for_each(behind, recall_one, READ_AT_ONCE)
        return bool(behind)

    def tidy(self, session: Session) -> None:
        """Detach the tables of matches that are over for the session."""
        for table in session.parted:
            self._hub.detach(table, session)
        session.parted.clear()

    def clear(self, session: Session) -> None:
        """Detach every table of the session."""
        self.tidy(session)
        for table in session.tables.values():
            self._hub.detach(table, session)

    async def _void_after_all(self, session: Session, live: set[str]) -> set[str]:
        """Return the matches that turned out to be void after an end that was told, and was another one."""
        final = {id_ for id_, void in session.finished.items() if void is VoidReason.LOST_MOVES}
        news = live - session.tables.keys() - final
        return news & await self._bots.annulled(session.bot_id) if news else news

    async def _seat_at(self, session: Session, match_id: str, seen: int | None) -> bool:
        """Give the session a match of which it has seen a version, or all there is (None).

        Return False, and do nothing, when there is no such match, or no seat for the bot.
        """
        table = await self._hub.table(match_id)
        if table is None or session.bot_id not in table.seat_by_bot:
            return False
        await self._hub.refresh(table)
        backlog: History = []
        reached = table.match.version
        if seen is not None:
            backlog = await self._hub.history(table, seen)
            reached = backlog[-1][0] if backlog else reached
        session.take(self._hub.attach(table, session), reached, backlog)
        return True

    async def _forget(self, bot_id: str, match_id: str) -> None:
        """Take a match that does not exist from the bot's list, unless it is just being created."""
        age_ms = time.time_ns() // 1_000_000 - time_of(match_id)
        if age_ms > GHOST_MS:
            log.error("match_never_created", match=match_id, bot=bot_id)
            await self._bots.forget_match([bot_id], match_id)


@contextmanager
def _one_of_many(session: Session, match_id: str, lacking: set[str] | None) -> Iterator[None]:
    """Go on with the others when this match cannot be given to the session, unless that is why none can."""
    try:
        with one_of_many("match_not_seated", match=match_id, bot=session.bot_id):
            yield
    except StoreUnavailable:
        if lacking is None:
            raise
        lacking.add(match_id)
