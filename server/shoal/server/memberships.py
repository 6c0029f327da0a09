"""How a bot stands on the ladders that it has entered, as callers read it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from shoal.competition.specification import Ladder
from shoal.server.auth import Caller
from shoal.server.standstill import may_know, why_it_stands
from shoal.server.store.bots import Bot
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.published import PublishedStore, Rated
from shoal.server.together import for_each

_AT_ONCE: Final = 16
"""Of how many ladders it is asked at a time why they stand, and what is published: that takes lists."""


@final
@dataclass(frozen=True, slots=True)
class Standing:
    """A bot on a ladder; `since_ms` of its membership is 0 where nothing was ever noted of it."""

    ladder: Competition
    membership: Membership
    most_faults: int
    excluded: bool
    excluded_why: str
    """The organizer's words, where the caller may have them."""

    ladder_why: str
    """Why the ladder makes no tables, if it makes none."""

    published: Rated | None
    """Its rating in the published table, if it is in it, and when that was worked out."""

    @property
    def awaits_trial(self) -> bool:
        """Whether a trial is to begin."""
        is_tried = self.membership.stage in {Stage.TRIAL, Stage.PAUSED}
        return is_tried and not self.membership.match_id


@final
class Memberships:
    """Reads memberships."""

    def __init__(
        self,
        competitions: CompetitionStore,
        memberships: MembershipStore,
        published: PublishedStore,
    ) -> None:
        """Read from these."""
        self._published = published
        self._competitions = competitions
        self._memberships = memberships

    async def of(self, caller: Caller, bot: Bot) -> list[Standing]:
        """Return how a bot stands, by ladder.

        Why it is excluded is told to its owner and to organizers alone; where names are hidden the trial in
        play too: whoever sits in it would know by it who the other is.
        """
        bot_id, standings = bot.bot_id, []
        is_its = may_know(caller, bot.owner)
        ladders = await self._competitions.ids(ladders=True)
        entered = await self._competitions.entered(bot_id, ladders)
        known = await self._memberships.of_bot(bot_id, entered)
        there = await self._competitions.some(entered)
        whys = await self._whys(there)
        published = await self._ratings(there, bot_id)
        for found in there:
            form, ladder_id = found.specification.format, found.competition_id
            if not isinstance(form, Ladder):
                continue
            membership = known.get(ladder_id, Membership(Stage.ACTIVE, 0))
            if found.specification.names_hidden and not is_its:
                membership = replace(membership, match_id="")
            exclusion = found.rulings.excluded.get(bot_id)
            standing = Standing(
                ladder=found,
                membership=membership,
                most_faults=form.faults,
                excluded=exclusion is not None,
                excluded_why=exclusion.why if exclusion is not None and is_its else "",
                ladder_why=whys[ladder_id],
                published=published[ladder_id],
            )
            standings.append(standing)
        return standings

    async def _whys(self, ladders: Sequence[Competition]) -> dict[str, str]:
        """Return by ladder why it makes no tables, "" where it makes some: some are asked for at a time."""
        whys: dict[str, str] = {}

        async def ask(found: Competition) -> None:
            whys[found.competition_id] = await why_it_stands(self._competitions, found)

        await for_each(ladders, ask, _AT_ONCE)
        return whys

    async def _ratings(
        self, ladders: Sequence[Competition], bot_id: str
    ) -> dict[str, Rated | None]:
        """Return by ladder the published rating of a bot, None where it has none."""
        ratings: dict[str, Rated | None] = {}

        async def ask(found: Competition) -> None:
            name = found.competition_id
            ratings[name] = await self._published.rated(name, bot_id)

        await for_each(ladders, ask, _AT_ONCE)
        return ratings
