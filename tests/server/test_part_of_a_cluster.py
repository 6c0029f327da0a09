"""With a part of the store away, matches whose part is there are told of as ever."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from shoal.server import auth
from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.chaos.redis_node import ClusterNode
from shoal.server.hub import hub
from shoal.server.hub.table import Table
from shoal.server.store import StoreUnavailable, keys, new_id, partition_of
from shoal.server.store.slots import PARTITION_SLOTS
from shoal.server.streams import polls, sessions
from tests.server.polling import poll
from tests.server.support import Bot, Server, is_renewed, serving

LIMIT = 60.0
NO_FAILOVER_MS = 120_000
SOON = 10.0
"""Far longer than a move takes to be told, and far shorter than the master is away."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A cluster that takes no master for dead, however long it is silent."""
    folder = tmp_path_factory.mktemp("cluster")
    with launch_cluster(folder, NO_FAILOVER_MS) as running:
        yield running


def home(cluster: RedisCluster, id_: str) -> ClusterNode:
    """The master of what has this id."""
    return cluster.master_of(PARTITION_SLOTS[partition_of(id_)])


@contextmanager
def standing_still(node: ClusterNode) -> Iterator[None]:
    """Let a node stand still meanwhile."""
    node.pause()
    try:
        yield
    finally:
        node.resume()


async def deal_elsewhere(
    server: Server, cluster: RedisCluster, silent: ClusterNode, *bots: Bot
) -> str:
    """Deal a match that is not on the master that will be away."""
    while home(cluster, match_id := await server.deal(*bots)) is silent:
        pass
    return match_id


async def with_token_at(server: Server, cluster: RedisCluster, node: ClusterNode, bot: Bot) -> Bot:
    """Return a bot with a token that is on this master, as one of before may be."""
    _, token_id, secret = bot.token.split("_")
    kept = await server.stores.pipe.command("HGETALL", keys.token(token_id))
    while home(cluster, moved := new_id()) is not node:
        pass
    await server.stores.pipe.command("HSET", keys.token(moved), *kept)
    return replace(bot, token=f"shoal_{moved}_{secret}")


async def bot_at(server: Server, cluster: RedisCluster, node: ClusterNode) -> Bot:
    """Register a bot that is on this master."""
    while home(cluster, (bot := await server.register()).bot_id) is not node:
        pass
    return bot


async def team_elsewhere(server: Server, cluster: RedisCluster, silent: ClusterNode) -> list[Bot]:
    """Two bots of one owner that are not on the master that will be away."""
    bots: list[Bot] = []
    while len(bots) < 2:
        bot = await server.register(metadata=bots[0].metadata if bots else ())
        if home(cluster, bot.bot_id) is not silent:
            bots.append(bot)
    return bots


async def test_a_move_is_told_while_another_master_is_silent(cluster: RedisCluster) -> None:
    """A bot has two matches; the master of one stands still, and the other goes on between two servers."""
    async with (
        asyncio.timeout(LIMIT),
        serving(cluster.url) as one,
        serving(cluster.url) as two,
    ):
        silent = home(cluster, "00" * 15)  # whatever there is one of for all partitions is there
        bots = await team_elsewhere(one, cluster, silent)
        stuck = going = ""
        while not (stuck and going):
            match_id = await one.deal(*bots)
            if home(cluster, match_id) is silent:
                stuck = match_id
            else:
                going = match_id
        async with one.stream(bots[0]) as here, two.stream(bots[1], follow=True) as there:
            with standing_still(silent):
                update = next(
                    each.match(going)
                    for each in (here, there)
                    if each.match(going).HasField("decision")
                )
                receipt = await one.play(bots[update.seat], update)
                async with asyncio.timeout(SOON):
                    while True:
                        told = await there.hear("match_update", going)
                        if told.version >= receipt.version:
                            break


