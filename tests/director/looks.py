"""A director's looks, one by one, without its loops: what it does next depends on nothing but the store."""

from shoal.server.director import Pairing
from shoal.server.director.losses import Losses
from shoal.server.director.scheduler import Scheduler
from shoal.server.director.settings import Settings
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.direction import Direction
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore

from .arena import Arena

ATTEMPTS = 2


class Looks:
    """A director that has just taken the lease, and what it has made."""

    def __init__(self, arena: Arena, token: int = 1) -> None:
        self.made: list[Pairing] = []
        self.fails = False
        """Whether no match can be made."""
        self._arena = arena
        stores = arena.stores
        self.losses = Losses(stores.competitions)
        self.scheduler = Scheduler(
            competitions=stores.competitions,
            data=CompetitionData(arena.pipe),
            bots=stores.bots,
            stored=stores.matches,
            presences=stores.presences,
            memberships=MembershipStore(arena.pipe),
            releases=ReleaseStore(arena.pipe),
            challenges=ChallengeStore(arena.pipe),
            published=PublishedStore(arena.pipe),
            direction=Direction(arena.pipe, token),
            losses=self.losses,
            caught_up=lambda: float("-inf"),
            create=self._create,
            settings=Settings(attempts=ATTEMPTS),
        )

    async def _create(self, pairing: Pairing) -> None:
        if self.fails:
            raise RuntimeError(pairing.match_id)
        await self._arena.create(pairing)
        self.made.append(pairing)

    @property
    def tables(self) -> list[set[str]]:
        """Who sits at the matches that were made, the first first."""
        return [set(pairing.bots) for pairing in self.made]

    async def look(self, times: int = 1) -> None:
        """Look at everything, as at a tick."""
        for _ in range(times):
            await self.scheduler._look(is_tick=True)

    async def retry(self) -> None:
        """Try again to make what could not be made."""
        await self.scheduler._matches.retry()

    async def recover(self) -> None:
        """Look for matches of which no result will come."""
        await self.scheduler._recovery.look()
