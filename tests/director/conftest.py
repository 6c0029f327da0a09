"""One private Redis for these tests, emptied before each."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shoal.server.store.bells import Bells
from shoal.server.store.ladders import LadderStore
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.store.pipe import Pipe


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """A running Redis of our own."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
async def pipe(redis: PrivateRedis) -> AsyncIterator[Pipe]:
    """A pipe to a Redis without data."""
    async with Pipe(redis.url) as opened:
        await opened.command("FLUSHALL")
        yield opened


@pytest.fixture
def ladders(pipe: Pipe) -> LadderStore:
    """The ladders of that Redis."""
    return LadderStore(pipe)


@pytest.fixture
async def bells(redis: PrivateRedis) -> AsyncIterator[Bells]:
    """The bells of that Redis."""
    async with Bells(redis.url) as opened:
        yield opened
