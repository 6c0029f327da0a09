"""One private Redis for these tests, and a server on it as in tests/server."""

from tests.server.conftest import logs, redis, server

__all__ = ["logs", "redis", "server"]
