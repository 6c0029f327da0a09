"""Looks at all competitions whenever something may have changed, and begins what can begin."""

import asyncio
import time
from collections.abc import Callable

from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.challenges import Challenges
from shoal.server.director.counting import Counting
from shoal.server.director.forced import Forced
from shoal.server.director.ladders import Ladders
from shoal.server.director.looking import Looking
from shoal.server.director.losses import Losses
from shoal.server.director.lost import Unheard
from shoal.server.director.matches import Create, Matches, Pairing
from shoal.server.director.plans import Plans
from shoal.server.director.recounting import Recounting
from shoal.server.director.recovery import Recovery
from shoal.server.director.releases import Releasing
from shoal.server.director.result import Finished, absent
from shoal.server.director.rooms import Rooms
from shoal.server.director.settings import Settings
from shoal.server.director.tournaments import Tournaments
from shoal.server.director.trials import Trials
from shoal.server.director.turning import Turning
from shoal.server.store.bots import BotStore
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore


class Scheduler:
    """Puts parts together that run all competitions while they hold the lease of a token."""

    def __init__(  # noqa: PLR0913 - one for each part
        self,
        *,
        competitions: CompetitionStore,
        data: CompetitionData,
        bots: BotStore,
        stored: MatchStore,
        presences: PresenceStore,
        memberships: MembershipStore,
        releases: ReleaseStore,
        challenges: ChallengeStore,
        published: PublishedStore,
        direction: Direction,
        losses: Losses,
        caught_up: Callable[[], float],
        create: Create,
        settings: Settings,
    ) -> None:
        """Use these stores and this way to create a match.

        What ended before the monotonic moment that `caught_up` returns has been counted.
        """
        self._competitions = competitions
        self._unheard = Unheard(stored)
        self._presences = presences
        self._settings = settings
        self._bell = asyncio.Event()
        self._matches = Matches(create, bots, direction, settings.attempts, self._given_up)
        self._attendance = Attendance(
            settings.cool_off, settings.absence, settings.lately, time.monotonic()
        )
        self._absences = Absences(settings.recall)
        self._losses = losses
        self._trials = trials = Trials(memberships, stored, direction, self._matches, settings)
        lock = asyncio.Lock()
        releasing = Releasing(releases, memberships, direction, lock)
        self._ladders = Ladders(
            competitions, direction, self._matches, trials, releasing, published
        )
        self._challenges = Challenges(
            challenges, bots, stored, self._matches, settings.challenge_rest
        )
        self._plans = Plans(competitions, self.ring)
        self._counting = Counting(
            competitions,
            direction,
            self._matches,
            lock,
            losses=losses,
            trials=trials,
            releasing=releasing,
            over=self._plans.over,
        )
        self._recounting = Recounting(competitions, data, direction, releases, lock)
        self._looking = Looking(
            competitions,
            forced=Forced(competitions, trials),
            tournaments=Tournaments(competitions, direction, self._matches, self._plans),
            challenges=self._challenges,
            ladders=self._ladders,
            turning=Turning(competitions, direction, self.ring),
            ring=self.ring,
            forget=self._forget,
        )
        self._recovery = Recovery(
            competitions,
            bots,
            direction,
            matches=self._matches,
            trials=trials,
            challenges=self._challenges,
            unheard=self._unheard,
            counter=self,
            caught_up=caught_up,
        )

    def ring(self) -> None:
        """Look again: somebody may be free."""
        self._bell.set()

    def hear(self, what: str | None) -> None:
        """Look again: a bot has come, if one is named; None: it may be that one has, and was not heard."""
        if what != "":
            self._absences.hear(what)
        self.ring()

    async def count(self, match: Finished) -> str:
        """Count a match of a competition, and return the id of the one that follows, or "".

        One of none counts for nothing; nobody creates it any more, so its bots may be freed of it.
        """
        if not match.competition:
            await self._matches.over(match.match_id)
            return ""
        following = await self._counting.count(match)
        if following:
            self._ladders.follows(match.competition, following)
        return following

    async def create(self, match_ids: list[str]) -> None:
        """Create matches that follow others."""
        await self._matches.create(match_ids)

    def doubt(self) -> None:
        """Take note that competitions are not what they were: they have lost results."""
        self._plans.doubt()
        self.ring()

    def finished(self, match: Finished) -> None:
        """Take note that a match is over and who did not answer in it, and look again."""
        self._ladders.finished(match)
        if not match.competition:
            self._challenges.finished(match.bots)
        self._attendance.was_silent(absent(match), time.monotonic())
        self.ring()

    async def resume(self) -> None:
        """Shut out older directors, then create every match that they have left reserved."""
        await self._recovery.resume()

    async def run(self) -> None:
        """Look whenever the bell rings and at every tick, for ever."""
        next_tick = time.monotonic()
        next_check = next_tick + self._settings.check
        while True:
            is_tick = time.monotonic() >= next_tick
            if is_tick:
                next_tick = time.monotonic() + self._settings.tick
                await self._matches.retry()
            if time.monotonic() >= next_check:
                next_check = time.monotonic() + self._settings.check
                await self._recovery.look()
            await self._look(is_tick=is_tick)
            await asyncio.sleep(self._settings.breath)
            await self._await_bell(next_tick)

    async def plan(self) -> None:
        """Work out what is due in tournaments, for ever, and look again."""
        await self._plans.run()

    async def recount(self) -> None:
        """Work out again whatever an organizer has changed the results of, for ever, and look again."""
        while True:
            for found in await self._competitions.active():
                if await self._recounting.look(found):
                    self.ring()
            await asyncio.sleep(self._settings.tick)

    async def _await_bell(self, next_tick: float) -> None:
        remaining = max(0, next_tick - time.monotonic())
        try:
            async with asyncio.timeout(remaining):
                await self._bell.wait()
        except TimeoutError:
            return
        self._bell.clear()

    async def _look(self, *, is_tick: bool) -> None:
        rooms = Rooms(self._presences, self._matches, self._attendance, self._absences)
        await self._looking.look(rooms, is_tick=is_tick)

    def _given_up(self, match: Pairing) -> None:
        self._ladders.given_up(match)

    def _forget(self, found: Competition) -> None:
        """Keep no more of a competition that is done with for good."""
        self._plans.forget(found)
        self._ladders.forget(found)
        self._trials.forget(found)
        self._losses.forget(found.competition_id)
        self._unheard.forget(found)
