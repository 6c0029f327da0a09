"""One private Redis for these tests, servers on it as in tests/server, and a client that speaks HTTP."""

from collections.abc import AsyncIterator

import pytest

from tests.gateway.calling import Http, speaking
from tests.server.conftest import logs, other, redis, server
from tests.server.support import Server

__all__ = ["logs", "other", "redis", "server"]


@pytest.fixture
async def http(server: Server) -> AsyncIterator[Http]:
    """A client of the server."""
    async with speaking(server) as client:
        yield client
