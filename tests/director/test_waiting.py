"""What a director tells of those who wait on a ladder, for those who ask why (T81)."""

from collections.abc import Callable

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.director import MAIN
from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.matches import Matches
from shoal.server.director.rooms import Rooms
from shoal.server.director.waiting import Waiting
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block, State
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe
from shoal.server.store.waits import Kept, Waits, WaitStore

from .arena import NOTE, Arena, until


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return arena


async def told(arena: Arena, holds: Callable[[Waits], bool]) -> Waits:
    """Wait until what is told of the ladder is so, and return it."""
    store = WaitStore(arena.pipe)
    found: list[Waits] = []

    async def is_told() -> bool:
        waits = await store.get("main")
        if waits is not None and holds(waits):
            found.append(waits)
        return bool(found)

    await until(is_told)
    return found[0]


async def test_without_a_director_nothing_is_told(arena: Arena) -> None:
    """So whoever asks can be told that none is there."""
    await arena.arrive("a")
    assert await WaitStore(arena.pipe).get("main") is None


async def test_who_has_room_and_no_table_is_told_of(arena: Arena) -> None:
    """With its room and ticks; who sits at a table is not, and waits again when that is over."""
    a, b, c = await arena.arrive("a", "b", "c", seats=(2,))
    async with arena.directing():
        match = await arena.next_match()
        (left,) = {a, b, c} - set(match.bots)
        waits = await told(arena, lambda waits: waits.bots.keys() == {left})
        assert waits.bots[left].room == 1
        later = await told(arena, lambda waits: waits.bots.get(left) == _with_ticks(waits, left, 2))
        assert later.bots[left].since_ms >= waits.bots[left].since_ms - 100


def _with_ticks(waits: Waits, bot: str, ticks: int) -> object:
    wait = waits.bots.get(bot)
    return wait if wait is not None and wait.ticks == ticks else object()


async def test_who_did_not_come_is_told_to_be_left_alone(arena: Arena) -> None:
    """It is no candidate then, so nothing else could say why it gets no table."""
    a, b = await arena.arrive("a", "b", seats=(2,))
    async with arena.directing():
        match = await arena.next_match()
        left = ["no_show" if bot == a else "" for bot in match.bots]
        await arena.finish(match, termination="no_show", left=left)
        waits = await told(arena, lambda waits: bool(waits.left_alone))
    assert waits.left_alone == {a}
    assert waits.bots.keys() == {b}


async def test_a_place_that_is_kept_for_a_tournament_is_told_of(arena: Arena) -> None:
    """A bot whose opponent of a tournament is busy has a free place that no ladder gets."""
    a, b = await arena.arrive("a", "b", seats=(2,))
    cup = await arena.make(Specification("cup", RoundRobin()), state=State.OPEN)
    async with arena.directing():
        await arena.next_match()  # of the ladder: both are busy
        (c,) = await arena.arrive("c", seats=(2,))
        await arena.enter(cup, *(Entrant(bot, bot) for bot in (a, c)))
        found = await arena.competitions.get(cup)
        await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
        waits = await told(arena, lambda waits: c in waits.bots and waits.bots[c].kept)
    assert b not in waits.bots
    assert waits.bots[c].kept is Kept.TOURNAMENT


async def test_a_place_that_is_kept_for_a_forced_table_is_told_of(arena: Arena) -> None:
    """It may have to wait for long, and it is no tournament that the bot waits for."""
    a, b, c = await arena.arrive("a", "b", "c", seats=(2,))
    async with arena.directing():
        match = await arena.next_match()
        (free,) = {a, b, c} - {*match.bots}
        found = await arena.competitions.get("main")
        block = Block(keys.new_id(), (free, match.bots[0]), "base", rated=True)
        await arena.competitions.force(found, block, NOTE)
        waits = await told(arena, lambda waits: free in waits.bots and bool(waits.bots[free].kept))
    assert waits.bots[free].kept is Kept.FORCED


class CountingWaits(WaitStore):
    """Tells how often something was told."""

    told = 0

    async def keep(self, ladder_id: str, waits: Waits) -> None:
        self.told += 1
        await super().keep(ladder_id, waits)


async def test_of_a_ladder_that_is_over_nothing_is_remembered(arena: Arena) -> None:
    """What was told of it before is not kept for comparing."""
    matches = Matches(arena.create, arena.stores.bots, Direction(arena.pipe, 1), attempts=1)
    rooms = Rooms(arena.stores.presences, matches, Attendance(1, 1, 1, 0), Absences(1))
    waits = CountingWaits(arena.pipe)
    waiting = Waiting(waits)
    for _ in range(2):
        await waiting.tell("main", (), (), rooms)
    assert waits.told == 1
    waiting.forget("main")
    await waiting.tell("main", (), (), rooms)
    assert waits.told == 2
