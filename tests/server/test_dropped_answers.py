"""Answers of the store that nobody waits for any more: that they fail is nobody's bug."""

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from shoal.match import Entry, EntryKind, SeatMeta, VoidReason
from shoal.server.hub.table import Table
from shoal.server.play.creation import Creation, MatchSpec
from shoal.server.store import Guard, new_id
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.launcher import PrivateRedis, launch_redis
from tests.server.support import Server, serving


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[PrivateRedis]:
    """A Redis that the test kills."""
    with launch_redis(tmp_path) as running:
        yield running


async def lose_store(server: Server, redis: PrivateRedis) -> None:
    """Kill Redis, and wait until the connection is gone."""
    os.kill(redis.pid, signal.SIGKILL)
    async with asyncio.timeout(10):
        while server.stores.pipe.available:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def all_answered(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """Wait until what was asked before has failed; see that no failure is left over."""
    with pytest.raises(StoreUnavailable):
        await server.stores.pipe.command("PING")
    gc.collect()
    await asyncio.sleep(0)
    gc.collect()
    records = caplog.get_records("call")
    assert not [each.getMessage() for each in records if each.levelno >= logging.ERROR]


async def table_of(server: Server) -> Table:
    """Return the table of a new match."""
    table = await server.app._hub.table(await server.create(*await server.team(2)))
    assert table is not None
    return table


async def test_a_stream_that_closes_while_its_tables_are_compared(
    redis: PrivateRedis, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(redis.url) as server:
        tables = [await table_of(server) for _ in range(3)]
        await lose_store(server, redis)
        comparing = asyncio.ensure_future(server.app._hub.catch_up(tables))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        comparing.cancel()
        await asyncio.wait([comparing])
        del comparing  # its traceback keeps what it had asked
        await all_answered(server, caplog)


async def test_a_match_that_cannot_be_created(
    redis: PrivateRedis, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(redis.url) as server:
        bots = await server.team(2)
        await lose_store(server, redis)
        seats = tuple(SeatMeta(bot.bot_id, bot.name) for bot in bots)
        creation = Creation(
            server.stores.matches, server.stores.bots, server.stores.competitions, "0.0"
        )
        with pytest.raises(StoreUnavailable):
            await creation.create(new_id(), MatchSpec(seats))
        await all_answered(server, caplog)


async def test_a_move_that_is_refused_when_its_stream_has_closed(
    redis: PrivateRedis, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(redis.url) as server:
        table = await table_of(server)
        await lose_store(server, redis)
        server.app._condemned.add(table.match.meta.match_id, VoidReason.LOST_MOVES)
        server.app._playing._committer.submit(table, Entry(EntryKind.RESIGN, 0), Guard.NONE)
        await all_answered(server, caplog)
