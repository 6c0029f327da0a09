"""The streams of this process: opening and closing them, and keeping each true to the store."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple, final

import structlog

from shoal.match import Match
from shoal.server.errors import Reason, Refusal
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.store.bells import Bells
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import bot_bell
from shoal.server.store.presence import PresenceStore
from shoal.server.store.tokens import TokenStore
from shoal.server.store.whereabouts import Streaming
from shoal.server.streams.comebacks import Comebacks
from shoal.server.streams.offer import Offer
from shoal.server.streams.seats import Seats
from shoal.server.streams.session import End, Guest, Session
from shoal.server.together import first_error

BEAT_SECONDS = 4.0
"""How often a stream gives a sign of life, and looks whether claim and token still hold."""

CLAIM_MS = 15_000
"""For how long a claim holds when it is not renewed: a killed process's bots are free after that."""

UNRELEASED_SECONDS = 600.0
"""For how long it is kept that a bot was away unnoted: who missed more has lost what may be given."""

log = structlog.get_logger()


@final
class Sessions:
    """All streams of this process, by bot: at most one for each."""

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
    ) -> None:
        """Start with none; `process` names this process in the store."""
        self._comebacks = comebacks
        self._process = process
        self._hub = hub
        self._seats = seats
        self._presences = presences
        self._tokens = tokens
        self._bells = bells
        self._open: dict[str, Session] = {}
        self._unreleased: dict[str, _Unreleased] = {}
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
            await self._release_late(bot_id)
            await self._comebacks.make_good(bot_id, session.tables.values(), supersedes=True)
            made_good = time.monotonic()
            session.epoch = await self._claim(bot_id, offer, made_good)
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
            tasks.create_task(self._hold(session, offer))
            tasks.create_task(self._listen(session))

    async def recall(self, session: Session, tables: Mapping[str, Table] | None = None) -> bool:
        """Do as `Seats.recall` does."""
        return await self._seats.recall(session, tables)

    def tidy(self, session: Session) -> None:
        """Detach the tables of matches whose end was written."""
        self._seats.tidy(session)

    def drain(self) -> None:
        """End every stream, and take no more: the process is about to stop."""
        self._draining = True
        for session in self._open.values():
            session.end(End.DRAINING)

    async def _hold(self, session: Session, offer: Offer) -> None:
        """Renew the claim to the bot; end the stream when another process has it, or its token is revoked."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                if await self._tokens.is_revoked(session.token_id):
                    session.end(End.TOKEN_REVOKED)
                if not await self._presences.renew(
                    session.bot_id, self._process, session.epoch, CLAIM_MS
                ):
                    await self._reclaim(session, offer)
            except StoreUnavailable:
                log.warning("claim_not_renewed", bot=session.bot_id)

    async def _listen(self, session: Session) -> None:
        """Bring the stream up to date whenever the bot's bell rings."""
        while True:
            await session.rung.wait()
            session.rung.clear()
            try:
                if await self._superseded(session):
                    session.end(End.SUPERSEDED)
                    return
                await self._seats.fill(session, {}, opening=False)
                await self._hub.catch_up(list(session.tables.values()))
            except StoreUnavailable:
                await asyncio.sleep(1)
                session.rung.set()

    async def _superseded(self, session: Session) -> bool:
        """Tell whether another stream has claimed the bot since."""
        (presence,) = await self._presences.get_many([session.bot_id])
        return presence is not None and presence.epoch > session.epoch

    async def _reclaim(self, session: Session, offer: Offer) -> None:
        """Claim the bot again after the claim ran out, unless another stream has it."""
        epoch = 0
        while not epoch:
            (bot,) = await self._presences.whereabouts([session.bot_id])
            if isinstance(bot.place, Streaming) and bot.epoch > session.epoch:
                session.end(End.SUPERSEDED)
                return
            epoch = await self._claim_after(bot.epoch, session.bot_id, offer)
        session.epoch = epoch

    async def _claim(self, bot_id: str, offer: Offer, made_good: float) -> int:
        """Claim a bot, whoever has it now; it was given all time up to `made_good`."""
        epoch = 0
        while not epoch:
            (bot,) = await self._presences.whereabouts([bot_id])
            epoch = await self._claim_after(bot.epoch, bot_id, offer, made_good)
        return epoch

    async def _claim_after(
        self, known: int, bot_id: str, offer: Offer, made_good: float | None = None
    ) -> int:
        """Claim a bot unless that was done since an epoch; a caller that is gone leaves no claim behind.

        Its claim may still come late, with the store that was away: then the bot may be elsewhere. If it is
        our stop that has ended the call, the bot was sent away, since `made_good` or since now.
        """
        claiming = asyncio.ensure_future(
            self._presences.claim(offer.claim(bot_id, self._process), CLAIM_MS, known=known)
        )
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            with suppress(StoreUnavailable):
                await self._presences.release(
                    bot_id,
                    self._process,
                    await claiming,
                    left=not self._draining,
                    ago_ms=0 if made_good is None else _ms_since(made_good),
                )
            raise

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
            gone = _Unreleased(session.epoch, since, left=left)
            try:
                await self._release(session.bot_id, gone)
            except StoreUnavailable:
                log.warning("claim_not_released", bot=session.bot_id)
                self._keep_unreleased(session.bot_id, gone)

    def _keep_unreleased(self, bot_id: str, gone: "_Unreleased") -> None:
        """Keep it for when the bot comes again, and let go of those of bots that have not for too long."""
        self._unreleased.pop(bot_id, None)
        self._unreleased[bot_id] = gone
        while gone.since - next(iter(self._unreleased.values())).since > UNRELEASED_SECONDS:
            del self._unreleased[next(iter(self._unreleased))]

    async def _release_late(self, bot_id: str) -> None:
        """Say that a bot was away, and since when, if the store could not be told then.

        Else it would pass for being here all the time, and pay for it. Raise StoreUnavailable.
        """
        gone = self._unreleased.get(bot_id)
        if gone is not None:
            await self._release(bot_id, gone)
            self._unreleased.pop(bot_id, None)

    async def _release(self, bot_id: str, gone: "_Unreleased") -> None:
        """End our claim to a bot; raise StoreUnavailable."""
        await self._presences.release(
            bot_id, self._process, gone.epoch, left=gone.left, ago_ms=_ms_since(gone.since)
        )


@final
class _Unreleased(NamedTuple):
    """A claim whose stream has ended: since when its bot is away, and whether it has left by itself."""

    epoch: int
    since: float
    left: bool


def _ms_since(moment: float) -> int:
    """Return how many milliseconds have passed since a monotonic time."""
    return int((time.monotonic() - moment) * 1000)


async def _beat(session: Session) -> None:
    """Give signs of life, which wait for nothing: the server is there, whatever the store does (T19)."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        session.beat()
