"""How many more matches a bot takes, while results are counted and matches follow each other (T77)."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from shoal.competition.specification import Ladder
from shoal.server.director import MAIN, Pairing
from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.matches import Matches
from shoal.server.director.rooms import Rooms
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.presence import Presence, PresenceStore
from shoal.server.store.waits import Kept

from .arena import QUICK, Arena

MATCHES = 200
"""How many matches the law is held against."""


class SlowPresences(PresenceStore):
    """What was read of bots, given to who asked after their next match was made."""

    def __init__(self, pipe: Pipe, matches: Matches, arena: Arena) -> None:
        super().__init__(pipe)
        self._matches = matches
        self._arena = arena

    async def get_many(self, bot_ids: Sequence[str]) -> list[Presence | None]:
        read = await super().get_many(bot_ids)
        block = Block("block", tuple(bot_ids), "base", rated=True, match_id=keys.new_id())
        found = await self._arena.competitions.get("main")
        await self._matches.create([self._matches.expect(found, block)])
        return read


async def test_a_match_that_begins_while_lists_are_read_takes_room(
    pipe: Pipe, bells: Bells
) -> None:
    """If a match was not there yet when lists were read, and is made before they are looked at."""
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    a, b = await arena.arrive("a", "b")
    matches = Matches(arena.create, arena.stores.bots, Direction(pipe, 1), attempts=1)
    presences = SlowPresences(pipe, matches, arena)
    room = await Rooms(presences, matches, Attendance(1, 1, 1, 0), Absences(1)).room([a, b])
    assert (room.of(a), room.of(b)) == (0, 0)


async def test_what_begins_or_is_kept_later_takes_room(pipe: Pipe, bells: Bells) -> None:
    """Also what the same look has begun or kept after it has read; who is away has none."""
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    a, b = await arena.arrive("a", "b", room=3)
    matches = Matches(arena.create, arena.stores.bots, Direction(pipe, 1), attempts=1)
    rooms = Rooms(arena.stores.presences, matches, Attendance(1, 1, 1, 0), Absences(1))
    room = await rooms.room([a, b, keys.new_id()])
    assert room.there.keys() == {a, b}
    rooms.hold([a], Kept.FORCED)
    rooms.hold([a], Kept.TOURNAMENT)
    assert (rooms.held(a), rooms.held(b)) == (Kept.FORCED, None)
    room.take([a, b])
    assert (room.of(a), room.of(b), room.of("nobody")) == (1, 2, 0)
    assert (room.busy(a), room.beside(b)) == (2, 1)


class Tables:
    """Who plays how much at once; every match ends after a moment."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._random = random.Random(1)
        self._playing: set[asyncio.Task[None]] = set()
        self._begun: set[str] = set()
        self.at_once: Counter[str] = Counter()
        self.most = 0
        self.enough = asyncio.Event()

    async def create(self, pairing: Pairing) -> None:
        """Create a match, and let it end by itself."""
        await self._arena.create(pairing)
        if pairing.match_id in self._begun:
            return
        self._begun.add(pairing.match_id)
        self.at_once.update(pairing.bots)
        self.most = max(self.most, *(self.at_once[bot] for bot in pairing.bots))
        task = asyncio.create_task(self._play(pairing))
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)
        if len(self._begun) >= MATCHES:
            self.enough.set()

    async def _play(self, pairing: Pairing) -> None:
        await asyncio.sleep(self._random.uniform(0.05, 0.3))  # the length of a match
        self.at_once.subtract(pairing.bots)
        await self._arena.finish(pairing)

    async def stop(self) -> None:
        """End what is in play."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


async def test_nobody_sits_at_more_tables_than_it_takes(pipe: Pipe, bells: Bells) -> None:
    """In a hall in which matches end, and others follow, all the time."""
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, format=Ladder(trial=False), seats=(2,)), "main")
    await arena.arrive(*map(str, range(20)), seats=(2,))
    tables = Tables(arena)
    async with arena.directing(tables.create, settings=replace(QUICK, tick=0.5, breath=0.005)):
        async with asyncio.timeout(60):
            await tables.enough.wait()
    await tables.stop()
    assert tables.most == 1
