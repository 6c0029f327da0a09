"""Slots that move between masters while matches are played in them: asked and moved calls arrive."""

import asyncio

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.chaos.redis_node import ClusterNode
from shoal.server.store import Limits, MatchStore, Pipe, keys, new_id
from shoal.server.store.slots import PARTITION_SLOTS

from .failing import LIMIT, PATIENT, Player
from .steps import last_step, make_match, reload, step, take

PARTITION = 5
SLOT = PARTITION_SLOTS[PARTITION]


def another(cluster: RedisCluster) -> ClusterNode:
    """Return a master that does not serve the slot."""
    return next(node for node in cluster.masters() if node is not cluster.master_of(SLOT))


async def test_moves_go_on_while_their_slot_moves(cluster: RedisCluster) -> None:
    """Nothing is refused, lost or doubled, back and forth: what is half way waits (ASK, TRYAGAIN, MOVED)."""
    async with asyncio.timeout(LIMIT), Pipe(cluster.url, PATIENT) as pipe:
        store = MatchStore(pipe)
        playing = [
            Player(store, await make_match(store, match_id=new_id(PARTITION))) for _ in range(8)
        ]
        enough = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for player in playing:
                tasks.create_task(player.play(enough))
            for _ in range(3):
                await cluster.move_slot(SLOT, another(cluster))
                done = [len(player.acknowledged) for player in playing]
                while [len(player.acknowledged) for player in playing] <= done:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            enough.set()
        for player in playing:
            await player.check()
            assert player.outages == 0


async def test_a_match_half_way_is_read_where_it_is(cluster: RedisCluster) -> None:
    """At every single step of the migration each match and its log can be read, by old and new pipes."""
    async with asyncio.timeout(LIMIT), Pipe(cluster.url, PATIENT) as pipe:
        store = MatchStore(pipe)
        matches = [await make_match(store, match_id=new_id(PARTITION)) for _ in range(5)]
        for match in matches:
            await take(store, step(match))

        async def read_all() -> None:
            for match in matches:
                assert (await reload(store, match.match_id)).version == 1
                assert len(await store.entries(match.match_id)) == 1
            async with Pipe(cluster.url) as newcomer:
                assert (await reload(MatchStore(newcomer), matches[0].match_id)).version == 1

        await cluster.move_slot(SLOT, another(cluster), pause=read_all)


async def test_a_slot_that_stays_half_way_is_unavailable_for_steps_only(
    cluster: RedisCluster,
) -> None:
    """A script whose keys are on two nodes waits for the patience, then fails; other slots go on."""
    target = another(cluster)
    async with asyncio.timeout(LIMIT), Pipe(cluster.url, Limits(patience=0.5)) as pipe:
        store = MatchStore(pipe)
        here = await make_match(store, match_id=new_id(PARTITION))
        there = await make_match(store, match_id=new_id(PARTITION + 1))
        await last_step(store, await make_match(store, match_id=new_id(PARTITION)))
        seen: list[str] = []

        async def look() -> None:
            if len(seen) == 6:  # of many; each costs the patience
                return
            (outcome,) = await asyncio.gather(
                store.submit_commit(step(here)), return_exceptions=True
            )
            seen.append(type(outcome).__name__)
            await take(store, step(await reload(store, there.match_id)))

        await cluster.move_slot(SLOT, target, pause=look)
        assert "StoreUnavailable" in seen
        assert set(seen) <= {"StoreUnavailable", "Committed", "Already"}
        assert len(await store.entries(here.match_id)) <= 1
        assert (await store.load(here.match_id)) is not None


@pytest.mark.parametrize("count", [1, 300])
async def test_calls_of_one_turn_survive_the_move(cluster: RedisCluster, count: int) -> None:
    """A whole pipeline that reaches the old master behind the move is sent on, each call once."""
    key = keys.OUTBOX_CURSOR[PARTITION]
    async with asyncio.timeout(LIMIT), Pipe(cluster.url) as pipe:
        await pipe.command("SET", key, 0)
        await cluster.move_slot(SLOT, another(cluster))
        replies = await pipe.many([("INCR", key)] * count)
        assert replies == [*range(1, count + 1)]
        await pipe.command("DEL", key)
