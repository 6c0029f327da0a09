"""Bells of a cluster: heard wherever they ring, and moved when their node dies."""

from shoal.server.chaos.redis_cluster import RedisCluster
from shoal.server.chaos.redis_node import ClusterNode
from shoal.server.store import (
    Bells,
    MatchStore,
    Pipe,
    keys,
    new_id,
)

from .failing import shaken
from .quiet import quiet
from .steps import last_step, make_match
from .test_bells import Counter

__all__ = ["shaken"]


async def test_a_bell_is_heard_wherever_it_rings(cluster: RedisCluster) -> None:
    """Also from inside a script, and for the bells of no partition."""
    ring, outbox = Counter(), Counter()
    async with Pipe(cluster.url) as pipe, Bells(cluster.url) as bells:
        await quiet(pipe, bells)
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


async def test_who_comes_while_the_node_of_the_bells_is_silent_is_not_refused(
    shaken: RedisCluster,
) -> None:
    """Everybody hangs elsewhere soon: the node still has the connection, and never confirms (T22)."""
    first, second = Counter(), Counter()
    async with Bells(shaken.url) as bells:
        await bells.subscribe("shoal:a", first)
        await first.reach(1)
        node = listened_to(shaken)
        node.pause()
        try:
            await bells.subscribe("shoal:b", second)
            await second.reach(1)
            await first.reach(2)
        finally:
            node.resume()


def listened_to(cluster: RedisCluster) -> ClusterNode:
    """Return the node that the bells hang on."""
    (found,) = [node for node in cluster.living if node.one("PUBSUB", "CHANNELS", "shoal:a")]
    return found
