"""A real Redis for the tests of the store, and pipes to it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shoal.server.store import MatchStore, Pipe, PrivateRedis, launch_redis


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """One private Redis for all tests of this folder."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
async def pipe(redis: PrivateRedis) -> AsyncIterator[Pipe]:
    """A pipe to a Redis that is empty."""
    async with Pipe(redis.url) as opened:
        await opened.command("FLUSHALL")
        yield opened


@pytest.fixture
def store(pipe: Pipe) -> MatchStore:
    """The matches of an empty Redis."""
    return MatchStore(pipe)
