"""Laws of the private Redis: one server a folder, nothing lost, nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from shoal.server.store import (
    FolderInUse,
    NoRedisBinary,
    Pipe,
    StoreRefused,
    default_folder,
    launch_redis,
)
from shoal.server.store.binary import _bundled, find_binary, parse_version

SERVER = """
import sys, time
from pathlib import Path
from shoal.server.store import launch_redis
with launch_redis(Path(sys.argv[1])) as redis:
    print(redis.pid, flush=True)
    sys.stdin.readline()
"""


def start_server(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Run a process that holds a private Redis until it reads a line; return the Redis's pid."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    return server, int(server.stdout.readline())


def finish(server: subprocess.Popen[str]) -> None:
    """Let a server end, or take note that it has, and close what it was read by."""
    server.communicate("\n" if server.poll() is None else None)


async def count_up(url: str) -> int:
    """Count in Redis and return how often it was."""
    async with Pipe(url) as pipe:
        return int(await pipe.command("INCR", "shoal:count"))


async def test_data_outlives_a_clean_stop(tmp_path: Path) -> None:
    """The same folder has the same data, and no process and no socket is left in between."""
    for count in (1, 2, 3):
        with launch_redis(tmp_path) as redis:
            assert not redis.adopted
            assert await count_up(redis.url) == count
        assert not psutil.pid_exists(redis.pid)
        assert not (tmp_path / "redis.sock").exists()


async def test_acknowledged_writes_are_on_disk(tmp_path: Path) -> None:
    """The settings are those that an acknowledgement promises."""
    with launch_redis(tmp_path) as redis:
        async with Pipe(redis.url) as pipe:
            for name, value in {
                "appendonly": b"yes",
                "appendfsync": b"always",
                "maxmemory-policy": b"noeviction",
                "port": b"0",
                "daemonize": b"no",
            }.items():
                assert (await pipe.command("CONFIG", "GET", name))[1] == value


def test_two_servers_cannot_share_a_folder(tmp_path: Path) -> None:
    """The second is told who is there, and the first goes on."""
    with launch_redis(tmp_path) as redis:
        said = rf"process {os.getpid()}\).*--redis-url"
        with pytest.raises(FolderInUse, match=said), launch_redis(tmp_path):
            pass
        assert psutil.pid_exists(redis.pid)


async def test_an_orphan_is_adopted(tmp_path: Path) -> None:
    """A server is killed; the next one goes on with its Redis, and stops it at the end (T21)."""
    server, pid = start_server(tmp_path)
    server.kill()
    finish(server)
    assert psutil.pid_exists(pid)
    with launch_redis(tmp_path) as redis:
        assert redis.adopted
        assert redis.pid == pid
        assert await count_up(redis.url) == 1
    assert not psutil.pid_exists(pid)
    with launch_redis(tmp_path) as redis:
        assert not redis.adopted
        assert await count_up(redis.url) == 2


def test_the_keyboard_interrupt_of_a_server_spares_its_redis(tmp_path: Path) -> None:
    """Redis is in another session, so that the server can drain before it stops it."""
    server, pid = start_server(tmp_path)
    try:
        assert os.getsid(pid) == os.getpgid(pid) == pid
        assert os.getsid(server.pid) != pid
    finally:
        finish(server)
    assert not psutil.pid_exists(pid)


async def test_a_pid_file_of_a_stranger_is_ignored(tmp_path: Path) -> None:
    """After a crash of the machine its number may be anybody's, and he is left alone."""
    (tmp_path / "redis.pid").write_text(str(os.getpid()))
    with launch_redis(tmp_path) as redis:
        assert not redis.adopted
        assert redis.pid != os.getpid()
    (tmp_path / "redis.pid").write_text("nonsense")
    with launch_redis(tmp_path) as redis:
        assert not redis.adopted


async def test_a_killed_redis_starts_again(tmp_path: Path) -> None:
    """What a dead Redis has left in the folder is no obstacle."""
    with launch_redis(tmp_path) as redis:
        assert await count_up(redis.url) == 1
        os.kill(redis.pid, signal.SIGKILL)
    assert (tmp_path / "redis.sock").exists()
    with launch_redis(tmp_path) as redis:
        assert await count_up(redis.url) == 2


