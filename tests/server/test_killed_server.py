"""A server that is killed in the middle of matches: its bots go on elsewhere, and nothing is lost (T21)."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc

from shoal.server.app import Ports
from shoal.server.store.launcher import PrivateRedis
from tests.server.streams import play_out, play_some
from tests.server.support import Bot, Server, connected
from tests.server.ways import ANY_WAY, Way

MOVES_BEFORE = 12


@asynccontextmanager
async def server_process(
    redis: PrivateRedis, other: Server, engine: Path | None = None
) -> AsyncIterator[tuple[Process, Server]]:
    """Run a server as a process of its own on the store of another one, and connect to it.

    With another `engine` than this one, if a folder is given.
    """
    path = {} if engine is None else {"PYTHONPATH": str(engine)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "shoal.cli", "serve", "--no-director", "--announce",
        stdout=PIPE, env={**os.environ, "SHOAL_REDIS_URL": redis.url, "SHOAL_PORT": "0", **path},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            line = json.loads(await process.stdout.readline())
        ports = Ports(line["port"], line["http_port"])
        async with connected(other.app, other.stores, ports) as server:
            yield process, server
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@ANY_WAY
async def test_bots_of_a_killed_server_finish_on_another(
    redis: PrivateRedis, server: Server, way: Way
) -> None:
    """After kill -9 of a server both bots come back to the other one, and no move or seat is lost (T21)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed), AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(way(doomed, bot)) for bot in bots]
        match_id = await server.create(*bots)
        await play_some(streams, MOVES_BEFORE)
        process.kill()
        for stream in streams:
            assert "stream_end" not in await stream.rest()
            assert await stream.call.code() == grpc.StatusCode.UNAVAILABLE
        acknowledged = [each.receipt for s in streams for each in s.heard_of("move_result")]
        await finish(server, bots, match_id, way)
        record = await server.record(match_id)
        logged = {entry.version: entry.option_id for entry in record.entries}
        assert all(logged[each.version] == each.option_id for each in acknowledged)
        assert len({each.version for each in acknowledged}) == len(acknowledged) >= MOVES_BEFORE
        assert not [seat for seat in record.match.result.seats if seat.left]


async def finish(server: Server, bots: list[Bot], match_id: str, way: Way) -> None:
    """Let both bots come back on a server, and play to the end."""
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(way(server, bot)) for bot in bots]
        await asyncio.gather(*(play_out(stream, match_id) for stream in streams))
