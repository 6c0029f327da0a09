"""Servers are replaced under live matches, by the next version and back by the one before (T21, T96)."""

import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import shoal.match
from shoal.server.store import keys
from shoal.server.store.launcher import PrivateRedis
from tests.server.streams import play_some
from tests.server.support import Bot, Server
from tests.server.test_killed_server import finish, server_process
from tests.server.ways import WAYS

ENGINE = Path(shoal.match.__file__).parents[2]

MOVES = 12

NEXT_VERSION = [
    ("STATE_FORMAT = 2\nFORMAT_BEFORE = 1\n", "STATE_FORMAT = 3\nFORMAT_BEFORE = 2\n"),
    ('"{match.void.value}"]\\n', '"{match.void.value}","of the next version"]\\n'),
    ("match.credit_ms, void = later\n", "match.credit_ms, void, *_ = later\n"),
]
"""What the next version does otherwise: its states have a format and a field that this one does not know."""


@pytest.fixture
def next_version(tmp_path: Path) -> Path:
    """The engine of the next version: a copy of this one, changed."""
    root = tmp_path / "next"
    shutil.copytree(ENGINE, root, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    codec = root / "shoal" / "match" / "codec.py"
    text = codec.read_text(encoding="utf-8")
    for now, then in NEXT_VERSION:
        assert text.count(now) == 1, now
        text = text.replace(now, then)
    codec.write_text(text, encoding="utf-8")
    return root


async def play_on(server: Server, bots: list[Bot]) -> None:
    """Let both bots come to a server, and play some moves there."""
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(server.stream(bot)) for bot in bots]
        await play_some(streams, MOVES)


async def test_versions_take_over_live_matches_from_each_other(
    redis: PrivateRedis, server: Server, next_version: Path
) -> None:
    """This version, the next one, and this one again: every move is kept, and no seat leaves."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    state = (keys.match(match_id), "state")
    for root in (None, next_version, None):
        async with server_process(redis, server, root) as (process, running):
            kept = b""
            while kept != (b"[3," if root else b"[2,"):
                await play_on(running, bots)  # a state is kept with every 16th version
                kept = (await server.stores.pipe.command("HGET", *state))[:3]
            process.terminate()
            await process.wait()
    await finish(server, bots, match_id, WAYS["Play"])
    record = await server.record(match_id)
    assert not [seat for seat in record.match.result.seats if seat.left]
    assert [entry.version for entry in record.entries] == list(range(1, len(record.entries) + 1))
