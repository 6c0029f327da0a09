"""A private Redis and a cluster for these tests, emptied before each."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shoal.server.chaos.redis_cluster import RedisCluster, launch_cluster
from shoal.server.store.bells import Bells
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.store.node import Limits
from shoal.server.store.pipe import Pipe

from .arena import PATIENCE


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """A running Redis of our own."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    """A running cluster of our own."""
    with launch_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(params=["single", "cluster"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Where the store is: what holds for it holds on a single Redis and on a cluster."""
    name = "redis" if request.param == "single" else "cluster"
    return str(request.getfixturevalue(name).url)


@pytest.fixture
async def pipe(store_url: str) -> AsyncIterator[Pipe]:
    """A pipe to a store without data; a disk that is busy for seconds fails no test."""
    async with Pipe(store_url, Limits(patience=PATIENCE)) as opened:
        for master in opened.masters:
            await master.command("FLUSHALL")
        yield opened


@pytest.fixture
def competitions(pipe: Pipe) -> CompetitionStore:
    """The competitions of that store."""
    return CompetitionStore(pipe)


@pytest.fixture
async def bells(store_url: str) -> AsyncIterator[Bells]:
    """The bells of that store."""
    async with Bells(store_url) as opened:
        yield opened
