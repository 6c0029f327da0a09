"""Blocks that organizers want next come before all else: they begin, or places are kept for them."""

from dataclasses import replace
from typing import final

from shoal.server.director.rooms import Rooms
from shoal.server.director.trials import Trials
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Block, Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.waits import Kept


@final
class Forced:
    """Looks at forced blocks before any competition has its turn.

    Whoever comes first in a look would take the places otherwise: what was made for others a moment ago is
    looked at before the ladder that has just made tables.
    """

    def __init__(self, competitions: CompetitionStore, trials: Trials) -> None:
        """Read here, and ask who is paired."""
        self._competitions = competitions
        self._trials = trials

    async def look(self, found: Competition, rooms: Rooms) -> Block | None:
        """Return the forced block of a competition if it can begin, with the id of its match.

        Else a place of each of its bots is kept for it, if all of them are here. If one of them has gone, a
        ladder dissolves it with the next tick, as any table, and a tournament waits as for any bot.
        """
        block = await self._competitions.block(found.competition_id, found.forced)
        if block is None or block.match_id:
            return None
        room = await rooms.room(block.bots)
        members = await self._members(found, block)
        for bot in block.bots:
            there = room.there.get(bot)
            if there is None or bot not in members:
                return None
            if rooms.is_waited_for(there, block.ruleset, len(block.bots)):
                return None
        if all(room.of(bot) > 0 for bot in block.bots):
            return replace(block, match_id=keys.new_id())
        rooms.hold(block.bots, Kept.FORCED)
        return None

    async def _members(self, found: Competition, block: Block) -> set[str]:
        """Return those of its bots that may play it."""
        here = await self._competitions.take_part(found.competition_id, block.bots)
        here -= found.rulings.excluded.keys()
        return here - await self._trials.paused(found, block.bots) if found.is_ladder else here
