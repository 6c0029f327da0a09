"""A director that runs for long: what it remembers does not grow with what is over."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import Format, Ladder, RoundRobin, Specification, Stopping
from shoal.server.director import Pairing
from shoal.server.director.result import finished
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import State
from shoal.server.store.pipe import Pipe

from .arena import NOTE, Arena
from .looks import ATTEMPTS, Looks


def places(thing: object, word: str, path: str = "") -> Iterator[str]:
    """Yield where something of ours remembers a word."""
    seen: set[int] = set()
    waiting = [(thing, path)]
    while waiting:
        each, where = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if each == word:
            yield where
        elif isinstance(each, Mapping):
            waiting += [(key, f"{where}, a key") for key in each]
            waiting += [(value, f"{where}[{key!r}]") for key, value in each.items()]
        elif isinstance(each, AbstractSet | list | tuple):
            waiting += [(item, f"{where}, an item") for item in each]
        elif type(each).__module__.startswith("shoal.server"):
            slots = getattr(type(each), "__slots__", ())
            names = [*getattr(each, "__dict__", {}), *(s for s in slots if hasattr(each, s))]
            waiting += [(getattr(each, name), f"{where}.{name}") for name in names]


async def end(looks: Looks, arena: Arena, match: Pairing) -> None:
    """Let a match be over as the reader of results does, and create the one that follows."""
    payload = {
        "match": match.match_id,
        "ladder": match.competition_id,
        "rated": True,
        "bots": match.bots,
        "placements": [seat + 1 for seat, _ in enumerate(match.bots)],
        "termination": "target",
        "left": ["" for _ in match.bots],
        "ended_ms": 1,
    }
    result = finished(json.dumps(payload).encode())
    following = await looks.scheduler.count(result)
    await arena.stores.bots.end_match(match.bots, match.match_id)
    looks.scheduler.finished(result)
    await looks.scheduler.create([following])


@pytest.mark.parametrize(
    "form",
    [RoundRobin(), Ladder(Stopping(blocks_per_bot=1), trial=False)],
    ids=["tournament", "ladder"],
)
async def test_nothing_is_remembered_of_a_competition_that_is_over(
    pipe: Pipe, bells: Bells, form: Format
) -> None:
    arena = Arena(pipe, bells)
    looks = Looks(arena)
    bots = await arena.arrive("a", "b", joined=False)
    name = "weekly" if isinstance(form, Ladder) else ""
    cup = await arena.make(Specification("cup", form, seats=(2,)), name, State.OPEN)
    await arena.enter(cup, *map(Entrant, bots))
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)
    planning = asyncio.create_task(looks.scheduler.plan())
    remembered = False
    async with asyncio.timeout(60):
        while await arena.competitions.active():
            await looks.look()
            await looks.recover()
            remembered |= bool(list(places(looks.losses, cup)))
            while looks.made:
                await end(looks, arena, looks.made.pop())
    planning.cancel()
    assert remembered
    assert (await arena.competitions.get(cup)).state is State.FINISHED
    assert list(places(looks.scheduler, cup, "scheduler")) == []
    assert list(places(looks.losses, cup, "losses")) == []


async def test_nothing_is_remembered_of_a_match_that_was_given_up(pipe: Pipe, bells: Bells) -> None:
    """Also where its ladder goes on for ever."""
    arena = Arena(pipe, bells)
    looks = Looks(arena)
    await arena.make(Specification("main", Ladder(trial=False), seats=(2,)), "main")
    await arena.arrive("a", "b")
    looks.fails = True
    await looks.look()
    (block,) = (await arena.competitions.blocks("main")).values()
    assert list(places(looks.scheduler, block.match_id))
    for _ in range(ATTEMPTS):
        await looks.retry()
    assert await arena.competitions.blocks("main") == {}
    assert list(places(looks.scheduler, block.match_id, "scheduler")) == []
