"""What a director finds of others: matches that were left reserved, and those of which no result comes."""

from collections.abc import Callable
from typing import final

import structlog

from shoal.server.director.challenges import Challenges
from shoal.server.director.lost import Unheard
from shoal.server.director.matches import Matches
from shoal.server.director.result import Finished
from shoal.server.director.results import Counter
from shoal.server.director.trials import Trials
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction

_log = structlog.get_logger(__name__)


@final
class Recovery:
    """Takes up what was begun elsewhere, once a lease is taken and now and then while it is held."""

    def __init__(  # noqa: PLR0913 - one for each part
        self,
        competitions: CompetitionStore,
        bots: BotStore,
        direction: Direction,
        *,
        matches: Matches,
        trials: Trials,
        challenges: Challenges,
        unheard: Unheard,
        counter: Counter,
        caught_up: Callable[[], float],
    ) -> None:
        """Read here, create matches by `matches`, and hand to `counter` those that are over.

        What ended before the monotonic moment that `caught_up` returns has been counted.
        """
        self._competitions = competitions
        self._bots = bots
        self._direction = direction
        self._matches = matches
        self._trials = trials
        self._challenges = challenges
        self._unheard = unheard
        self._counter = counter
        self._caught_up = caught_up

    async def resume(self) -> None:
        """Shut out older directors, then create every match that they have left reserved."""
        for found in await self._competitions.active():
            await self._direction.shut_out(found.competition_id)
            with one_of_many("competition_stumbled", competition=found.competition_id):
                await self._resume(found)
        with one_of_many("challenges_not_resumed"):
            await self._matches.create(await self._challenges.resume())

    async def look(self) -> None:
        """Count matches in play of which the outbox will tell nothing, or have them played again."""
        for found in await self._competitions.active():
            caught_up = self._caught_up()
            with one_of_many("matches_not_recovered", competition=found.competition_id):
                blocks = (await self._competitions.blocks(found.competition_id)).values()
                made = [each for each in blocks if not self._matches.is_expected(each.match_id)]
                for match in await self._unheard.results(found, made, caught_up):
                    with one_of_many("match_not_recovered", match=match.match_id):
                        await self._recovered(match)

    async def _resume(self, found: Competition) -> None:
        reserved: list[str] = []
        for block in (await self._competitions.blocks(found.competition_id)).values():
            with one_of_many("block_not_resumed", block=block.key):
                if block.match_id:
                    reserved.append(self._matches.expect(found, block))
        if found.is_ladder:
            with one_of_many("trials_not_resumed", ladder=found.competition_id):
                reserved += await self._trials.resume(found)
        await self._matches.create(reserved)

    async def _recovered(self, match: Finished) -> None:
        _log.error("match_recovered", match=match.match_id, ending=match.termination.value)
        following = await self._counter.count(match)
        await self._bots.end_match(match.bots, match.match_id)
        self._counter.finished(match)
        await self._counter.create([following])
