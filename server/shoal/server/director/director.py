"""The director: one at a time, it runs all competitions and counts what is played."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import NoReturn

import structlog

from shoal.server.director.adjusting import Adjusting
from shoal.server.director.archiving import Archiving
from shoal.server.director.fitter import Fitter
from shoal.server.director.losses import Losses
from shoal.server.director.matches import Create
from shoal.server.director.publishing import Publishing
from shoal.server.director.results import ResultsReader
from shoal.server.director.scheduler import Scheduler
from shoal.server.director.settings import Settings
from shoal.server.director.tidying import Tidying
from shoal.server.store import keys
from shoal.server.store.archive import Archive
from shoal.server.store.bells import Bells, Hear
from shoal.server.store.bots import BotStore
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.errors import Fenced, StoreError, StoreUnavailable
from shoal.server.store.keys import now_ms
from shoal.server.store.leases import Lease, LeaseStore
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.outbox import Outbox
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import PresenceStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore
from shoal.server.store.shelves import Shelves
from shoal.server.together import together

_log = structlog.get_logger(__name__)


class LeaseLost(Exception):
    """Another director has the lease."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The parts of the store that a director works with."""

    pipe: Pipe
    leases: LeaseStore
    competitions: CompetitionStore
    bots: BotStore
    matches: MatchStore
    presences: PresenceStore
    outbox: Outbox
    bells: Bells
    archive: Archive | None = None
    """Where matches go when their time in the store is over; without one they stay there."""


class Director:
    """A process may run one; of all that run, the one with the lease works and the others wait.

    It keeps nothing that a successor would need: what is decided is in the store before it is done,
    and doing it again changes nothing (T76).
    """

    def __init__(self, stores: Stores, create: Create, settings: Settings | None = None) -> None:
        """Create the matches of pairings by `create`, which must be safe to call again."""
        self._stores = stores
        self._create = create
        self._settings = settings or Settings()
        self._holder = secrets.token_hex(8)
        self._delay = self._settings.first_delay
        self._away = False

    async def run(self) -> NoReturn:
        """Direct until cancelled; whatever fails is tried again, ever more slowly."""
        while True:
            try:
                await self._lead(await self._take_lease())
            except (LeaseLost, Fenced):
                _log.warning("lease_lost")
            except StoreUnavailable:
                self._note_silence()
            except Exception:  # noqa: BLE001 - logged, and begun anew
                _log.exception("director_stumbled")
            await asyncio.sleep(self._delay)
            self._delay = min(2 * self._delay, self._settings.last_delay)

    async def _take_lease(self) -> int:
        """Return the token of a new lease, as soon as nobody else holds one."""
        while True:
            lease = await self._ask_for_lease()
            self._note_answer()
            if lease.token:
                return lease.token
            await asyncio.sleep(min(lease.wait_ms / 1000, self._settings.poll))

    async def _ask_for_lease(self) -> Lease:
        """Ask for the lease; if we are ended meanwhile, leave none that everybody would have to wait for."""
        leases, ttl_ms = self._stores.leases, round(self._settings.lease * 1000)
        asking = asyncio.ensure_future(leases.acquire(self._holder, ttl_ms))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            with suppress(StoreError):
                lease = await asking
                if lease.token:
                    await leases.renew(self._holder, 0, lease.token)
            raise

    def _note_answer(self) -> None:
        if self._away:
            _log.info("store_back")
        self._away = False

    def _note_silence(self) -> None:
        """Log that the store is away, once."""
        if not self._away:
            _log.warning("store_away")
        self._away = True

    async def _lead(self, token: int) -> None:
        """Do the work of the one director until the lease is lost or something fails."""
        try:
            await together(self._keep_lease(token), self._work(token))
        finally:
            with suppress(StoreError):
                await self._stores.leases.renew(self._holder, 0, token)

    async def _keep_lease(self, token: int) -> None:
        ttl_ms = round(self._settings.lease * 1000)
        while await self._stores.leases.renew(self._holder, ttl_ms, token):
            await asyncio.sleep(self._settings.lease / 3)
            self._delay = self._settings.first_delay  # it went well for a while
        raise LeaseLost

    async def _work(self, token: int) -> None:
        stores, settings = self._stores, self._settings
        direction = Direction(stores.pipe, token)
        note = Note(now_ms(), "director", "create")
        # First of all, or a ladder of an earlier version would be made anew, and empty.
        for name in await direction.adopt_ladders(Note(now_ms(), "director", "adopt")):
            _log.info("ladder_adopted", ladder=name)
        for ladder in settings.ladders:
            await stores.competitions.create(ladder.name, ladder, State.RUNNING, note)
        losses = Losses(stores.competitions)
        scheduler = Scheduler(
            competitions=stores.competitions,
            data=CompetitionData(stores.pipe),
            bots=stores.bots,
            stored=stores.matches,
            presences=stores.presences,
            memberships=MembershipStore(stores.pipe),
            releases=ReleaseStore(stores.pipe),
            challenges=ChallengeStore(stores.pipe),
            published=PublishedStore(stores.pipe),
            direction=direction,
            losses=losses,
            caught_up=lambda: results.caught_up,
            create=self._create,
            settings=settings,
        )
        results = ResultsReader(stores.outbox, stores.bots, losses, scheduler)
        tidying = Tidying(stores.bots, stores.matches, settings, lambda: results.caught_up)
        await scheduler.resume()
        async with (
            self._listening(keys.LADDER_BELL, scheduler.hear),
            self._listening(keys.OUTBOX_BELL, lambda _: results.ring()),
        ):
            work = [scheduler.run(), scheduler.plan(), scheduler.recount()]
            work += [results.run(settings.poll), tidying.run()]
            work += [self._adjusting(direction).run(), self._publishing(direction).run()]
            if stores.archive is not None:
                work.append(self._archiving(stores.archive, token).run())
            await together(*work)

    def _adjusting(self, direction: Direction) -> Adjusting:
        stores = self._stores
        return Adjusting(
            stores.competitions,
            CompetitionData(stores.pipe),
            stores.matches,
            direction,
            every=self._settings.adjust,
        )

    def _publishing(self, direction: Direction) -> Publishing:
        pipe = self._stores.pipe
        return Publishing(
            self._stores.competitions,
            CompetitionData(pipe),
            ReleaseStore(pipe),
            PublishedStore(pipe),
            direction,
            Fitter(),
            every=self._settings.publish,
        )

    def _archiving(self, archive: Archive, token: int) -> Archiving:
        stores = self._stores
        return Archiving(
            archive,
            Shelves(stores.pipe, token, archive.place),
            stores.competitions,
            stores.matches,
            stores.bots,
            self._settings,
        )

    @asynccontextmanager
    async def _listening(self, channel: str, hear: Hear) -> AsyncIterator[None]:
        await self._stores.bells.listen(channel, hear)
        try:
            yield
        finally:
            self._stores.bells.unsubscribe(channel, hear)
