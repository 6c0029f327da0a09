"""Matches that are over and whose result nobody has heard of, on a real Redis."""

import math
from collections.abc import AsyncIterator

import pytest

from shoal.competition.specification import RoundRobin
from shoal.server.director import MAIN
from shoal.server.director.lost import Unheard
from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.competition_nouns import Block
from shoal.server.store.pipe import Pipe
from tests.server.support import serving

from .arena import Arena
from .hall import Hall


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def test_a_result_that_waits_to_be_read_is_not_lost(hall: Hall) -> None:
    """While the reader of the outbox is behind, however often one looks; once it has caught up, it is."""
    cup = await hall.hold(RoundRobin(), await hall.arrive(2))
    async with hall.directing():
        match = await hall.next_match()
    await hall.finish(match)
    found = await hall.arena.competitions.get(cup)
    blocks = (await hall.arena.competitions.blocks(cup)).values()
    unheard = Unheard(hall.arena.matches)
    for _ in range(3):
        assert not await unheard.results(found, blocks, caught_up=-math.inf)
    (result,) = await unheard.results(found, blocks, caught_up=math.inf)
    assert result.match_id == match.match_id


async def test_of_a_competition_that_is_over_nothing_is_remembered(
    pipe: Pipe, bells: Bells
) -> None:
    """What is missing must be so at two looks; what was forgotten in between is looked at anew."""
    arena = Arena(pipe, bells)
    await arena.make(MAIN, "main")
    found = await arena.competitions.get("main")
    lost = Block("block", ("a", "b"), "base", rated=True, match_id=keys.new_id())
    unheard = Unheard(arena.matches)
    assert not await unheard.results(found, [lost], caught_up=math.inf)
    unheard.forget(found)
    assert not await unheard.results(found, [lost], caught_up=math.inf)
    (result,) = await unheard.results(found, [lost], caught_up=math.inf)
    assert result.match_id == lost.match_id
