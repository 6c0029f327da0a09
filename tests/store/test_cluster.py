"""Laws of a pipe to a cluster: every node gets what is its own, and a dead one is replaced unnoticed."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.chaos.redis_node import ClusterNode, free_port
from shoal.server.store import (
    Bells,
    Limits,
    MatchStore,
    Pipe,
    StoredMatch,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    check_store,
    keys,
    new_id,
)
from shoal.server.store.commits import Already, Commit, Committed
from shoal.server.store.scripts import Script
from shoal.server.store.slots import PARTITION_SLOTS

from .steps import last_step, make_match, reload, step, take
from .test_bells import Counter
from .test_checks import foreign_redis

SLOT = PARTITION_SLOTS[0]
PATIENT = Limits(patience=20)
"""Longer than any failover here takes."""

IMPATIENT = Limits(patience=0.4, connect=0.3)
LIMIT = 30.0


@pytest.fixture
async def shaken(cluster: RedisCluster) -> AsyncIterator[RedisCluster]:
    """The cluster, for a test that kills nodes; they are there again for the next one."""
    yield cluster
    await asyncio.to_thread(cluster.settle)


async def served(pipe: Pipe) -> None:
    """Wait until every partition is served."""
    async with asyncio.timeout(LIMIT):
        while True:
            try:
                await pipe.many(("GET", key) for key in keys.OUTBOX_CURSOR)
            except StoreUnavailable:
                await asyncio.sleep(0.02)
            else:
                return


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


class Player:
    """Commits to one match, step after step, and sends again what the store could not answer."""

    def __init__(self, store: MatchStore, match: StoredMatch) -> None:
        self.store = store
        self.match = match
        self.acknowledged: list[str] = []
        self.outages = 0

    async def play(self, enough: asyncio.Event) -> None:
        """Go on until it is enough."""
        while not enough.is_set():
            commit = step(self.match)
            made = await self._insist(commit)
            self.acknowledged.append(made.rev)
            self.match = await self._reload()

    async def _insist(self, commit: Commit) -> Committed | Already:
        while True:
            try:
                outcome = await self.store.submit_commit(commit)
            except StoreUnavailable:
                self.outages += 1
                await asyncio.sleep(0.05)
            else:
                assert isinstance(outcome, Committed | Already), outcome
                return outcome

    async def _reload(self) -> StoredMatch:
        while True:
            try:
                return await reload(self.store, self.match.match_id)
            except StoreUnavailable:
                await asyncio.sleep(0.05)

    async def check(self) -> None:
        """The log has exactly what was acknowledged, in this order."""
        entries = await self.store.entries(self.match.match_id)
        assert [entry[-42:-2].decode() for entry in entries] == self.acknowledged


async def players(store: MatchStore) -> list[Player]:
    """A match in every second partition."""
    made = []
    for partition in range(0, 64, 2):
        match_id = new_id(partition)
        made.append(Player(store, await make_match(store, match_id=match_id)))
    return made


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
    async with asyncio.timeout(LIMIT), Pipe(shaken.url, Limits(patience=8)) as pipe:
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
        began = time.monotonic()
        for key in keys.CLOCK:
            with pytest.raises(StoreUnavailable):
                await pipe.command("GET", key)
        assert time.monotonic() - began < 0.2
        await asyncio.to_thread(shaken.settle)
        await served(pipe)
        assert pipe.available


async def test_closing_waits_for_what_was_asked(cluster: RedisCluster) -> None:
    """Calls of the last turn are answered, by whatever node; later ones are refused."""
    async with Pipe(cluster.url) as pipe:
        asked = [pipe.submit("GET", key) for key in keys.OUTBOX]
    assert [reply.result() for reply in asked] == [None] * 64
    with pytest.raises(StoreUnavailable, match="not open"):
        await pipe.command("PING")


async def test_a_bell_is_heard_wherever_it_rings(cluster: RedisCluster) -> None:
    """Also from inside a script, and for the bells of no partition."""
    ring, outbox = Counter(), Counter()
    async with Pipe(cluster.url) as pipe, Bells(cluster.url) as bells:
        await bells.subscribe("shoal:a", ring)
        await bells.subscribe(keys.OUTBOX_BELL, outbox)
        await ring.reach(1)
        for count, master in enumerate(pipe.masters, start=2):
            await master.command("PUBLISH", "shoal:a", "")
            await ring.reach(count)
        store = MatchStore(pipe)
        for count, partition in enumerate(range(4), start=2):
            await last_step(store, await make_match(store, match_id=new_id(partition)))
            await outbox.reach(count)


async def test_bells_move_when_their_node_dies(shaken: RedisCluster) -> None:
    """Whatever node they hang on: everybody is rung when they hang elsewhere (T22, T24)."""
    ring = Counter()
    async with Bells(f"redis://127.0.0.1:{shaken.nodes[0].port}") as bells:
        await bells.subscribe("shoal:a", ring)
        await ring.reach(1)
        node = listened_to(shaken)
        before = ring.count
        node.kill()
        await ring.reach(before + 1)
        other = listened_to(shaken)
        assert other is not node
        before = ring.count
        next(each for each in shaken.living if each is not other).one("PUBLISH", "shoal:a", "")
        await ring.reach(before + 1)


def listened_to(cluster: RedisCluster) -> ClusterNode:
    """Return the node that the bells hang on."""
    (found,) = [node for node in cluster.living if node.one("PUBSUB", "CHANNELS", "shoal:a")]
    return found
