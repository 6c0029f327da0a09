"""How a bot stands on the ladders that it has entered, as callers read it."""

from dataclasses import dataclass
from typing import final

from shoal.competition.specification import Ladder
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.memberships import Membership, MembershipStore, Stage


@final
@dataclass(frozen=True, slots=True)
class Standing:
    """A bot on a ladder; `since_ms` of its membership is 0 where nothing was ever noted of it."""

    ladder_id: str
    membership: Membership
    most_faults: int

    @property
    def awaits_trial(self) -> bool:
        """Whether a trial is to begin."""
        return self.membership.stage is not Stage.ACTIVE and not self.membership.match_id


@final
class Memberships:
    """Reads memberships."""

    def __init__(self, competitions: CompetitionStore, memberships: MembershipStore) -> None:
        """Read from these."""
        self._competitions = competitions
        self._memberships = memberships

    async def of(self, bot_id: str) -> list[Standing]:
        """Return how a bot stands, by ladder."""
        standings = []
        for found in await self._competitions.all():
            form, ladder_id = found.specification.format, found.competition_id
            if not isinstance(form, Ladder):
                continue
            if await self._competitions.take_part(ladder_id, [bot_id]):
                known = await self._memberships.of(ladder_id, [bot_id])
                membership = known.get(bot_id, Membership(Stage.ACTIVE, 0))
                standings.append(Standing(ladder_id, membership, form.faults))
        return standings