async def test_a_bot_plays_on_while_the_master_of_its_token_is_silent(
    cluster: RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that knows it need not ask again; but not for ever, since it may have been revoked."""
    monkeypatch.setattr(auth, "CACHE_SECONDS", 0)
    async with (
        asyncio.timeout(LIMIT),
        serving(cluster.url) as one,
        serving(cluster.url) as two,
    ):
        silent = home(cluster, "00" * 15)
        bots = [
            await with_token_at(one, cluster, silent, bot)
            for bot in await team_elsewhere(one, cluster, silent)
        ]
        match_id = await deal_elsewhere(two, cluster, silent, *bots)
        async with one.stream(bots[0]) as here, one.stream(bots[1]) as there:
            update = next(
                each.match(match_id)
                for each in (here, there)
                if each.match(match_id).HasField("decision")
            )
            mover = bots[update.seat]
            with standing_still(silent):
                async with asyncio.timeout(SOON):
                    assert await two.play(mover, update)
                monkeypatch.setattr(auth, "AWAY_SECONDS", 0)
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await two.play(mover, update)
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_bot_stays_claimed_while_the_master_of_its_token_is_silent(
    cluster: RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would pass for away when a failover takes longer than a claim holds (T28)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    async with asyncio.timeout(LIMIT), serving(cluster.url) as server:
        silent = home(cluster, "00" * 15)
        bot, _ = await team_elsewhere(server, cluster, silent)
        bot = await with_token_at(server, cluster, silent, bot)
        async with server.stream(bot):
            with standing_still(silent):
                for _ in range(5):
                    await is_renewed(server, bot)


async def test_a_poll_waits_while_the_master_of_its_token_is_silent(
    cluster: RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends when its time is over, and is no error."""
    monkeypatch.setattr(polls, "BEAT_SECONDS", 0.05)
    async with asyncio.timeout(LIMIT), serving(cluster.url) as server:
        silent = home(cluster, "00" * 15)
        bot, _ = await team_elsewhere(server, cluster, silent)
        bot = await with_token_at(server, cluster, silent, bot)
        await poll(server, bot)
        with standing_still(silent):
            assert not (await poll(server, bot, wait=Duration(seconds=4))).matches


def other_than(cluster: RedisCluster, *servers: Server) -> ClusterNode:
    """Return a master at which none of these servers listens to bells."""
    ports = {
        server.stores.bells._link._transport.get_extra_info("peername")[1]  # type: ignore[union-attr]
        for server in servers
    }
    return next(
        node
        for node in (home(cluster, f"{part:02x}" + "0" * 28) for part in range(64))
        if node.known_as not in ports
    )


async def test_a_bot_hears_of_its_matches_while_its_own_master_is_silent(
    cluster: RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it has a newer stream or a new match is looked for beside them, and by its bell alone."""
    monkeypatch.setattr(hub, "RECONCILE_SECONDS", 3600)
    async with (
        asyncio.timeout(LIMIT),
        serving(cluster.url) as one,
        serving(cluster.url) as two,
    ):
        silent = other_than(cluster, one, two)
        bots = [await bot_at(one, cluster, silent)]
        while (
            home(cluster, (bot := await one.register(metadata=bots[0].metadata)).bot_id) is silent
        ):
            pass
        bots.append(bot)
        match_id = await deal_elsewhere(one, cluster, silent, *bots)
        async with two.stream(bots[0], follow=True) as there, one.stream(bots[1]) as here:
            seats = (there, here)
            asked = [each.match(match_id) for each in seats]
            update = next(each for each in asked if each.HasField("decision"))
            with standing_still(silent):
                async with asyncio.timeout(SOON):
                    receipt = await one.play(bots[update.seat], update)
                    while (await there.hear("match_update", match_id)).version < receipt.version:
                        pass


async def test_a_silent_master_does_not_make_the_others_be_looked_at_less_often(
    cluster: RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bell that was lost costs as much as ever in the matches that are there."""
    monkeypatch.setattr(hub, "RECONCILE_SECONDS", 0.05)
    async with asyncio.timeout(LIMIT), serving(cluster.url) as server:
        silent = home(cluster, "00" * 15)
        bots = await team_elsewhere(server, cluster, silent)
        going = await deal_elsewhere(server, cluster, silent, *bots)
        while home(cluster, stuck := await server.deal(*bots)) is not silent:
            pass
        looked: list[str] = []
        failed = asyncio.Event()
        catch_up = server.app._hub.catch_up

        async def noted(tables: list[Table]) -> None:
            match_ids = {table.match.meta.match_id for table in tables}
            looked.extend(match_ids & {going})
            try:
                await catch_up(tables)
            except StoreUnavailable:
                if stuck in match_ids:
                    failed.set()
                raise

        async with server.stream(bots[0]):
            monkeypatch.setattr(server.app._hub, "catch_up", noted)
            with standing_still(silent):
                looked.clear()
                await failed.wait()
                assert len(looked) > 5
