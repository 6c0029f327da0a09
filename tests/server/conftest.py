"""One private Redis for these tests, and servers on it. Each test has bots of its own."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shoal.server.store.launcher import PrivateRedis, launch_redis
from tests.server.support import Server, serving


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """A running Redis of our own."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
async def server(redis: PrivateRedis) -> AsyncIterator[Server]:
    """A server on that Redis."""
    async with serving(redis.url) as running:
        yield running


@pytest.fixture
async def other(redis: PrivateRedis) -> AsyncIterator[Server]:
    """Another server on the same Redis."""
    async with serving(redis.url) as running:
        yield running
