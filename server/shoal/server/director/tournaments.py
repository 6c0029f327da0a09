"""Plays the plan of a tournament: what is due and not in play begins as soon as its bots have room."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from shoal.competition.agenda import Agenda
from shoal.competition.plan import Planned
from shoal.server.director.matches import Matches
from shoal.server.director.plans import Plans
from shoal.server.director.progress import dissolved, forfeited
from shoal.server.director.rooms import Rooms
from shoal.server.store import keys
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Block, Competition, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.presence import Presence
from shoal.server.store.waits import Kept

_AT_MOST = 64
"""How many blocks of one tournament begin in one look."""


class Tournaments:
    """Plays tournaments while it holds the lease."""

    def __init__(
        self, competitions: CompetitionStore, direction: Direction, matches: Matches, plans: Plans
    ) -> None:
        """Read and write here, create matches by `matches`, and play by `plans`."""
        self._competitions = competitions
        self._direction = direction
        self._matches = matches
        self._plans = plans

    async def look(self, found: Competition, rooms: Rooms) -> bool:
        """Begin what can begin; true if nothing is due or in play any more.

        While it is worked out what is due, nothing begins. Raises Stale if it must be looked at again:
        something has changed meanwhile.
        """
        blocks, others = await self._competitions.blocks_and_others(found.competition_id)
        # One that cannot be read is due, and does not begin: it holds up the end until it is mended.
        in_play = blocks.keys() | others
        is_running = found.state is State.RUNNING
        agenda = await self._plans.agenda(found) if is_running else Agenda(())
        if agenda is None:
            return False
        idle = [block for block in blocks.values() if not block.match_id]
        if found.state is State.FINISHED:
            for block in idle:
                await self._direction.end(found, dissolved(block), block)
        elif found.state is not State.PAUSED:
            if await self._bar(found, idle, agenda, in_play):
                raise Stale(found.competition_id)
            if is_running:
                await self._take_back_in_vain(found, blocks.get(found.forced), agenda)
            await self._begin(found, blocks, in_play, agenda, rooms)
        return not in_play and not agenda

    async def begin(self, found: Competition, block: Block) -> bool:
        """Begin a block that an organizer wants next; it has its match already. Raises Stale.

        False while it is worked out what is due: it may be due no more.
        """
        agenda = await self._plans.agenda(found)
        if agenda is None:
            return False
        await self._take_back_in_vain(found, replace(block, match_id=""), agenda)
        await self._direction.reserve(found, (), [block])
        await self._matches.create([self._matches.expect(found, block)])
        return True

    async def _take_back_in_vain(
        self, found: Competition, forced: Block | None, agenda: Agenda
    ) -> None:
        """Take back a block that an organizer wants next and that is not due any more. Raises Stale then."""
        if _is_in_vain(forced, agenda):
            await self._direction.drop(found.competition_id, found.forced, "")
            raise Stale(found.competition_id)

    async def _bar(
        self, found: Competition, idle: Iterable[Block], agenda: Agenda, in_play: Container[str]
    ) -> bool:
        """End the blocks of excluded bots that wait or have not begun; tell whether there were any."""
        excluded = found.rulings.excluded
        waiting = [block for block in idle if not excluded.keys().isdisjoint(block.bots)]
        due = [_block(each) for each in agenda.of_bots(excluded)]
        new = [block for block in due if block.key not in in_play]
        begun = [(block, block) for block in waiting]
        for before, block in (*begun, *((None, block) for block in new)):
            ended = forfeited(block, excluded)
            rev = await self._direction.end(found, ended, before)
            if rev:
                self._plans.over(found, ended, rev)
        return bool(waiting or new)

    async def _begin(
        self,
        found: Competition,
        blocks: Mapping[str, Block],
        in_play: Container[str],
        agenda: Agenda,
        rooms: Rooms,
    ) -> None:
        """Begin the first blocks whose bots have room, and hold the bots of others that could play.

        Those that have begun and wait come before those that are due.
        """
        idle = [block for block in blocks.values() if not block.match_id]
        busy = {bot for block in blocks.values() if block.match_id for bot in block.bots}
        bots = dict.fromkeys(bot for block in idle for bot in block.bots)
        room, there = await _room([*bots, *(agenda.bots - bots.keys())], rooms, busy)
        new = (
            _block(each)
            for each in agenda.of_free_bots(lambda bot: room[bot] > 0)
            if str(each.key) not in in_play
        )
        beginning: list[Block] = []
        for block in chain(idle, new):
            if not all(bot in room and _plays(bot, block, there, rooms) for bot in block.bots):
                continue
            free = [bot for bot in block.bots if room[bot] > 0]
            if len(free) == len(block.bots):
                room.subtract(block.bots)
                beginning.append(replace(block, match_id=keys.new_id()))
            else:
                rooms.hold(free, Kept.TOURNAMENT)
            if len(beginning) == _AT_MOST:
                rooms.hold((bot for bot in agenda.bots if room[bot] > 0), Kept.TOURNAMENT)
                break
        if beginning:
            await self._direction.reserve(
                found,
                [block for block in beginning if block.key not in in_play],
                [block for block in beginning if block.key in in_play],
            )
            ids = [self._matches.expect(found, block) for block in beginning]
            await self._matches.create(ids)


async def _room(
    bots: Sequence[str], rooms: Rooms, busy: Collection[str]
) -> tuple[Counter[str], dict[str, Presence]]:
    """Return the room of those bots that can be seated, and those of them that are present.

    The others have been waited for in vain. For one that does not come a match is made all the same: it is
    not played, and by the rules of blocks the third one is the end of its block.
    """
    here = await rooms.room(bots)
    room = Counter({bot: here.of(bot) for bot in here.there})
    away = [bot for bot in bots if bot not in room and rooms.is_given_up(bot)]
    absent = await rooms.of_absent(away)
    for bot in away:
        room[bot] = 0 if bot in busy else absent[bot]
    return room, here.there


def _plays(bot: str, block: Block, there: Mapping[str, Presence], rooms: Rooms) -> bool:
    """Tell whether a bot offers to play such a table; one that does not is waited for as if it were away."""
    presence = there.get(bot)
    return presence is None or not rooms.is_waited_for(presence, block.ruleset, len(block.bots))


def _is_in_vain(forced: Block | None, agenda: Agenda) -> bool:
    """Tell whether a block that an organizer wants next has not begun, and is not due any more."""
    if forced is None or forced.match_id or forced.tries:
        return False
    return forced.key not in agenda


def _block(planned: Planned) -> Block:
    return Block(str(planned.key), planned.bots, planned.ruleset, planned.rated)
