"""Laws of a pipe to a cluster: every node gets what is its own."""

from pathlib import Path

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.chaos.redis_node import free_port
from shoal.server.store import (
    MatchStore,
    Pipe,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    check_store,
    keys,
)
from shoal.server.store.scripts import Script

from .failing import PATIENT, served
from .steps import make_match, step, take
from .test_checks import foreign_redis


async def test_all_partitions_are_served_by_three_masters(cluster: RedisCluster) -> None:
    """What is asked in one turn goes to all of them, and the replies come in the order of asking."""
    async with Pipe(cluster.url) as pipe:
        assert {master.address.port for master in pipe.masters} == {
            node.port for node in cluster.masters()
        }
        await pipe.many(("SET", key, at) for at, key in enumerate(keys.OUTBOX_CURSOR))
        assert [int(at) for at in await pipe.many(("GET", key) for key in keys.OUTBOX_CURSOR)] == [
            *range(64)
        ]
        sizes = [await master.command("DBSIZE") for master in pipe.masters]
        assert all(sizes)
        await pipe.many(("DEL", key) for key in keys.OUTBOX_CURSOR)


async def test_any_node_leads_to_all(cluster: RedisCluster) -> None:
    """One address is enough, also that of a replica, and dead ones beside it do not matter."""
    for node in cluster.nodes:
        async with Pipe(f"redis://127.0.0.1:1,127.0.0.1:{node.port}") as pipe:
            assert len(pipe.masters) == 3
            await served(pipe)


async def test_several_addresses_of_a_single_redis_are_refused(tmp_path: Path) -> None:
    """Two that know nothing of each other would be two arenas."""
    place = f"127.0.0.1:{free_port()}"
    with (
        foreign_redis(tmp_path, "--port", place.rpartition(":")[2], "--bind", "127.0.0.1"),
        pytest.raises(StoreRefused, match="not a node of a cluster"),
    ):
        async with Pipe(f"redis://{place},{place}/0", PATIENT):
            pass


async def test_a_database_of_a_cluster_is_refused(cluster: RedisCluster) -> None:
    """It has just one."""
    with pytest.raises(StoreRefused, match="does not let us in"):
        async with Pipe(f"{cluster.url}1"):
            pass


async def test_a_script_over_two_partitions_is_an_error(cluster: RedisCluster) -> None:
    """Redis refuses it, so every test here shows that none of ours is like that."""
    async with Pipe(cluster.url) as pipe:
        with pytest.raises(StoreError, match="CROSSSLOT"):
            await pipe.call(Script.of("two", "return 1"), (keys.MATCHES[0], keys.MATCHES[1]))


async def test_every_master_is_checked(cluster: RedisCluster) -> None:
    """One that may evict, or holds a stranger's key under our names, is enough to refuse them all."""
    async with Pipe(cluster.url) as pipe:
        for master in pipe.masters:
            await master.command("FLUSHALL")
        for master in pipe.masters:
            await master.many(
                [
                    ("CONFIG", "SET", "maxmemory", "1gb"),
                    ("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"),
                ]
            )
            with pytest.raises(StoreRefused, match="may evict"):
                await check_store(pipe)
            await master.command("CONFIG", "SET", "maxmemory", 0)
        for partition in range(3):  # on three masters
            await pipe.command("SET", keys.MATCHES[partition], "strange")
            with pytest.raises(StoreRefused, match="no server of ours"):
                await check_store(pipe)
            await pipe.command("DEL", keys.MATCHES[partition])
        assert await pipe.command("GET", keys.FORMAT) is None
        assert "none" in (await check_store(pipe)).persistence
        port = pipe.masters[1].address.port
        await pipe.masters[1].command("CONFIG", "SET", "appendonly", "yes")
        assert f"{port}: appendonly yes" in (await check_store(pipe)).persistence
        await pipe.masters[1].command("CONFIG", "SET", "appendonly", "no")


async def test_a_script_that_one_master_forgot_is_taught_again(cluster: RedisCluster) -> None:
    """Each node has scripts of its own."""
    async with Pipe(cluster.url) as pipe:
        store = MatchStore(pipe)
        matches = [await make_match(store) for _ in range(20)]
        for master in pipe.masters:
            await master.command("SCRIPT", "FLUSH")
        for match in matches:
            await take(store, step(match))


async def test_closing_waits_for_what_was_asked(cluster: RedisCluster) -> None:
    """Calls of the last turn are answered, by whatever node; later ones are refused."""
    async with Pipe(cluster.url) as pipe:
        asked = [pipe.submit("GET", key) for key in keys.OUTBOX]
    assert [reply.result() for reply in asked] == [None] * 64
    with pytest.raises(StoreUnavailable, match="not open"):
        await pipe.command("PING")