async def test_a_deep_folder_gets_a_socket_elsewhere(tmp_path: Path) -> None:
    """Paths of sockets are short; the data stays where it was wanted, and orphans are found."""
    deep = tmp_path / ("d" * 100) / ("e f" * 20)
    server, pid = start_server(deep)
    server.kill()
    finish(server)
    with launch_redis(deep) as redis:
        assert redis.pid == pid
        assert len(redis.url) < 110
        assert await count_up(redis.url) == 1
        assert (deep / "appendonly.aof").exists() or (deep / "appendonlydir").exists()
    socket_folder = Path(redis.url.removeprefix("unix://")).parent
    assert socket_folder != deep
    assert not socket_folder.exists()


async def test_a_folder_with_spaces_works(tmp_path: Path) -> None:
    """Nothing on the way splits words or minds what a URL minds."""
    with launch_redis(tmp_path / "a b % ü # ?") as redis:
        assert await count_up(redis.url) == 1


def test_data_that_redis_cannot_read_is_reported(tmp_path: Path) -> None:
    """The error has the last words of Redis, and leaves no process."""
    (tmp_path / "appendonly.aof").write_bytes(b"this is no log of Redis\n" * 10)
    (tmp_path / "appendonlydir").write_bytes(b"nor a folder")
    with pytest.raises(StoreRefused, match="its log ends with"), launch_redis(tmp_path):
        pass
    assert not [
        child for child in psutil.Process().children() if str(tmp_path) in " ".join(child.cmdline())
    ]


def test_a_redis_that_hangs_is_not_started_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two on the same data would ruin it, so the hanging one is named, and then stopped."""
    monkeypatch.setattr("shoal.server.store.launcher._START_LIMIT", 0.1)
    monkeypatch.setattr("shoal.server.store.launcher._STOP_LIMIT", 0.1)
    monkeypatch.setattr("shoal.server.store.probe._LIMIT", 0.1)
    server, pid = start_server(tmp_path)
    server.kill()
    finish(server)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(StoreRefused, match=f"process {pid}"), launch_redis(tmp_path):
        pass
    deadline = time.monotonic() + 5
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        pass
    assert not psutil.pid_exists(pid)


def make_program(folder: Path, name: str, version: str) -> None:
    """Make a program that only says its version."""
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_a_new_enough_program_on_the_path_is_used(tmp_path: Path, name: str) -> None:
    """Redis and Valkey are both good."""
    make_program(tmp_path, name, "Redis server v=7.2.4 sha=0:0")
    assert find_binary(str(tmp_path)) == tmp_path / name


def test_an_old_program_on_the_path_is_passed_over(tmp_path: Path) -> None:
    """Valkey beside an old Redis is found; else the wheel has one."""
    make_program(tmp_path, "redis-server", "Redis server v=6.0.16 sha=0:0")
    assert find_binary(str(tmp_path)) == _bundled()
    make_program(tmp_path, "valkey-server", "Valkey server v=8.1.1 sha=0:0")
    assert find_binary(str(tmp_path)) == tmp_path / "valkey-server"


def test_without_any_program_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, with the ways out."""
    monkeypatch.setattr("shoal.server.store.binary._bundled", lambda: None)
    with pytest.raises(NoRedisBinary) as error:
        find_binary(str(tmp_path))
    message = str(error.value)
    assert "\n" not in message
    assert all(way in message for way in ("redis-server", "shoal[embedded]", "SHOAL_REDIS_URL"))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Redis server v=6.2.14 sha=40305114:0 malloc=libc bits=64 build=1", (6, 2)),
        ("Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0", (8, 0)),
        ("7.4.0", (7, 4)),
        ("255.255.255", (255, 255)),
        ("", None),
        ("usage: redis-server [options]", None),
    ],
)
def test_versions_are_read(text: str, version: tuple[int, int] | None) -> None:
    """From what programs and INFO say."""
    assert parse_version(text) == version


def test_the_default_folder_is_the_user_s(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_STATE_HOME decides, else the home."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "shoal"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".local" / "state" / "shoal"
