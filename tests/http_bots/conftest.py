"""A Redis of these tests' own."""

from collections.abc import Iterator

import pytest

from shoal.server.store.launcher import PrivateRedis, launch_redis


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    """A running Redis of our own."""
    with launch_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running
