"""Real stores for these tests, a single Redis and a cluster, and pipes to them."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.store import MatchStore, Pipe, PrivateRedis, launch_redis


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """One private Redis for all tests of this folder."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """One cluster for all tests of this folder that leave it whole."""
    with launch_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(params=["single", "cluster"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Where the store is: what holds for it holds on a single Redis and on a cluster."""
    name = "redis" if request.param == "single" else "cluster"
    return str(request.getfixturevalue(name).url)


@pytest.fixture
async def pipe(store_url: str) -> AsyncIterator[Pipe]:
    """A pipe to a store that is empty, and knows no script that an earlier test has brought."""
    async with Pipe(store_url) as opened:
        for master in opened.masters:
            await master.command("FLUSHALL")
            await master.command("SCRIPT", "FLUSH")
        yield opened


@pytest.fixture
def store(pipe: Pipe) -> MatchStore:
    """The matches of an empty store."""
    return MatchStore(pipe)
