"""Laws of a pipe to a cluster whose nodes fail: a dead one is replaced unnoticed."""

import asyncio
import os
import signal

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.store import (
    Limits,
    MatchStore,
    Pipe,
    StoreUnavailable,
    keys,
)

from .failing import IMPATIENT, LIMIT, PATIENT, SLOT, players, served, shaken

__all__ = ["shaken"]


@pytest.mark.parametrize("limits", [Limits(), PATIENT], ids=["default", "patient"])
async def test_a_master_is_killed_under_load(shaken: RedisCluster, limits: Limits) -> None:
    """Its replica takes over: nothing acknowledged is lost or doubled, the patient notice nothing (T21)."""
    async with asyncio.timeout(2 * LIMIT), Pipe(shaken.url, limits) as pipe:
        playing = await players(MatchStore(pipe))
        enough = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for player in playing:
                tasks.create_task(player.play(enough))
            await asyncio.sleep(0.3)
            await shaken.fail_over(SLOT)
            await served(pipe)
            await asyncio.sleep(0.3)
            enough.set()
        for player in playing:
            await player.check()
        if limits is PATIENT:
            assert not any(player.outages for player in playing)
        assert min(len(player.acknowledged) for player in playing) > 2


async def test_a_planned_failover_goes_unnoticed(shaken: RedisCluster) -> None:
    """CLUSTER FAILOVER hands a master's slots over; no call fails."""
    master = shaken.master_of(SLOT)
    replica = next(
        node
        for node in shaken.nodes
        if node.info("INFO", "replication").get("master_port") == str(master.port)
    )
    async with asyncio.timeout(LIMIT), Pipe(shaken.url, PATIENT) as pipe:
        playing = await players(MatchStore(pipe))
        enough = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            for player in playing:
                tasks.create_task(player.play(enough))
            await asyncio.to_thread(replica.one, "CLUSTER", "FAILOVER")
            while shaken.master_of(SLOT) is not replica:  # noqa: ASYNC110 - Redis tells nobody
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            enough.set()
        for player in playing:
            await player.check()
        assert not any(player.outages for player in playing)


async def test_a_master_that_hangs_is_replaced(shaken: RedisCluster) -> None:
    """One that neither answers nor ends is left when the others have another in its place (T19)."""
    hanging = shaken.master_of(SLOT)
    async with asyncio.timeout(LIMIT), Pipe(shaken.url, Limits(patience=LIMIT)) as pipe:
        await served(pipe)
        os.kill(hanging.pid, signal.SIGSTOP)
        try:
            assert await pipe.command("SET", keys.OUTBOX_CURSOR[0], 1) == b"OK"
            assert hanging.port not in {master.address.port for master in pipe.masters}
            await served(pipe)
        finally:
            os.kill(hanging.pid, signal.SIGCONT)


async def test_without_any_node_calls_fail_fast_and_then_recover(shaken: RedisCluster) -> None:
    """As with a single Redis: first the patience, then at once, and at last all is well again."""
    async with Pipe(shaken.url, IMPATIENT) as pipe:
        await served(pipe)
        for node in shaken.nodes:
            node.kill()
        async with asyncio.timeout(LIMIT):
            while pipe.available:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
        refused = [pipe.submit("GET", key) for key in keys.CLOCK]
        assert all(isinstance(each.exception(), StoreUnavailable) for each in refused)
        await asyncio.to_thread(shaken.settle)
        await served(pipe)
        assert pipe.available
