"""The streams of this process: opening and closing them, and keeping each true to the store."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import final

from shoal.match import Match
from shoal.server.errors import Reason, Refusal
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bells import Bells
from shoal.server.store.keys import bot_bell
from shoal.server.store.tokens import TokenStore
from shoal.server.streams.claims import Claims, Gone
from shoal.server.streams.comebacks import Comebacks
from shoal.server.streams.listening import Listening
from shoal.server.streams.offer import Offer
from shoal.server.streams.revocation import until_revoked
from shoal.server.streams.seats import Seats
from shoal.server.streams.session import End, Guest, Session
from shoal.server.together import first_error

BEAT_SECONDS = 4.0
"""How often a stream gives a sign of life, and looks whether claim and token still hold."""


@final
class Sessions:
    """All streams of this process, by bot: at most one for each."""

    def __init__(
        self,
        claims: Claims,
        hub: Hub,
        seats: Seats,
        tokens: TokenStore,
        bells: Bells,
        *,
        comebacks: Comebacks,
    ) -> None:
        """Start with none; `claims` says in the store who is here."""
        self._comebacks = comebacks
        self._claims = claims
        self._listening = Listening(hub, seats, claims)
        self._seats = seats
        self._tokens = tokens
        self._bells = bells
        self._open: dict[str, Session] = {}
        self._draining = False

    def elsewhere(self, match: Match) -> list[str]:
        """Return the bells of those bots of a match that this process does not host."""
        hosted = self._open
        return [bot_bell(seat.bot_id) for seat in match.meta.seats if seat.bot_id not in hosted]

    @asynccontextmanager
    async def open(self, guest: Guest, offer: Offer) -> AsyncIterator[Session]:
        """Host the stream of a bot, superseding any other; its tables are attached on entry.

        Raise Refusal while draining, StoreUnavailable.
        """
        if self._draining:
            raise Refusal(Reason.DRAINING, "this server is about to stop", retry_after=1)
        bot_id = guest.bot_id
        session = Session(guest, 0, follow=offer.follow)
        bell = bot_bell(bot_id)
        made_good = time.monotonic()
        try:
            await self._bells.subscribe(bell, session.ring)
            await self._seats.fill(session, offer.since, opening=True)
            await self._claims.release_late(bot_id)
            await self._comebacks.make_good(bot_id, session.tables.values(), supersedes=True)
            made_good = time.monotonic()
            session.epoch = await self._claims.claim(bot_id, offer, made_good)
            self._host(session)
            await self._seats.fill_past(session, offer.since)
            yield session
        except Exception as error:
            # What the bot itself does wrong is refused; with anything else it is we who cannot go on.
            session.cut_off = not isinstance(first_error(error), Refusal)
            raise
        finally:
            await self._close(session, bell, made_good)

    def _host(self, session: Session) -> None:
        """Be where the bot's stream is, which ends any other here."""
        older = self._open.get(session.bot_id)
        if older is not None:
            older.end(End.SUPERSEDED)
        self._open[session.bot_id] = session
        if self._draining:
            session.end(End.DRAINING)

    async def keep(self, session: Session, offer: Offer) -> None:
        """For ever: give signs of life, and follow what the store says of the bot."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_beat(session))
            tasks.create_task(self._claims.hold(session, offer, BEAT_SECONDS))
            tasks.create_task(self._end_when_revoked(session))
            tasks.create_task(self._listening.keep(session))

    async def recall(self, session: Session, tables: Mapping[str, Table] | None = None) -> bool:
        """Do as `Seats.recall` does."""
        return await self._seats.recall(session, tables)

    def tidy(self, session: Session) -> None:
        """Detach the tables of matches whose end was written."""
        self._seats.tidy(session)

    def drain(self) -> None:
        """End every stream, and take no more: the process is about to stop."""
        self._draining = True
        self._claims.drain()
        for session in self._open.values():
            session.end(End.DRAINING)

    async def _end_when_revoked(self, session: Session) -> None:
        """End the stream when its token is revoked."""
        await until_revoked(self._tokens, session.token_id, BEAT_SECONDS)
        session.end(End.TOKEN_REVOKED)

    async def _close(self, session: Session, bell: str, made_good: float) -> None:
        """Let go of everything that the session holds; its bot was given all time up to `made_good`.

        A bot that was told nothing yet was away since then.
        """
        self._bells.unsubscribe(bell, session.ring)
        self._seats.clear(session)
        if self._open.get(session.bot_id) is session:
            del self._open[session.bot_id]
            left = not (session.cut_off or self._draining)
            since = time.monotonic() if session.greeted else made_good
            await self._claims.release(session.bot_id, Gone(session.epoch, since, left=left))


async def _beat(session: Session) -> None:
    """Give signs of life, which wait for nothing: the server is there, whatever the store does (T19)."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        session.beat()
