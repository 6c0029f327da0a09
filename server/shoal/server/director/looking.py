"""A look at all competitions: whatever can begin there begins, and what is over comes to its end."""

from collections.abc import Callable
from typing import final

from shoal.server.director.challenges import Challenges
from shoal.server.director.forced import Forced
from shoal.server.director.ladders import Ladders
from shoal.server.director.rooms import Rooms
from shoal.server.director.tournaments import Tournaments
from shoal.server.director.turning import Turning
from shoal.server.guard import one_of_many
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.waits import Kept


@final
class Looking:
    """Gives every competition its turn.

    What organizers want next comes before all else. Tournaments come before ladders, and older ones before
    younger ones: they have an end to reach, and need certain bots at the same time, while a ladder takes
    whoever is there. Of ladders the one comes first that has made no table for the longest time: their
    members may be the same.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        *,
        forced: Forced,
        tournaments: Tournaments,
        challenges: Challenges,
        ladders: Ladders,
        turning: Turning,
        ring: Callable[[], None],
        forget: Callable[[Competition], None],
    ) -> None:
        """Look by these; `ring` asks for another look, and what is done with for good is told to `forget`."""
        self._competitions = competitions
        self._forced = forced
        self._tournaments = tournaments
        self._challenges = challenges
        self._ladders = ladders
        self._turning = turning
        self._ring = ring
        self._forget = forget

    async def look(self, rooms: Rooms, *, is_tick: bool) -> None:
        """Look at all of them, within the room that bots have."""
        active = sorted(await self._competitions.active(), key=_order)
        # First of all: of what is over nothing begins any more, not even what an organizer wants next.
        order = [found for found in active if not await self._turn_safely(found)]
        for found in order:
            await self._force_safely(found, rooms)
        first_ladder = sum(not found.is_ladder for found in order)
        for found in order[:first_ladder]:
            await self._look_safely(found, rooms, is_tick=is_tick)
        with one_of_many("challenges_stumbled"):
            await self._challenges.look(rooms)
        for found in sorted(order[first_ladder:], key=self._ladders.served_ms):
            await self._look_safely(found, rooms, is_tick=is_tick)

    async def _turn_safely(self, found: Competition) -> bool:
        """Begin or end a competition whose time has come; true if it is left alone in this look."""
        with one_of_many("competition_stumbled", competition=found.competition_id):
            try:
                return await self._turning.by_time(found)
            except Stale:
                self._ring()
        return True

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
                self._ring()

    async def _look_safely(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        with one_of_many("competition_stumbled", competition=found.competition_id):
            await self._look(found, rooms, is_tick=is_tick)

    async def _look(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        """Do for one competition what can be done now."""
        try:
            if found.is_ladder:
                await self._look_at_ladder(found, rooms, is_tick=is_tick)
            else:
                await self._look_at_tournament(found, rooms)
        except Stale:
            self._ring()

    async def _look_at_ladder(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> None:
        # What was held up has had its turn already: it comes before new tables.
        in_play = 0
        if is_tick or not self._ladders.is_tidy(found):
            in_play = await self._ladders.tidy(found, rooms)
        if found.state is State.RUNNING and await self._ladders.look(found, rooms, is_tick=is_tick):
            self._ring()
        if not is_tick:
            return
        if found.state is State.RUNNING:
            stop = await self._ladders.stop(found, rooms)
            if stop is not None:
                await self._turning.drain(found, stop)
        elif not in_play:
            await self._end(found)

    async def _look_at_tournament(self, found: Competition, rooms: Rooms) -> None:
        all_over = await self._tournaments.look(found, rooms)
        if all_over and found.state is not State.PAUSED:
            await self._end(found)

    async def _end(self, found: Competition) -> None:
        """Finish a competition that has nothing in play, or pause it; forget one that is done with."""
        if await self._turning.end(found):
            self._forget(found)


def _order(found: Competition) -> tuple[bool, int, str]:
    return (found.is_ladder, found.created_ms, found.competition_id)
