"""What a connection may do: heads and bodies are bounded in size and time, and what is no HTTP is refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from shoal.server.gateway import bodies, connection
from tests.server.support import Server

POST = b"POST /v1/bots HTTP/1.1\r\nhost: x\r\n"


@asynccontextmanager
async def connected(
    server: Server,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection of bytes."""
    host, port = server.http.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer_of(reader: asyncio.StreamReader) -> tuple[int, str]:
    """Return the code and the reason of a refusal, after which the connection must end."""
    async with asyncio.timeout(20):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    error = json.loads(body)["error"]
    code = int(head.split()[1])
    assert error["code"] == code
    return code, error["details"][0]["reason"]


async def test_what_is_no_http(server: Server) -> None:
    async with connected(server) as (reader, writer):
        writer.write(b"hello\r\n\r\n")
        assert await answer_of(reader) == (400, "MALFORMED")


@pytest.mark.parametrize("end", [b"\r\n\r\n", b""], ids=["whole", "without end"])
async def test_a_head_that_is_too_large(server: Server, end: bytes) -> None:
    async with connected(server) as (reader, writer):
        writer.write(POST + b"x: " + b"y" * (connection.MOST_HEAD_BYTES + 1) + end)
        assert await answer_of(reader) == (431, "MESSAGE_TOO_LARGE")


async def test_a_flood_of_headers(server: Server) -> None:
    async with connected(server) as (reader, writer):
        writer.write(POST + b"x: y\r\n" * 4000)
        assert await answer_of(reader) == (431, "MESSAGE_TOO_LARGE")


async def test_a_head_that_takes_too_long(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    async with connected(server) as (reader, writer):
        writer.write(POST)
        assert await answer_of(reader) == (408, "MALFORMED")


async def test_a_connection_without_a_word_is_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    async with connected(server) as (reader, _):
        assert await reader.read() == b""


async def test_a_body_that_takes_too_long(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.2)
    async with connected(server) as (reader, writer):
        writer.write(POST + b"content-length: 10\r\n\r\n{")
        assert await answer_of(reader) == (408, "MALFORMED")


async def test_a_body_without_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read for a while, and then no longer."""
    monkeypatch.setattr(bodies, "THROWN_AWAY_SECONDS", 0.3)
    async with connected(server) as (reader, writer):
        writer.write(POST + b"transfer-encoding: chunked\r\n\r\n")
        writer.write((b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 5)
        assert await answer_of(reader) == (413, "MESSAGE_TOO_LARGE")


async def test_too_many_connections(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 0)
    async with connected(server) as (reader, _):
        assert await answer_of(reader) == (503, "CONCURRENCY_LIMIT")
