"""Blocks that organizers want next: what comes of them at each look of a director."""

import asyncio
from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder, RoundRobin, Specification
from shoal.server.director import MAIN
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block, State
from shoal.server.store.direction import Direction
from shoal.server.store.pipe import Pipe

from .arena import NOTE, Arena
from .looks import Looks


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    form = Ladder(trial=False)
    await arena.make(replace(MAIN, format=form, seats=(2,)), "main")
    await arena.make(replace(MAIN, name="other", format=form, seats=(2,)), "other")
    return arena


async def busy(arena: Arena, *bots: str) -> str:
    """Let a match begin that keeps these bots busy."""
    match_id = keys.new_id()
    await arena.stores.bots.add_match(bots, match_id)
    return match_id


async def begin(arena: Arena, cup: str) -> None:
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)


async def force(arena: Arena, competition_id: str, key: str, *bots: str) -> None:
    found = await arena.competitions.get(competition_id)
    block = Block(key, bots, "base", rated=True, why=("An organizer has asked for it.",))
    await arena.competitions.force(found, block, NOTE)


@pytest.mark.parametrize("rival", ["ladder", "tournament"])
async def test_places_are_kept_for_it_whoever_comes_first_in_a_look(
    arena: Arena, rival: str
) -> None:
    """If one of its bots comes free before the other, neither another ladder nor a tournament takes it."""
    x, y, z, *others = await arena.arrive(*"xyzpq", seats=(2,))
    name = "other"
    if rival == "tournament":
        name = await arena.make(Specification("cup", RoundRobin(), seats=(2,)), state=State.OPEN)
    for_x, for_y = [await busy(arena, bot) for bot in (x, y)]
    looks = Looks(arena)
    await looks.look()
    assert not set(looks.tables[0]) & {x, y}  # so the ladder is the one that had its turn last
    await arena.enter(name, Entrant(x, x), Entrant(z, z))
    if rival == "tournament":
        await begin(arena, name)
    await force(arena, "main", keys.new_id(), x, y)
    for pairing in looks.made:
        await arena.stores.bots.end_match(pairing.bots, pairing.match_id)
    looks.made.clear()
    await busy(arena, *others)
    await arena.stores.bots.end_match([x], for_x)
    planning = asyncio.create_task(looks.scheduler.plan())
    await looks.look(3)
    assert looks.tables == []
    await arena.stores.bots.end_match([y], for_y)
    await looks.look()
    assert looks.tables[0] == {x, y}
    planning.cancel()


@pytest.mark.parametrize("turn", ["organizer", "director"])
async def test_what_does_not_run_takes_it_back(arena: Arena, turn: str) -> None:
    """A pause, and whatever else stops a competition, frees its places, and another may be forced."""
    x, y = await arena.arrive(*"xy", seats=(2,))
    await busy(arena, y)
    await force(arena, "main", "block", x, y)
    found = await arena.competitions.get("main")
    assert found.forced == "block"
    if turn == "organizer":
        await arena.competitions.turn(found, [State.RUNNING], State.PAUSED, NOTE)
    else:
        await Direction(arena.pipe, 1).turn(found, State.DRAINING, NOTE, "its time is over")
    assert (await arena.competitions.get("main")).forced == ""
    assert await arena.competitions.blocks("main") == {}


async def test_what_has_begun_is_not_taken_back(arena: Arena) -> None:
    """If its match has begun, a pause changes nothing about it."""
    x, y = await arena.arrive(*"xy", seats=(2,))
    await force(arena, "main", "block", x, y)
    looks = Looks(arena)
    await looks.look()
    assert looks.tables == [{x, y}]
    found = await arena.competitions.get("main")
    assert found.forced == ""
    await arena.competitions.turn(found, [State.RUNNING], State.PAUSED, NOTE)
    assert (await arena.competitions.blocks("main")).keys() == {"block"}


async def test_in_a_tournament_it_is_due_as_before_when_it_is_taken_back(arena: Arena) -> None:
    """Nothing of the plan is lost: it is played when the tournament goes on."""
    x, y = await arena.arrive(*"xy", seats=(2,), joined=False)
    cup = await arena.make(Specification("cup", RoundRobin(), seats=(2,)), state=State.OPEN)
    await arena.enter(cup, Entrant(x, x), Entrant(y, y))
    await begin(arena, cup)
    await force(arena, cup, "0.0.0", x, y)
    for before, after in ((State.RUNNING, State.PAUSED), (State.PAUSED, State.RUNNING)):
        found = await arena.competitions.get(cup)
        await arena.competitions.turn(found, [before], after, NOTE)
    assert await arena.competitions.blocks(cup) == {}
    async with arena.directing():
        assert set((await arena.next_match()).bots) == {x, y}
