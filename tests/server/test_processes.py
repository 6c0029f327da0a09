"""`shoal serve` as a process: its director, its private Redis, and how they end."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import grpc
import psutil
import pytest

from shoal.cli.main import run
from shoal.server.children import ServerChild, running_server, shoal_command
from shoal.server.store.launcher import PrivateRedis
from shoal.v1.bot_service_pb2 import RegisterBotRequest
from shoal.v1.bot_service_pb2_grpc import BotServiceStub
from tests.server.support import Server, new_name, until

PATIENCE = 20.0


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[ServerChild, psutil.Process]]:
    """Run a server with its director, and give both."""
    async with running_server(folder) as server:
        yield server, await director_of(server.pid)


async def director_of(pid: int, other_than: int = 0) -> psutil.Process:
    """Wait for the director that the server keeps, and return it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for child in psutil.Process(pid).children():
                with suppress(psutil.Error):  # one that has just ended has no command line
                    if "--with-parent" in child.cmdline() and child.pid != other_than:
                        return child
            await asyncio.sleep(0.02)


async def gone(process: psutil.Process) -> bool:
    """Wait until a process has ended."""
    _, alive = await asyncio.to_thread(psutil.wait_procs, [process], PATIENCE)
    return not alive


async def test_a_director_that_dies_is_started_again(tmp_path: Path) -> None:
    """Whatever kills the director, its server starts another within seconds (T74)."""
    async with serving(tmp_path) as (server, director):
        director.kill()
        successor = await director_of(server.pid, other_than=director.pid)
        assert successor.is_running()


async def test_the_director_of_a_server_has_the_archive(tmp_path: Path) -> None:
    """It throws away what was never finished there, as soon as it may write."""
    part = tmp_path / "archive" / "parts" / "half"
    words = ("serve", "--port", "0", "--announce", "--data-dir", str(tmp_path / "data"))
    server = await asyncio.create_subprocess_exec(
        *shoal_command(*words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=os.environ | {"SHOAL_ARCHIVE_DIR": str(tmp_path / "archive")},
    )
    try:
        assert server.stdout is not None
        assert await server.stdout.readline()
        director = await director_of(server.pid)
        part.write_bytes(b"half")
        director.kill()
        await until(lambda: asyncio.sleep(0, not part.exists()), PATIENCE)
    finally:
        server.terminate()
        await server.wait()


def test_an_archive_that_cannot_be_written_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line that names the setting, and before any Redis is started."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("SHOAL_ARCHIVE_DIR", str(tmp_path / "file"))
    assert run(["serve", "--port", "0", "--data-dir", str(tmp_path / "data")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"SHOAL_ARCHIVE_DIR {tmp_path}/file" in said
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_server_that_is_asked_to_ends_everything_it_started(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Neither Redis nor director outlives it, and it exits with 0."""
    async with serving(tmp_path) as (server, director):
        redis = psutil.Process(server.redis_pid)
        server.child.process.send_signal(number)
        assert await asyncio.wait_for(server.child.process.wait(), PATIENCE) == 0
        assert await gone(director)
        assert await gone(redis)


async def test_a_killed_server_leaves_a_store_for_the_next_one_and_no_director(
    tmp_path: Path,
) -> None:
    """Redis is adopted by the next server in the folder; the director ends with its server."""
    async with serving(tmp_path) as (server, director):
        redis = psutil.Process(server.redis_pid)
        server.child.process.kill()
        assert await gone(director)
        assert redis.is_running()
        command = [sys.executable, "-m", "shoal.cli", "serve", "--port", "0", "--announce"]
        next_one = await asyncio.create_subprocess_exec(
            *command,
            "--no-director",
            "--data-dir",
            redis.cwd(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assert next_one.stdout is not None
            line = await asyncio.wait_for(next_one.stdout.readline(), PATIENCE)
            assert f'"redis_pid": {redis.pid}'.encode() in line
        finally:
            next_one.terminate()
            await asyncio.wait_for(next_one.wait(), PATIENCE)
        assert await gone(redis)


async def registers(channel: grpc.aio.Channel) -> bool:
    """Tell whether a bot can be registered now."""
    try:
        await BotServiceStub(channel).RegisterBot(RegisterBotRequest(name="after-the-crash"))
    except grpc.aio.AioRpcError as error:
        return error.code() != grpc.StatusCode.UNAVAILABLE
    return True


async def test_a_private_redis_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """Its server notices, starts it on the same data, and serves as before (T85)."""
    async with running_server(tmp_path, "--no-director") as server:
        psutil.Process(server.redis_pid).kill()
        async with grpc.aio.insecure_channel(server.address) as channel:
            async with asyncio.timeout(PATIENCE):
                while not await registers(channel):  # noqa: ASYNC110 - nothing tells a client
                    await asyncio.sleep(0.1)


async def test_an_admin_token_that_cannot_be_written_is_not_lost(tmp_path: Path) -> None:
    """The server says why it does not start, and the next start makes the token."""
    taken = tmp_path / "taken"
    taken.write_text("something else")
    words = ["serve", "--port", "0", "--no-director", "--data-dir", str(tmp_path / "data")]
    refused = await asyncio.create_subprocess_exec(
        *shoal_command(*words, "--admin-token-file", str(taken)),
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await asyncio.wait_for(refused.communicate(), PATIENCE)
    assert refused.returncode == 2
    assert b"taken" in said.splitlines()[-1]
    async with running_server(tmp_path, "--no-director") as server:
        assert server.admin_token.startswith("shoal_")


async def test_a_ladder_that_is_there_otherwise_is_said_in_one_line(
    server: Server, redis: PrivateRedis
) -> None:
    """It stays as it is, members and ratings belong to it; the line names all that differs."""
    name = new_name()
    await server.make_ladder(name, "pepper", (2,))
    other = await asyncio.create_subprocess_exec(
        *shoal_command("serve", "--port", "0", "--no-director", "--announce"),
        *("--redis-url", redis.url),
        env=os.environ | {"SHOAL_LADDERS": f"{name}=base"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert other.stdout is not None
    await asyncio.wait_for(other.stdout.readline(), PATIENCE)  # it serves
    other.terminate()
    _, said = await asyncio.wait_for(other.communicate(), PATIENCE)
    (line,) = [line for line in said.decode().splitlines() if "ladder_differs" in line]
    assert "rulesets is ['pepper'], not ['base']" in line
    assert "seats is [2], not [2, 3, 4]" in line
    assert (await server.stores.competitions.get(name)).specification.rulesets == ("pepper",)
