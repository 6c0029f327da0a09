"""Looks at all competitions whenever something may have changed, and begins what can begin."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from shoal.server.director.attendance import Attendance
from shoal.server.director.challenges import Challenges
from shoal.server.director.counting import Counting
from shoal.server.director.forced import Forced
from shoal.server.director.ladders import Ladders
from shoal.server.director.losses import Losses
from shoal.server.director.lost import Unheard
from shoal.server.director.matches import Create, Matches
from shoal.server.director.plans import Plans
from shoal.server.director.recounting import Recounting
from shoal.server.director.releases import Releasing
from shoal.server.director.result import Finished, absent
from shoal.server.director.rooms import Rooms
from shoal.server.director.settings import Settings
from shoal.server.director.tournaments import Tournaments
from shoal.server.director.trials import Trials
from shoal.server.guard import one_of_many
from shoal.server.store.bots import BotStore
from shoal.server.store.challenges import ChallengeStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore, Stale, now_ms
from shoal.server.store.direction import Direction
from shoal.server.store.matches import MatchStore
from shoal.server.store.memberships import MembershipStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.published import PublishedStore
from shoal.server.store.releases import ReleaseStore
from shoal.server.store.waits import Kept

_log = structlog.get_logger(__name__)

_WHO: Final = "director"


class Scheduler:
    """Runs all competitions while it holds the lease of its token.

    What organizers want next comes before all else. Tournaments come before ladders, and older ones before
    younger ones: they have an end to reach, and need certain bots at the same time, while a ladder takes
    whoever is there. Of ladders the one comes first that has made no table for the longest time: their
    members may be the same.
    """

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
        self._bots = bots
        self._unheard = Unheard(stored)
        self._caught_up = caught_up
        self._presences = presences
        self._direction = direction
        self._settings = settings
        self._bell = asyncio.Event()
        self._matches = Matches(create, bots, direction, settings.attempts)
        self._attendance = Attendance(
            settings.cool_off, settings.absence, settings.lately, time.monotonic()
        )
        self._trials = trials = Trials(memberships, stored, direction, self._matches, settings)
        lock = asyncio.Lock()
        releasing = Releasing(releases, memberships, direction, lock)
        self._ladders = Ladders(
            competitions, direction, self._matches, trials, releasing, published
        )
        self._forced = Forced(competitions, trials)
        self._challenges = Challenges(
            challenges, bots, stored, self._matches, settings.challenge_rest
        )
        self._plans = Plans(competitions, self.ring)
        self._tournaments = Tournaments(competitions, direction, self._matches, self._plans)
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

    def ring(self) -> None:
        """Look again: somebody may be free."""
        self._bell.set()

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
        for found in await self._competitions.active():
            await self._direction.shut_out(found.competition_id)
            with one_of_many("competition_stumbled", competition=found.competition_id):
                await self._resume(found)
        with one_of_many("challenges_not_resumed"):
            await self._matches.create(await self._challenges.resume())

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
                await self._recover()
            await self._look_at_all(is_tick=is_tick)
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

    async def _recover(self) -> None:
        """Count matches in play of which the outbox will tell nothing, or have them played again."""
        for found in await self._competitions.active():
            caught_up = self._caught_up()
            with one_of_many("matches_not_recovered", competition=found.competition_id):
                blocks = (await self._competitions.blocks(found.competition_id)).values()
                made = [each for each in blocks if not self._matches.is_expected(each.match_id)]
                for match in await self._unheard.results(found, made, caught_up):
                    with one_of_many("match_not_recovered", match=match.match_id):
                        await self._recovered(match)

    async def _recovered(self, match: Finished) -> None:
        _log.error("match_recovered", match=match.match_id, ending=match.termination.value)
        following = await self.count(match)
        await self._bots.end_match(match.bots, match.match_id)
        self.finished(match)
        await self.create([following])

    async def _await_bell(self, next_tick: float) -> None:
        remaining = max(0, next_tick - time.monotonic())
        try:
            async with asyncio.timeout(remaining):
                await self._bell.wait()
        except TimeoutError:
            return
        self._bell.clear()

    async def _look_at_all(self, *, is_tick: bool) -> None:
        rooms = Rooms(self._presences, self._matches, self._attendance)
        order = sorted(await self._competitions.active(), key=_order)
        for found in order:
            await self._force_safely(found, rooms)
        first_ladder = sum(not found.is_ladder for found in order)
        for found in order[:first_ladder]:
            await self._look_safely(found, rooms, is_tick=is_tick)
        await self._challenges.look(rooms)
        for found in sorted(order[first_ladder:], key=self._ladders.served_ms):
            await self._look_safely(found, rooms, is_tick=is_tick)

    async def _force_safely(self, found: Competition, rooms: Rooms) -> None:
        """Begin the block that an organizer wants next, or keep places for it."""
        if not found.forced or found.state is not State.RUNNING:
            return
        with one_of_many("competition_stumbled", competition=found.competition_id):
            block = await self._forced.look(found, rooms)
            if block is None:
                return
            plays = self._ladders if found.is_ladder else self._tournaments
            try:
                if not await plays.begin(found, block):
                    rooms.hold(block.bots, Kept.FORCED)
            except Stale:
                self.ring()

    async def _look_safely(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        with one_of_many("competition_stumbled", competition=found.competition_id):
            await self._look(found, rooms, is_tick=is_tick)

    async def _look(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        """Do for one competition what can be done now."""
        try:
            if found.state is State.OPEN:
                await self._open(found)
            elif found.state is State.RUNNING and _is_late(found):
                # First of all: nothing begins any more.
                await self._turn(found, State.DRAINING, "its time is over")
            elif found.is_ladder:
                await self._look_at_ladder(found, rooms, is_tick=is_tick)
            else:
                await self._look_at_tournament(found, rooms)
        except Stale:
            self.ring()

    async def _open(self, found: Competition) -> None:
        """Begin a competition whose time has come."""
        starts_ms = found.specification.starts_ms
        if starts_ms is not None and now_ms() >= starts_ms:
            await self._turn(found, State.RUNNING, "its time has come")

    async def _look_at_ladder(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        # What was held up has had its turn already: it comes before new tables.
        in_play = 0
        if is_tick or not self._ladders.is_tidy(found):
            in_play = await self._ladders.tidy(found, rooms)
        if found.state is State.RUNNING and await self._ladders.look(found, rooms, is_tick=is_tick):
            self.ring()
        if not is_tick:
            return
        if found.state is State.RUNNING:
            stop = await self._ladders.stop(found, rooms)
            if stop is not None:
                await self._turn(found, State.DRAINING, stop.value)
        elif not in_play:
            await self._end(found)

    async def _look_at_tournament(self, found: Competition, rooms: Rooms) -> None:
        all_over = await self._tournaments.look(found, rooms)
        if all_over and found.state is not State.PAUSED:
            await self._end(found)

    async def _end(self, found: Competition) -> None:
        """Finish a competition that has nothing in play, and look at it no more; pause one that drains."""
        if found.state is State.RUNNING:
            await self._turn(found, State.FINISHED, await self._why_nothing_is_due(found))
        elif found.state is State.DRAINING and found.is_ending:
            await self._turn(found, State.FINISHED, found.ended)
        elif found.state is State.DRAINING:
            await self._turn(found, State.PAUSED, "drained: what had begun is played")
        elif found.state is State.FINISHED and not found.is_recounting:
            self._plans.forget(found)
            self._ladders.forget(found)
            self._unheard.forget(found)
            await self._direction.retire(found.competition_id)

    async def _why_nothing_is_due(self, found: Competition) -> str:
        over, _ = await self._competitions.count_blocks(found.competition_id)
        if over:
            return "all has been played"
        entered = await self._competitions.count_entrants(found.competition_id)
        return f"nobody has anybody to play: {entered} have entered"

    async def _turn(self, found: Competition, state: State, why: str) -> None:
        note = Note(now_ms(), _WHO, state.value, why=why)
        ended = why if state in {State.DRAINING, State.FINISHED} else ""
        await self._direction.turn(found, state, note, ended)
        _log.info("competition_turned", id=found.competition_id, state=state.value, why=why)
        self.ring()


def _order(found: Competition) -> tuple[bool, int, str]:
    return (found.is_ladder, found.created_ms, found.competition_id)


def _is_late(found: Competition) -> bool:
    ends_ms = found.specification.ends_ms
    return ends_ms is not None and now_ms() >= ends_ms
