"""What is stored makes no sense: written by hand, by a later version, or broken. Others go on (T74)."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from shoal.competition.plan import Entrant
from shoal.competition.specification import RoundRobin, Specification
from shoal.server.director import MAIN, Pairing
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block, State
from shoal.server.store.competition_texts import block_json, to_json
from shoal.server.store.matches import NewMatch
from shoal.server.store.pipe import Pipe

from .arena import NOTE, QUICK, Arena, until
from .looks import Looks
from .reads import results_of

GOOD = keys.new_id(1)

OFTEN = replace(QUICK, check=0.1, tidy=0.1, settled=0.1)


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    return arena


async def put(arena: Arena, key: str, match_id: str, rotation: int = 0) -> None:
    """Write a block in play of bots that are not here."""
    bots = (keys.new_id(), keys.new_id())
    block = Block(key, bots, "base", rated=True, match_id=match_id, rotation=rotation)
    await arena.pipe.command("HSET", keys.competition("main", "blocks"), key, block_json(block))
    await arena.pipe.command("HSET", keys.competition("main", "matches"), match_id, key)


async def made_already(_: Pairing) -> None:
    """Make nothing of a match that is expected: it is said to be there."""


async def is_lost(arena: Arena) -> bool:
    """Tell whether the good block's match, which is nowhere, was counted as void."""
    return GOOD in await results_of(arena.competitions, "main")


@pytest.mark.parametrize("match_id", ["nonsense", "00nonsense", "zz" + "0" * 28])
@pytest.mark.parametrize("rotation", [0, 99])
async def test_a_block_whose_match_has_no_id_is_played_no_more(
    arena: Arena, match_id: str, rotation: int
) -> None:
    """The director takes over, finds what is lost, gives the block up, pairs and counts all the same."""
    await put(arena, "bad", match_id, rotation)
    await put(arena, "good", GOOD)
    async with arena.directing(made_already, settings=OFTEN):
        await until(lambda: is_lost(arena))
    bots = await arena.arrive("a", "b", seats=(2,))
    async with arena.directing(settings=OFTEN):
        while not set((match := await arena.next_match()).bots) <= set(bots):
            pass
        await arena.finish(match)

        async def is_counted() -> bool:
            return match.match_id in await results_of(arena.competitions, "main")

        async def is_given_up() -> bool:
            return "bad" not in await arena.competitions.blocks("main")

        await until(is_counted)
        await until(is_given_up)


async def test_a_result_that_cannot_be_recovered_does_not_stop_the_others(arena: Arena) -> None:
    """If a match has ended, and nothing of it can be read, the next one that was lost is void."""
    broken = keys.new_id(0)
    await put(arena, "bad", broken)
    await put(arena, "good", GOOD)
    new = NewMatch(broken, b"{}", b"", b"", "finished", limit_ms=60_000)
    assert await arena.matches.create(new)
    with capture_logs() as logs:

        async def is_told() -> bool:
            return "match_not_recovered" in {line["event"] for line in logs}

        async with arena.directing(made_already, settings=OFTEN):
            await until(lambda: is_lost(arena))
            await until(is_told)


LATER = {"name": "later", "format": {"kind": "of a later version"}, "rulesets": ["base"]}

UNREADABLE = {
    "block": ("blocks", "key", '{"bots":["a","b"],"ruleset":"base"', "block_unreadable"),
    "fields": ("blocks", "key", "{}", "block_unreadable"),
    "state": ("", "state", "of a later version", "competition_unreadable"),
    "format": ("", "spec", to_json(LATER), "competition_unreadable"),
}
"""What cannot be read: where it is, and what the log says of it."""


@pytest.mark.parametrize("name", UNREADABLE)
async def test_what_cannot_be_read_is_put_aside_and_said_once(arena: Arena, name: str) -> None:
    """A director takes over, looks for lost matches and pairs, and the others are listed."""
    kind, field, text, event = UNREADABLE[name]
    await arena.make(replace(MAIN, name="bad"), "bad")
    await arena.pipe.command("HSET", keys.competition("bad", kind), field, text)
    a, b = await arena.arrive("a", "b", seats=(2,))
    looks = Looks(arena)
    with capture_logs() as logs:
        await looks.scheduler.resume()
        await looks.recover()
        await looks.look(2)
        found = await arena.competitions.some(["bad", "main"])
    assert looks.tables == [{a, b}]
    assert {each.competition_id for each in found} == (
        {"bad", "main"} if event == "block_unreadable" else {"main"}
    )
    told = [(line["event"], line["id"], line["log_level"]) for line in logs]
    id_ = "bad key" if event == "block_unreadable" else "bad"
    assert told == [(event, id_, "error")]


async def test_a_tournament_plays_all_but_what_cannot_be_read(arena: Arena) -> None:
    """The block is neither made anew nor taken for played: the tournament has no end before it is mended."""
    bots = await arena.arrive(*"abc", seats=(2,), joined=False)
    cup = await arena.make(Specification("cup", RoundRobin(), seats=(2,)), state=State.OPEN)
    await arena.enter(cup, *(Entrant(bot, bot) for bot in bots))
    key = keys.competition(cup, "blocks")
    await arena.pipe.command("HSET", key, "0.0.0", "{")
    found = await arena.competitions.get(cup)
    await arena.competitions.turn(found, [State.OPEN], State.RUNNING, NOTE)

    async def two_are_over() -> bool:
        return (await arena.competitions.count_blocks(cup))[0] == 2

    async with arena.directing():
        for _ in range(4):
            await arena.finish(await arena.next_match())
        await until(two_are_over)
    assert await arena.pipe.command("HGET", key, "0.0.0") == b"{"
    assert (await arena.competitions.get(cup)).state is State.RUNNING
