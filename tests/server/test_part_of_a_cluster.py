"""With a part of the store away, matches whose part is there are told of as ever."""

import asyncio
from collections.abc import Iterator

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.chaos.redis_node import ClusterNode
from shoal.server.store import partition_of
from shoal.server.store.slots import PARTITION_SLOTS
from tests.server.support import Bot, Server, serving

LIMIT = 60.0
NO_FAILOVER_MS = 120_000
SOON = 10.0
"""Far longer than a move takes to be told, and far shorter than the master is away."""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A cluster that takes no master for dead, however long it is silent."""
    folder = tmp_path_factory.mktemp("cluster")
    with launch_cluster(folder, NO_FAILOVER_MS) as running:
        yield running


def home(cluster: RedisCluster, id_: str) -> ClusterNode:
    """The master of what has this id."""
    return cluster.master_of(PARTITION_SLOTS[partition_of(id_)])


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
            silent.pause()
            try:
                seats = {0: here, 1: there}
                update = next(
                    each.match(going)
                    for each in seats.values()
                    if each.match(going).HasField("decision")
                )
                mover = bots[update.seat]
                receipt = await one.play(mover, update)
                async with asyncio.timeout(SOON):
                    while True:
                        told = await there.hear("match_update", going)
                        if told.version >= receipt.version:
                            break
            finally:
                silent.resume()
