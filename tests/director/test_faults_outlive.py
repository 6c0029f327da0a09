"""Faults of a bot that leaves its ladder and joins again pause it all the same, on a real server (T61)."""

from collections.abc import AsyncIterator

import pytest

from shoal.competition.specification import Ladder
from shoal.server.store.bells import Bells
from shoal.server.store.memberships import Membership, MembershipStore, Stage
from shoal.server.store.pipe import Pipe
from shoal.v1 import ladder_service_pb2 as ladders
from tests.server.support import serving

from .arena import Arena, until
from .hall import Hall


@pytest.fixture
async def hall(store_url: str, pipe: Pipe, bells: Bells) -> AsyncIterator[Hall]:
    async with serving(store_url) as server:
        yield Hall(server, Arena(pipe, bells))


async def start_anew(hall: Hall, ladder: str, bot: str) -> None:
    metadata = hall.bots[bot].metadata
    leave = ladders.LeaveLadderRequest(ladder_id=ladder, bot_id=bot)
    await hall.server.ladders.LeaveLadder(leave, metadata=metadata)
    join = ladders.JoinLadderRequest(ladder_id=ladder, bot_id=bot)
    await hall.server.ladders.JoinLadder(join, metadata=metadata)


async def test_who_leaves_and_joins_between_its_faults_is_paused(hall: Hall) -> None:
    """Its match in play counts, though it is on trial when that ends, and no trial makes good for it."""
    bad, other = await hall.arrive(2)
    ladder = await hall.hold(Ladder(faults=2), [bad, other])
    memberships = MembershipStore(hall.arena.pipe)

    async def known() -> Membership:
        return (await memberships.of(ladder, [bad]))[bad]

    async def is_paused() -> bool:
        return (await known()).stage is Stage.PAUSED

    async with hall.directing():
        match = await hall.next_match()
        await start_anew(hall, ladder, bad)
        await hall.server.resign(hall.bots[bad], match.match_id)  # it has not begun
        trial = await hall.next_match()
        assert not trial.rated
        said = await known()
        assert (said.stage, [each.match_id for each in said.faults]) == (
            Stage.TRIAL,
            [match.match_id],
        )
        await hall.finish(trial, loser=other)
        again = await hall.next_match()
        await hall.server.resign(hall.bots[bad], again.match_id)
        await until(is_paused)
    assert [each.match_id for each in (await known()).faults] == [match.match_id, again.match_id]
