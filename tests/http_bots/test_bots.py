"""The bots of clients/http play whole matches on a ladder, also over a server that stops and comes back."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from shoal.competition.specification import Ladder
from shoal.server.director import ladder
from shoal.server.store.competition_nouns import Note, State
from shoal.server.store.launcher import PrivateRedis
from shoal.server.stores import open_stores
from shoal.v1 import match_pb2
from shoal.v1.match_service_pb2 import ListMatchesRequest
from tests.server.directing import directing
from tests.server.support import Server, new_name, serving, serving_on, until

BOTS = Path(__file__).resolve().parents[2] / "clients" / "http"
LONGEST = 400.0
"""Seconds that two matches may take, on a machine that is very busy with other things: else it is ten."""

pytestmark = pytest.mark.timeout(LONGEST + 100)

PLAYED = {match_pb2.TERMINATION_TARGET, match_pb2.TERMINATION_MERMAIDS}
IN_PYTHON = pytest.param("bot.py", id="in Python's standard library")
MISSING = [each for each in ("bash", "curl", "jq") if shutil.which(each) is None]
IN_BASH = pytest.param(
    "bot.sh",
    id="in bash",
    marks=pytest.mark.skipif(bool(MISSING), reason=f"not on this machine: {', '.join(MISSING)}"),
)


def command(bot: str, name: str, server: Server, ladder: str, matches: int) -> list[str]:
    """Return the command that lets a bot play so many matches."""
    if bot == "bot.sh":
        return ["bash", str(BOTS / bot), name, ladder, str(matches)]
    where = ["--server", server.http, "--ladder", ladder]
    return [
        sys.executable,
        "-I",
        str(BOTS / bot),
        "--name",
        name,
        *where,
        "--matches",
        str(matches),
    ]


@asynccontextmanager
async def running(
    words: Sequence[str], server: Server, folder: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot in a folder of its own; it ends with the context."""
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "SHOAL_URL": server.http},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def end_of(process: asyncio.subprocess.Process) -> list[str]:
    """Wait until a bot has ended well, and return what it printed: a line for each match."""
    async with asyncio.timeout(LONGEST):
        out, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    return out.decode().splitlines()


async def assert_played(server: Server, lines: Sequence[str]) -> None:
    """The matches that a bot tells of were played to an end that decides."""
    for line in lines:
        match_id, told = line.split(": ", 1)
        match = await server.match(match_id)
        assert match.result.termination in PLAYED, line
        assert match_pb2.Termination.Name(match.result.termination) in told


@pytest.mark.parametrize("bot", [IN_PYTHON, IN_BASH])
async def test_two_of_them_play_whole_matches_on_a_ladder(
    bot: str, redis: PrivateRedis, tmp_path: Path
) -> None:
    """A block, both of whose rotations are played to the end; the token is nobody else's to read."""
    names = [new_name() for _ in range(2)]
    there = names[0]
    async with serving(redis.url) as server, directing(server.stores):
        await make_ladder(server, there)
        first, second = (command(bot, name, server, there, 2) for name in names)
        async with (
            running(first, server, tmp_path) as one,
            running(second, server, tmp_path) as other,
        ):
            told = await asyncio.gather(end_of(one), end_of(other))
        for lines in told:
            assert len(lines) >= 2
            await assert_played(server, lines)
    for name in names:
        assert (tmp_path / f"{name}.token").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("bot", [IN_PYTHON, IN_BASH])
async def test_they_play_on_at_a_server_that_was_started_again(
    bot: str, redis: PrivateRedis, tmp_path: Path
) -> None:
    """It drains, and comes back at the same place; the match that was in play goes on where it was."""
    names = [new_name() for _ in range(2)]
    there = names[0]
    async with AsyncExitStack() as stack:
        stores = await stack.enter_async_context(open_stores(redis.url))
        await stack.enter_async_context(directing(stores))
        async with serving_on(stores) as server:
            await make_ladder(server, there)
            one, other = [
                await stack.enter_async_context(
                    running(command(bot, name, server, there, 1), server, tmp_path)
                )
                for name in names
            ]
            match_id = await first_match(server, there)
        async with serving_on(stores, http_port=port_of(server)) as again:
            told = await asyncio.gather(end_of(one), end_of(other))
            for lines in told:
                assert lines[0].startswith(match_id)
                await assert_played(again, lines[:1])


async def make_ladder(server: Server, name: str) -> None:
    """Make a ladder of tables of two, without trials."""
    made = replace(ladder(name, "base", (2,)), format=Ladder(trial=False))
    await server.stores.competitions.create(name, made, State.RUNNING, Note(0, "test", "create"))


async def first_match(server: Server, there: str) -> str:
    """Return the id of a ladder's first match, once moves of it were made."""
    found: list[str] = []

    async def is_there() -> bool:
        listed = await server.matches.ListMatches(ListMatchesRequest(ladder_id=there))
        found[:] = [each.match_id for each in listed.matches if each.version > 5]
        return bool(found)

    await until(is_there, LONGEST)
    return found[0]


def port_of(server: Server) -> int:
    """Return the port that a server listens on for HTTP."""
    return int(server.http.rpartition(":")[2])
