"""Servers on a Redis Cluster: whole matches, also while a master dies or a slot moves under them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from shoal.client import Client, Tally, run_bot
from shoal.client.backoff import Backoff
from shoal.client.bots import RandomBot
from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.children import running_server
from shoal.server.store import partition_of
from shoal.server.store.slots import PARTITION_SLOTS
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.support import Bot, Server, serving

LIMIT = 110.0
MATCHES = 8
LONG_MS = 600_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A running cluster of our own."""
    with launch_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
async def shaken(cluster: RedisCluster) -> AsyncIterator[RedisCluster]:
    """The cluster, for a test that kills nodes; they are there again for the next one."""
    yield cluster
    await asyncio.to_thread(cluster.settle)


@asynccontextmanager
async def two_servers(cluster: RedisCluster) -> AsyncIterator[tuple[Server, Server]]:
    """Run two servers on the cluster, which know different nodes of it."""
    urls = [f"redis://127.0.0.1:{node.port}" for node in cluster.nodes]
    async with serving(urls[0]) as one, serving(",".join((urls[-1], cluster.url[8:]))) as two:
        yield one, two


class Arena:
    """Four bots, two on each server, and matches of all of them."""

    def __init__(self, one: Server, two: Server, bots: list[Bot], match_ids: list[str]) -> None:
        self.one = one
        self.places = (one, two, one, two)
        self.bots = bots
        self.match_ids = match_ids
        self.tallies = [Tally() for _ in bots]

    @classmethod
    async def make(cls, one: Server, two: Server) -> "Arena":
        bots = await one.team(4)
        match_ids = [await one.create(*bots, move_ms=LONG_MS) for _ in range(MATCHES)]
        return cls(one, two, bots, match_ids)

    async def play(self) -> None:
        """Let all bots play until every match is over."""
        await asyncio.gather(
            *(
                run_bot(
                    RandomBot(seed=seed),
                    f"127.0.0.1:{place.port}",
                    bot.token,
                    matches=MATCHES,
                    tally=tally,
                    backoff=Backoff(most=0.3),
                )
                for seed, (place, bot, tally) in enumerate(
                    zip(self.places, self.bots, self.tallies, strict=True)
                )
            )
        )

    async def moved(self, count: int, playing: "asyncio.Task[None]") -> None:
        """Wait until so many more moves were made in all, or all is played."""
        wanted = count + await self._versions()
        while await self._versions() < wanted and not playing.done():  # noqa: ASYNC110 - only by asking
            await asyncio.sleep(0.02)

    async def _versions(self) -> int:
        return sum([(await self.one.match(match_id)).version for match_id in self.match_ids])

    async def check(self) -> None:
        """Every match has ended as its bots ended it: nobody was charged, and no move is there twice.

        A server that hears late of a master, since it is cut off or busy, gives its bots time for that.
        """
        given = {matches_pb.LOG_ENTRY_KIND_CREDIT}
        assert [tally.matches for tally in self.tallies] == [MATCHES] * 4
        for match_id in self.match_ids:
            record = await self.one.record(match_id)
            kinds = {entry.kind for entry in record.entries}
            assert kinds - given == {
                matches_pb.LOG_ENTRY_KIND_READY,
                matches_pb.LOG_ENTRY_KIND_MOVE,
            }
            asked = [entry.decision_id for entry in record.entries if entry.decision_id]
            assert len(set(asked)) == len(asked)


async def test_bots_on_two_servers_play_whole_matches(cluster: RedisCluster) -> None:
    """Moves and bells go through the cluster, whichever masters have the match and its bots."""
    async with asyncio.timeout(LIMIT), two_servers(cluster) as servers:
        arena = await Arena.make(*servers)
        masters = {
            cluster.master_of(PARTITION_SLOTS[partition_of(id_)])
            for id_ in (*arena.match_ids, *(bot.bot_id for bot in arena.bots))
        }
        assert len(masters) > 1
        await arena.play()
        await arena.check()
        assert not any(tally.faults for tally in arena.tallies)


async def test_matches_survive_the_death_of_a_master(shaken: RedisCluster) -> None:
    """kill -9 under load: moves wait or are sent again, and every match is played through (T6, T21)."""
    async with asyncio.timeout(LIMIT), two_servers(shaken) as servers:
        arena = await Arena.make(*servers)
        playing = asyncio.create_task(arena.play())
        await arena.moved(40, playing)
        slot = PARTITION_SLOTS[partition_of(arena.match_ids[0])]
        await shaken.fail_over(slot)
        await playing
        await arena.check()


async def test_matches_go_on_while_their_slot_moves(cluster: RedisCluster) -> None:
    """The partition of a match goes to another master, and back, while it is played."""
    async with asyncio.timeout(LIMIT), two_servers(cluster) as servers:
        arena = await Arena.make(*servers)
        slot = PARTITION_SLOTS[partition_of(arena.match_ids[0])]
        playing = asyncio.create_task(arena.play())
        await arena.moved(20, playing)
        for _ in range(2):
            home = cluster.master_of(slot)
            target = next(node for node in cluster.masters() if node is not home)
            await cluster.move_slot(slot, target)
            assert cluster.master_of(slot) is target
            await arena.moved(5, playing)
        await playing
        await arena.check()


async def test_a_server_of_workers_and_its_director_run_on_a_cluster(
    cluster: RedisCluster, tmp_path: Path
) -> None:
    """Bots that join the ladder are paired, play, and are counted."""
    words = ("--workers", "2", "--redis-url", cluster.url)
    async with asyncio.timeout(LIMIT), running_server(tmp_path, *words) as server:
        async with Client(server.address, server.admin_token) as admin:
            tokens = [(await admin.register_bot(name)).token for name in ("one", "two")]
        for token in tokens:
            async with Client(server.address, token) as client:
                await client.join_ladder("main")
        tallies = await asyncio.gather(
            *(
                run_bot(RandomBot(seed=seed), server.address, token, matches=2)
                for seed, token in enumerate(tokens)
            )
        )
        # One may be given a third before it is known that the other has had enough.
        assert min(tally.matches for tally in tallies) == 2
