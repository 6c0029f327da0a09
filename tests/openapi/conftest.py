"""A Redis of these tests' own, and a server on it."""

import logging
from collections.abc import AsyncIterator, Iterator

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

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


@pytest.fixture(autouse=True)
def logs(caplog: pytest.LogCaptureFixture) -> Iterator[list[EventDict]]:
    """What the servers log; after the test there must be no bug of ours in it, and no lost task."""
    with capture_logs() as lines:
        yield lines
    assert not [line for line in lines if line["event"] in {"bug", "timeline_changed"}]
    records = caplog.get_records("call")
    assert not [each for each in records if each.levelno >= logging.ERROR], records
