"""Makes the tables of a ladder, of whoever is there."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import structlog

from shoal.competition.explain_ladder import explain_table
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Table, Terms
from shoal.competition.specification import Ladder
from shoal.competition.stopping import Known, Stop, stopped
from shoal.server.director.basis import anchors_of, basis_of
from shoal.server.director.matches import Matches, Pairing
from shoal.server.director.memory import Memory
from shoal.server.director.progress import dissolved
from shoal.server.director.releases import Releasing
from shoal.server.director.result import NEWCOMER, Finished, with_anchors
from shoal.server.director.rooms import Room, Rooms
from shoal.server.director.rosters import Rosters, without
from shoal.server.director.trials import Trials
from shoal.server.director.waiting import Waiting
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Block, Competition, Roster, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction
from shoal.server.store.keys import now_ms
from shoal.server.store.presence import Presence
from shoal.server.store.published import Published, PublishedStore

_log = structlog.get_logger(__name__)


class Ladders:
    """Pairs the members of ladders while it holds the lease."""

    def __init__(
        self,
        competitions: CompetitionStore,
        direction: Direction,
        matches: Matches,
        trials: Trials,
        releasing: Releasing,
        published: PublishedStore,
    ) -> None:
        """Read and write here, create matches by `matches`, and leave out who is on trial."""
        self._published = published
        self._competitions = competitions
        self._direction = direction
        self._matches = matches
        self._trials = trials
        self._releasing = releasing
        self._waiting = Waiting(direction.waits)
        self._memories: dict[str, Memory] = {}
        self._began: dict[str, dict[str, float]] = {}
        self._served: dict[str, float] = {}
        self._rosters = Rosters(competitions)
        self._epochs: dict[str, dict[str, int]] = {}
        self._tidy: set[str] = set()

    def served_ms(self, found: Competition) -> float:
        """Return when a ladder last made tables, by a clock that only grows; 0: it has made none."""
        return self._served.get(found.competition_id, 0.0)

    async def look(self, found: Competition, rooms: Rooms, *, is_tick: bool) -> bool:
        """Make the tables that can be made; true if there may be more at once."""
        name, specification = found.competition_id, found.specification
        roster = await self._rosters.of(found)
        room = await rooms.room(roster.entrants)
        if not is_tick and all(room.of(bot) <= 0 for bot in room.there):
            return False
        news = self._news(name, room, is_tick=is_tick)
        released = await self._releasing.look(found, roster.entrants, news)
        if released:
            self._rosters.changed(name, *released)
            self._memory(name).begins_anew(released)
            roster = await self._rosters.of(found)
        unpaired = await self._trials.look(found, roster.entrants, room)
        roster = with_anchors(without(roster, unpaired), specification)
        memory = self._memory(name)
        pool = memory.candidates(roster, room, _clock_ms(), is_tick=is_tick)
        terms = Terms(specification.rulesets, specification.seats, rated=specification.rated)
        tables = pair(pool, terms, seed=time.time_ns())
        if is_tick:
            await self._waiting.tell(name, pool, tables, rooms)
        if not tables:
            return False
        blocks = [_block(table) for table in tables]
        await self._direction.reserve(found, blocks)
        for table in tables:
            memory.seated(table.bots, table.ruleset)
        self._served[name] = _clock_ms()
        await self._begin(found, blocks)
        return len(tables) == terms.at_most

    def is_tidy(self, found: Competition) -> bool:
        """Tell whether no table was held up when that was last looked at."""
        return found.competition_id in self._tidy

    async def tidy(self, found: Competition, rooms: Rooms) -> int:
        """Go on with tables that were held up, or dissolve them; return how many blocks are in play."""
        blocks = await self._competitions.blocks(found.competition_id)
        idle = [block for block in blocks.values() if not block.match_id]
        if not idle:
            self._tidy.add(found.competition_id)
            return len(blocks)
        self._tidy.discard(found.competition_id)
        if found.state is State.PAUSED:
            return len(blocks)
        bots = list(dict.fromkeys(bot for block in idle for bot in block.bots))
        room = await rooms.room(bots)
        members = await self._members(found, bots)
        going: list[Block] = []
        for block in idle:
            if found.state is State.FINISHED or not all(
                bot in members and bot in room for bot in block.bots
            ):
                await self._direction.end(found, dissolved(block), block)
            elif all(room.of(bot) > 0 for bot in block.bots):
                room.take(block.bots)
                going.append(replace(block, match_id=keys.new_id()))
        if going:
            await self._direction.reserve(found, (), going)
            for block in going:
                self._memory(found.competition_id).resumed(block.bots)
            await self._begin(found, going)
        return len(blocks)

    async def stop(self, found: Competition, rooms: Rooms) -> Stop | None:
        """Return by which part of its stopping rule a ladder is over, None while it goes on.

        It is not waited for bots that have not been here for long: many go without leaving. How certain
        ratings are is said by the published table.
        """
        form = found.specification.format
        if not isinstance(form, Ladder) or form.stopping == type(form.stopping)():
            return None
        roster = await self._rosters.of(found)
        away = [bot for bot in roster.entrants if not rooms.was_here_lately(bot)]
        roster = without(roster, away)
        roster = without(roster, await self._trials.paused(found, list(roster.entrants)))
        run_ms = now_ms() - (found.started_ms or found.created_ms)
        published = await self._published.get(found.competition_id)
        stop = stopped(form.stopping, _known(found, roster, published), run_ms)
        if stop is Stop.INTERVAL and not await self._is_current(found, published):
            return None
        return stop

    async def _is_current(self, found: Competition, published: Published | None) -> bool:
        """Tell whether a published table is by what holds now: of these rulings, and of these releases."""
        if published is None:
            return False
        known = await self._releasing.every(found.competition_id)
        return published.basis == basis_of(found, published.basis.place, known)

    def forget(self, found: Competition) -> None:
        """Keep no more of a ladder."""
        name = found.competition_id
        self._rosters.forget(name)
        self._waiting.forget(name)
        self._tidy.discard(name)
        for kept in (self._memories, self._served, self._epochs, self._began):
            kept.pop(name, None)

    def finished(self, match: Finished) -> None:
        """Take note of how long a match took, and that scores have changed."""
        self._rosters.changed(match.competition, *match.bots)
        began = self._began.get(match.competition, {}).pop(match.match_id, None)
        if began is not None and match.competition in self._memories:
            self._memories[match.competition].lasted(match.bots, _clock_ms() - began)

    def follows(self, ladder_id: str, match_id: str) -> None:
        """Take note that a match begins."""
        self._began.setdefault(ladder_id, {})[match_id] = _clock_ms()

    def given_up(self, match: Pairing) -> None:
        """Take note that a match does not begin after all."""
        self._began.get(match.competition_id, {}).pop(match.match_id, None)

    async def begin(self, found: Competition, block: Block) -> bool:
        """Begin a block that an organizer wants next; it has its match already. True: it is due."""
        await self._direction.reserve(found, (), [block])
        self._memory(found.competition_id).seated(block.bots, block.ruleset)
        await self._begin(found, [block])
        return True

    def _news(self, ladder_id: str, room: Room, *, is_tick: bool) -> list[Presence]:
        """Return those whose version may be another one: who has come since the last look; all at a tick."""
        before = {} if is_tick else self._epochs.get(ladder_id, {})
        self._epochs[ladder_id] = {bot: there.epoch for bot, there in room.there.items()}
        return [there for bot, there in room.there.items() if before.get(bot) != there.epoch]

    def _memory(self, ladder_id: str) -> Memory:
        """Return what is remembered of the bots of a ladder."""
        return self._memories.setdefault(ladder_id, Memory())

    async def _members(self, found: Competition, bots: Sequence[str]) -> set[str]:
        """Return those of these bots that may be paired."""
        here = await self._competitions.take_part(found.competition_id, bots)
        return here - found.rulings.excluded.keys() - await self._trials.paused(found, bots)

    async def _begin(self, found: Competition, blocks: Sequence[Block]) -> None:
        ids = [self._matches.expect(found, block) for block in blocks]
        for match_id in ids:
            self.follows(found.competition_id, match_id)
        await self._matches.create(ids)


def _block(table: Table) -> Block:
    explanation = explain_table(table)
    return Block(
        key=keys.new_id(),
        bots=table.bots,
        ruleset=table.ruleset,
        rated=table.rated,
        match_id=keys.new_id(),
        why=explanation.sentences,
        numbers=explanation.numbers,
    )


def _known(found: Competition, roster: Roster, published: Published | None) -> list[Known]:
    """Return what is known of who takes part.

    That is nothing of who is in no table or stands apart from the ladder, and all of whose rating is given.
    """
    rows = {} if published is None else published.rows
    anchors = anchors_of(found.specification)
    known = []
    for bot in roster.entrants:
        row = rows.get(bot)
        interval = math.inf if row is None or row.group > 1 else row.interval
        blocks = roster.scores.get(bot, NEWCOMER).blocks
        known.append(Known(blocks, 0.0 if bot in anchors else interval))
    return known


def _clock_ms() -> float:
    return time.monotonic() * 1000
