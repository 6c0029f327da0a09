"""Whose trial begins, and against whom, on a real Redis (T69, T87)."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from shoal.competition.plan import Entrant
from shoal.competition.specification import Ladder
from shoal.server.director import MAIN
from shoal.server.store.bells import Bells
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from tests.server.directing import playing
from tests.server.support import serving

from .arena import Arena
from .hall import Hall


@pytest.fixture
async def arena(pipe: Pipe, bells: Bells) -> Arena:
    arena = Arena(pipe, bells)
    await arena.make(replace(MAIN, seats=(2,)), "main")
    return arena


async def arrive(
    arena: Arena, count: int, owner: str = "", stage: Stage = Stage.TRIAL
) -> list[str]:
    """Let bots come that are not paired yet."""
    bots = await arena.arrive(*map(str, range(count)), seats=(2,), joined=False)
    for bot in bots:
        await MembershipStore(arena.pipe).change("main", bot, None, Membership(stage, 1))
    for bot in bots:
        await arena.enter("main", Entrant(bot, owner or bot))
    return bots


async def test_many_bots_of_one_owner_leave_places_for_others(arena: Arena) -> None:
    """If bots of one owner come to no trial, and are many, a newcomer has its trial all the same (T69)."""
    many = await arrive(arena, 24, "one")
    async with arena.directing():
        theirs = [await arena.next_match() for _ in range(2)]
        assert {bot for match in theirs for bot in match.bots} <= set(many)
        new = await arrive(arena, 2)
        match = await arena.next_match()
        assert set(match.bots) == set(new)


async def test_who_is_new_is_not_tried_against_who_has_failed(arena: Arena) -> None:
    """If a paused bot is due too, a newcomer waits for another newcomer, or a member."""
    failed = await arrive(arena, 3, stage=Stage.PAUSED)
    (new,) = await arrive(arena, 1)
    async with arena.directing():
        match = await arena.next_match()
        assert set(match.bots) < set(failed)
        (other,) = await arrive(arena, 1)
        match = await arena.next_match()
        assert set(match.bots) == {new, other}


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def test_one_trial_that_is_passed_is_enough(hall: Hall) -> None:
    """Though bots are free at the moment at which it is known (T87)."""
    bots = await hall.arrive(2)
    ladder = await hall.hold(Ladder(), bots)
    memberships = MembershipStore(hall.arena.pipe)
    for bot in bots:
        await memberships.change(ladder, bot, None, Membership(Stage.TRIAL, 1))
    one, two = (hall.bots[bot] for bot in bots)
    async with playing(hall.server, one), playing(hall.server, two), hall.directing():
        trial = await hall.next_match()
        assert (trial.rated, trial.competition_id) == (False, "")
        assert (await hall.next_match()).competition_id == ladder
    assert all(not each.match_id for each in (await memberships.of(ladder, bots)).values())
