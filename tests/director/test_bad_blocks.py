"""Blocks in play that make no sense: the store was written by hand, or broken. The others go on (T74)."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from shoal.server.director import MAIN, Pairing
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block
from shoal.server.store.competition_texts import block_json
from shoal.server.store.matches import NewMatch
from shoal.server.store.pipe import Pipe

from .arena import QUICK, Arena, until

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
    return GOOD in await arena.competitions.results("main")


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
            return match.match_id in await arena.competitions.results("main")

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
        async with arena.directing(made_already, settings=OFTEN):
            await until(lambda: is_lost(arena))
    assert "match_not_recovered" in {line["event"] for line in logs}
