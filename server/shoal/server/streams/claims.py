"""Claims of this process to bots: where the stream of each is, said to the store and kept up there."""

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple, final

import structlog

from shoal.server.parts import Outages
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.keys import partition_of
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Streaming
from shoal.server.streams.offer import Offer
from shoal.server.streams.session import End, Session

CLAIM_MS = 15_000
"""For how long a claim holds when it is not renewed: a killed process's bots are free after that."""

UNRELEASED_SECONDS = 600.0
"""For how long it is kept that a bot was away unnoted: who missed more has lost what may be given."""

log = structlog.get_logger()


@final
class Gone(NamedTuple):
    """A claim whose stream has ended: since when its bot is away, and whether it has left by itself."""

    epoch: int
    since: float
    left: bool


@final
class Claims:
    """What this process says in the store of where bots are."""

    def __init__(self, process: str, presences: PresenceStore) -> None:
        """Claim nobody yet; `process` names this process in the store."""
        self._process = process
        self._presences = presences
        self._unreleased: dict[str, Gone] = {}
        self._outages = Outages()
        self._draining = False

    def drain(self) -> None:
        """Note that the process is about to stop: from now on bots do not leave, but are sent away."""
        self._draining = True

    async def claim(self, bot_id: str, offer: Offer, made_good: float) -> int:
        """Claim a bot, whoever has it now, and return the epoch; it was given all time up to `made_good`."""
        epoch = 0
        while not epoch:
            (bot,) = await self._presences.whereabouts([bot_id])
            epoch = await self._claim_after(bot.epoch, bot_id, offer, made_good)
        return epoch

    async def hold(self, session: Session, offer: Offer, every: float) -> None:
        """For ever: renew the claim every so many seconds; end the stream when another has its bot."""
        partition = partition_of(session.bot_id)
        while True:
            await asyncio.sleep(every)
            try:
                if not await self._presences.renew(
                    session.bot_id, self._process, session.epoch, CLAIM_MS
                ):
                    await self._reclaim(session, offer)
                self._outages.note(partition, away=False)
            except StoreUnavailable:
                self._outages.note(partition, away=True)
            if untold := self._outages.take_untold():
                log.warning("claim_not_renewed", bot=session.bot_id, partitions=untold)

    async def is_superseded(self, session: Session) -> bool:
        """Tell whether another stream has claimed the bot since; raise StoreUnavailable."""
        (presence,) = await self._presences.get_many([session.bot_id])
        return presence is not None and presence.epoch > session.epoch

    async def release(self, bot_id: str, gone: Gone) -> None:
        """End a claim, later when the store is away now."""
        try:
            await self._release(bot_id, gone)
        except StoreUnavailable:
            log.warning("claim_not_released", bot=bot_id)
            self._keep_unreleased(bot_id, gone)

    async def release_late(self, bot_id: str) -> None:
        """Say that a bot was away, and since when, if the store could not be told then.

        Else it would pass for being here all the time, and pay for it. Raise StoreUnavailable.
        """
        gone = self._unreleased.get(bot_id)
        if gone is not None:
            await self._release(bot_id, gone)
            self._unreleased.pop(bot_id, None)

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
                epoch = await claiming
                since = time.monotonic() if made_good is None else made_good
                await self._release(bot_id, Gone(epoch, since, left=not self._draining))
            raise

    def _keep_unreleased(self, bot_id: str, gone: Gone) -> None:
        """Keep it for when the bot comes again, and let go of those of bots that have not for too long."""
        self._unreleased.pop(bot_id, None)
        self._unreleased[bot_id] = gone
        while gone.since - next(iter(self._unreleased.values())).since > UNRELEASED_SECONDS:
            del self._unreleased[next(iter(self._unreleased))]

    async def _release(self, bot_id: str, gone: Gone) -> None:
        """End our claim to a bot; raise StoreUnavailable."""
        ago_ms = int((time.monotonic() - gone.since) * 1000)
        await self._presences.release(
            bot_id, self._process, gone.epoch, left=gone.left, ago_ms=ago_ms
        )
