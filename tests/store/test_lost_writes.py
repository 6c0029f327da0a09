"""A failover that loses acknowledged steps, as asynchronous replication may: made on purpose."""

import asyncio
from dataclasses import replace

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.store import Conflict, MatchStore, Pipe, new_id
from shoal.server.store.slots import PARTITION_SLOTS

from .failing import LIMIT, PATIENT, shaken
from .steps import make_match, reload, step, take

__all__ = ["shaken"]

PARTITION = 3
SLOT = PARTITION_SLOTS[PARTITION]


async def test_acknowledged_steps_are_lost_with_a_master_whose_replica_lags(
    shaken: RedisCluster,
) -> None:
    """The replica goes on from what it had; a step from the lost position is a conflict, never mixed in."""
    async with asyncio.timeout(LIMIT), Pipe(shaken.url, PATIENT) as pipe:
        store = MatchStore(pipe)
        match = await make_match(store, match_id=new_id(PARTITION))
        for _ in range(3):
            await take(store, step(await reload(store, match.match_id)))
        kept = await reload(store, match.match_id)
        async with shaken.losing_writes(SLOT) as doomed:
            for _ in range(4):
                acknowledged = await take(store, step(await reload(store, match.match_id)))
            lost = await reload(store, match.match_id)
        assert (lost.version, lost.rev) == (7, acknowledged.rev)
        assert shaken.master_of(SLOT) is not doomed
        after = await reload(store, match.match_id)
        assert after == kept
        assert len(await store.entries(match.match_id)) == 3
        outcome = await store.submit_commit(step(lost))
        assert outcome == Conflict(kept.version, kept.rev)
        await take(store, replace(step(after), prefix=step(after).prefix.replace("7", "8", 1)))


async def test_other_masters_lose_nothing(shaken: RedisCluster) -> None:
    """Only the slots of the doomed master go back."""
    elsewhere = next(
        partition
        for partition, slot in enumerate(PARTITION_SLOTS)
        if shaken.master_of(slot) is not shaken.master_of(SLOT)
    )
    async with asyncio.timeout(LIMIT), Pipe(shaken.url, PATIENT) as pipe:
        store = MatchStore(pipe)
        match = await make_match(store, match_id=new_id(elsewhere))
        async with shaken.losing_writes(SLOT):
            await take(store, step(match))
        assert (await reload(store, match.match_id)).version == 1
