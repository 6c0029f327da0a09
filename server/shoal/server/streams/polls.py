"""The polls of this process: seating a bot for one look, and waiting until there is something to tell it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import final

from shoal.server.errors import Reason, Refusal
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.cuts import Cuts
from shoal.server.store.bells import Bells
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import bot_bell
from shoal.server.store.presence import PresenceStore
from shoal.server.store.tokens import TokenStore
from shoal.server.streams.broken_polls import BrokenPolls
from shoal.server.streams.comebacks import Comebacks
from shoal.server.streams.offer import Offer
from shoal.server.streams.poll import Poll
from shoal.server.streams.revocation import until_revoked
from shoal.server.streams.seats import Seats
from shoal.server.streams.session import End, Guest, Session
from shoal.server.streams.sessions import BEAT_SECONDS
from shoal.server.together import together

MOST_POLLS = 4
"""How many polls of a bot are answered at a time: more than one, since a lost client's waits for a while."""

AVAILABLE_MS = 35_000
"""For how long a bot is there by its offer: 30 s after it polled, and a beat, since a waiting poll repeats it
with each."""

LACKING_SECONDS = 1.0
"""How long a poll waits at most that could not look at all matches of its bot: the next one looks again."""


@final
class Polls:
    """All polls of this process, by bot."""

    def __init__(
        self,
        process: str,
        hub: Hub,
        seats: Seats,
        presences: PresenceStore,
        tokens: TokenStore,
        bells: Bells,
        *,
        comebacks: Comebacks,
        cuts: Cuts,
    ) -> None:
        """Start with none; `process` names this process in the store."""
        self._process = process
        self._cuts = cuts
        self._broken = BrokenPolls()
        self._comebacks = comebacks
        self._hub = hub
        self._seats = seats
        self._presences = presences
        self._tokens = tokens
        self._bells = bells
        self._open: dict[str, set[Poll]] = {}
        self._draining = False

    @asynccontextmanager
    async def look(
        self, guest: Guest, offer: Offer, before: Mapping[str, int] | None, wait: float
    ) -> AsyncIterator[Poll]:
        """Look for a bot that was told `before`, after up to `wait` seconds when nothing is due.

        The bot is available from now on by its offer, unless it has a stream: a poll leaves that alone.
        Where a stream is on another server, what third ones do is seen within `RECONCILE_SECONDS`.
        A match whose part of the store is away is left out: the others go on, and their clocks run.
        Raise Refusal on too many, on draining and for a revoked token; StoreUnavailable.
        """
        if self._draining:
            raise _draining()
        mine = self._open.setdefault(guest.bot_id, set())
        if len(mine) >= MOST_POLLS:
            raise Refusal(
                Reason.CONCURRENCY_LIMIT,
                f"{MOST_POLLS} polls of this bot are being answered here already",
                retry_after=1,
            )
        poll = Poll(Session(guest, 0, follow=False), before)
        mine.add(poll)
        session, past = poll.session, dict.fromkeys(before or ())
        try:
            poll.live = await self._seats.fill(session, past, opening=True, lacking=poll.lacking)
            tables = session.tables.values()
            await self._comebacks.make_good(guest.bot_id, tables, supersedes=False)
            await self._go_on(session)
            await self._offer(poll, offer)
            await self._seats.fill_past(session, past, poll.lacking)
            poll.seated()
            if wait and not poll.due:
                await together(self._wait(poll, offer, wait), self._refuse_revoked(session))
            yield poll
            if poll.lacking:
                self._broken.broke(session)
            else:
                self._broken.answered(session)
        except StoreUnavailable:
            self._broken.broke(session)
            raise
        finally:
            self._seats.clear(poll.session)
            mine.discard(poll)
            if not mine:
                self._open.pop(guest.bot_id, None)
                if not self._draining:  # else it is we who have sent it away
                    with suppress(StoreUnavailable):
                        await self._presences.polled(guest.bot_id, self._process)

    async def recall(self, poll: Poll, tables: list[Table]) -> None:
        """Bring the poll what happened in these matches since its bot was told of them."""
        for table in tables:
            missed_from = poll.missed_from(table.match.meta.match_id)
            if missed_from is not None:
                await self._seats.bring(poll.session, table, missed_from)
        asked_of = {table.match.meta.match_id: table for table in tables}
        while await self._seats.recall(poll.session, asked_of):
            pass  # they go on meanwhile

    def drain(self) -> None:
        """End every wait, and take no more polls: the process is about to stop."""
        self._draining = True
        for polls in self._open.values():
            for poll in polls:
                poll.session.end(End.DRAINING)

    async def _go_on(self, session: Session) -> None:
        """Give the bot what it lost by cuts since a poll that they ended, if it goes on with that one."""
        broken = self._broken.before(session)
        if broken is not None:
            await self._hub.hear(session.tables.values())
            lost = broken.lost_on(session.tables.values())
            for table in lost:
                table.put(broken.since)
            await self._cuts.make_good_for(session.bot_id, lost, broken.since)

    async def _wait(self, poll: Poll, offer: Offer, wait: float) -> None:
        """Return when something is due, or after so many seconds; raise Refusal."""
        now = asyncio.get_running_loop().time
        begun = now()
        bell = bot_bell(poll.session.bot_id)

        def left() -> float:
            return begun + (min(wait, LACKING_SECONDS) if poll.lacking else wait) - now()

        try:
            await self._bells.subscribe(bell, poll.ring)
            while not poll.due and (seconds := left()) > 0:
                try:
                    async with asyncio.timeout(min(seconds, BEAT_SECONDS)):
                        await poll.session.marked()
                except TimeoutError:
                    await self._offer(poll, offer)
                await self._follow(poll)
        finally:
            self._bells.unsubscribe(bell, poll.ring)

    async def _follow(self, poll: Poll) -> None:
        """Bring a poll up to date with what has happened; raise Refusal when that ends it."""
        session = poll.session
        if session.take_marks().end is not None:
            raise _draining()
        if session.rung.is_set():
            session.rung.clear()
            poll.live = await self._seats.fill(session, {}, opening=True, lacking=poll.lacking)
            await self._hub.catch_up(list(session.tables.values()))

    async def _refuse_revoked(self, session: Session) -> None:
        """Raise the refusal of a token when it is revoked."""
        await until_revoked(self._tokens, session.token_id, BEAT_SECONDS)
        raise Refusal(Reason.TOKEN_REVOKED, "this token was revoked")

    async def _offer(self, poll: Poll, offer: Offer) -> None:
        """Make the bot available, unless a stream does."""
        await self._presences.offer(offer.claim(poll.session.bot_id, self._process), AVAILABLE_MS)


def _draining() -> Refusal:
    """Return the refusal of a poll on a server that stops."""
    return Refusal(Reason.DRAINING, "this server is about to stop", retry_after=1)
