"""The streams of this process: opening and closing them, and keeping each true to the store."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import final

import structlog

from shoal.match import Match, VoidReason
from shoal.server.errors import Reason, Refusal
from shoal.server.guard import one_of_many
from shoal.server.hub.hub import Hub
from shoal.server.play.credits import MOST_FOR_A_DECISION_MS, is_cut_off
from shoal.server.store.bells import Bells
from shoal.server.store.bots import BotStore
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import bot_bell, time_of
from shoal.server.store.liveness import LivenessStore
from shoal.server.store.presence import Claim, PresenceStore
from shoal.server.store.tokens import TokenStore
from shoal.server.streams.session import End, Guest, History, Session

BEAT_SECONDS = 4.0
"""How often a stream gives a sign of life, and looks whether claim and token still hold."""

GHOST_MS = 60_000
"""How old an id in a bot's list must be for its match to be taken for one that was never created."""

CLAIM_MS = 15_000
"""For how long a claim holds when it is not renewed: a killed process's bots are free after that."""

CUT_OFF_MS = 2_000
"""A process that was silent for so long is dead, or stands still: it speaks up every half second."""

log = structlog.get_logger()


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """What a bot says of itself when it opens a stream."""

    max_matches: int
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    since: Mapping[str, int]
    follow: bool


@final
class Sessions:
    """All streams of this process, by bot: at most one for each."""

    def __init__(
        self,
        process: str,
        hub: Hub,
        bots: BotStore,
        presences: PresenceStore,
        tokens: TokenStore,
        bells: Bells,
        *,
        liveness: LivenessStore,
    ) -> None:
        """Start with none; `process` names this process in the store."""
        self._liveness = liveness
        self._process = process
        self._hub = hub
        self._bots = bots
        self._presences = presences
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
        away_ms = await self._away_ms(bot_id)
        epoch = await self._presences.claim(self._claim(bot_id, offer), CLAIM_MS)
        session = Session(guest, epoch, follow=offer.follow, away_ms=away_ms)
        older = self._open.get(bot_id)
        if older is not None:
            older.end(End.SUPERSEDED)
        self._open[bot_id] = session
        bell = bot_bell(bot_id)
        try:
            await self._bells.subscribe(bell, session.ring)
            await self._seat(session, offer.since, opening=True)
            yield session
        finally:
            await self._close(session, bell)

    async def keep(self, session: Session, offer: Offer) -> None:
        """For ever: give signs of life, and follow what the store says of the bot."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._beat(session, offer))
            tasks.create_task(self._listen(session))

    def tidy(self, session: Session) -> None:
        """Detach the tables of matches that are over for the session."""
        for table in session.parted:
            self._hub.detach(table, session)
        session.parted.clear()

    def drain(self) -> None:
        """End every stream, and take no more: the process is about to stop."""
        self._draining = True
        for session in self._open.values():
            session.end(End.DRAINING)

    async def _beat(self, session: Session, offer: Offer) -> None:
        """Renew the claim to the bot; end the stream when another process has it, or its token is revoked."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            session.beat()
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
                await self._seat(session, {}, opening=False)
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
        (presence,) = await self._presences.get_many([session.bot_id])
        if presence is not None:
            session.end(End.SUPERSEDED)
            return
        session.epoch = await self._presences.claim(self._claim(session.bot_id, offer), CLAIM_MS)

    async def _away_ms(self, bot_id: str) -> int:
        """Return for how long a bot was without a stream because of us; 0 when it went by itself."""
        (bot,) = await self._presences.whereabouts([bot_id])
        silences = await self._liveness.silences()
        if not is_cut_off(bot, silences, CUT_OFF_MS):
            return 0
        return silences.get(bot.process or bot.last_process or "", MOST_FOR_A_DECISION_MS)

    def _claim(self, bot_id: str, offer: Offer) -> Claim:
        """Return what the store is told of a bot whose stream is here."""
        return Claim(bot_id, self._process, offer.max_matches, offer.rulesets, offer.seats)

    async def _seat(self, session: Session, since: Mapping[str, int], *, opening: bool) -> None:
        """Give the session every match of its bot that it does not have yet.

        A match found on opening counts as seen up to now, or up to what the bot says in `since`; one
        that comes later is told from its beginning.
        """
        live = set(await self._bots.live_matches(session.bot_id))

        async def seat_one(match_id: str) -> None:
            seen = since.get(match_id, None if opening else 0)
            with one_of_many("match_not_seated", match=match_id, bot=session.bot_id):
                if not await self._seat_at(session, match_id, seen) and match_id in live:
                    await self._forget(session.bot_id, match_id)

        new = {*live, *since} - session.tables.keys() - session.finished
        await asyncio.gather(*map(seat_one, sorted(new)))
        session.finished &= live

    async def _seat_at(self, session: Session, match_id: str, seen: int | None) -> bool:
        """Give the session a match of which it has seen a version, or all there is (None).

        Return False, and do nothing, when there is no such match, or no seat for the bot.
        """
        table = await self._hub.table(match_id)
        if table is None or session.bot_id not in table.seat_by_bot:
            return False
        await self._hub.refresh(table)
        if seen is not None and seen > table.match.version:
            # The bot was told more than the store knows now.
            self._hub.condemn(match_id, VoidReason.LOST_MOVES)
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

    async def _close(self, session: Session, bell: str) -> None:
        """Let go of everything that the session holds."""
        self._bells.unsubscribe(bell, session.ring)
        self.tidy(session)
        for table in session.tables.values():
            self._hub.detach(table, session)
        if self._open.get(session.bot_id) is session:
            del self._open[session.bot_id]
            try:
                await self._presences.release(
                    session.bot_id, self._process, session.epoch, left=not self._draining
                )
            except StoreUnavailable:
                log.warning("claim_not_released", bot=session.bot_id)
