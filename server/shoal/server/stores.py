"""The store of one process: connected, checked, and split into its parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import final

import structlog

from shoal.server.store.archive import Archive
from shoal.server.store.bells import Bells
from shoal.server.store.bots import BotStore
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.checks import check_store
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.entries import EntryStore
from shoal.server.store.leases import LeaseStore
from shoal.server.store.ledger import LedgerStore
from shoal.server.store.liveness import LivenessStore
from shoal.server.store.luck import LuckStore
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.outbox import Outbox
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import PresenceStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore
from shoal.server.store.requests import RequestStore
from shoal.server.store.tokens import TokenStore
from shoal.server.store.waits import WaitStore

log = structlog.get_logger()


@final
@dataclass(frozen=True, slots=True)
class Stores:
    """The parts of the store, all on one connection, and the bells on another."""

    pipe: Pipe
    bells: Bells
    matches: MatchStore
    liveness: LivenessStore
    bots: BotStore
    presences: PresenceStore
    tokens: TokenStore
    requests: RequestStore
    leases: LeaseStore
    competitions: CompetitionStore
    entries: EntryStore
    memberships: MembershipStore
    releases: ReleaseStore
    challenges: ChallengeStore
    competition_data: CompetitionData
    published: PublishedStore
    ledger: LedgerStore
    luck: LuckStore
    outbox: Outbox
    waits: WaitStore


@asynccontextmanager
async def open_stores(url: str, archive: Archive | None = None) -> AsyncIterator[Stores]:
    """Connect to the store at `url` after checking that it is fit; raise StoreError when it is not.

    What was taken out of it is read from the archive.
    """
    async with Pipe(url) as pipe, Bells(url) as bells:
        summary = await check_store(pipe)
        log.info(
            "store",
            version=summary.version,
            masters=len(pipe.masters),
            persistence=summary.persistence,
        )
        yield Stores(
            pipe=pipe,
            bells=bells,
            matches=MatchStore(pipe, archive),
            liveness=LivenessStore(pipe),
            bots=BotStore(pipe),
            presences=PresenceStore(pipe),
            tokens=TokenStore(pipe),
            requests=RequestStore(pipe),
            leases=LeaseStore(pipe),
            competitions=CompetitionStore(pipe),
            entries=EntryStore(pipe),
            memberships=MembershipStore(pipe),
            releases=ReleaseStore(pipe),
            challenges=ChallengeStore(pipe),
            competition_data=CompetitionData(pipe),
            published=PublishedStore(pipe),
            ledger=LedgerStore(pipe),
            luck=LuckStore(pipe),
            outbox=Outbox(pipe),
            waits=WaitStore(pipe),
        )
