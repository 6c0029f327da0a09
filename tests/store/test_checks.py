"""Laws of the checks at start: what is not fit is refused, and left as it was found."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from shoal.server.store import (
    Limits,
    Pipe,
    PrivateRedis,
    StoreRefused,
    StoreUnavailable,
    check_store,
    keys,
)
from shoal.server.store.binary import find_binary
from shoal.server.store.checks import FORMAT, _check_version


@contextmanager
def foreign_redis(folder: Path, *words: str) -> Iterator[str]:
    """Run a Redis that is not ours to configure, and give its URL."""
    socket = folder / "foreign.sock"
    child = subprocess.Popen(
        [find_binary(), "--port", "0", "--unixsocket", socket, "--dir", folder, *words],
        stdout=subprocess.DEVNULL,
    )
    try:
        yield f"unix://{socket}"
    finally:
        child.kill()  # asked to end, Redis would finish its first log before
        child.wait()


@pytest.fixture
def store_url(redis: PrivateRedis) -> str:
    """These laws are of one Redis."""
    return redis.url


@pytest.fixture
async def foreign(tmp_path: Path) -> AsyncIterator[Pipe]:
    """A pipe to a plain Redis without persistence."""
    with foreign_redis(tmp_path, "--save", "") as url:
        async with Pipe(url) as pipe:
            yield pipe


async def refusal(pipe: Pipe) -> str:
    """Return why the Redis is refused, having seen that nothing was written."""
    before = sorted(await pipe.command("KEYS", "*"))
    with pytest.raises(StoreRefused) as refused:
        await check_store(pipe)
    assert sorted(await pipe.command("KEYS", "*")) == before
    return str(refused.value)


async def test_an_empty_redis_is_marked_as_ours(pipe: Pipe) -> None:
    """It passes, holds our format number, and passes again."""
    summary = await check_store(pipe)
    assert summary.version
    assert "always" in summary.persistence
    assert int(await pipe.command("GET", keys.FORMAT)) == FORMAT
    await pipe.command("SET", "shoal:{p01}:anything", 1)
    assert await check_store(pipe) == summary


async def test_keys_of_others_are_no_concern(pipe: Pipe) -> None:
    """A Redis that others use too is accepted, as long as they keep out of our names."""
    await pipe.command("SET", "other:shoal:x", 1)
    await check_store(pipe)


async def test_strange_keys_under_our_names_are_refused(pipe: Pipe) -> None:
    """Whatever wrote them, it was no server of ours."""
    await pipe.many(("SET", f"other:{n}", n) for n in range(2_500))
    await pipe.command("SET", "shoal:stranger", 1)
    assert "shoal:stranger" in await refusal(pipe)


async def test_another_format_is_refused(pipe: Pipe) -> None:
    """Data of a later or an earlier server is not touched."""
    await pipe.command("SET", keys.FORMAT, FORMAT + 1)
    assert f"format {FORMAT + 1}" in await refusal(pipe)


async def test_a_redis_that_may_evict_is_refused(foreign: Pipe) -> None:
    """With a limit of memory only noeviction will do; without a limit nothing is evicted."""
    await foreign.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    await foreign.command("CONFIG", "SET", "maxmemory", "100mb")
    assert "set maxmemory-policy noeviction" in await refusal(foreign)
    await foreign.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
    await check_store(foreign)
    await foreign.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    await foreign.command("CONFIG", "SET", "maxmemory", "0")
    await check_store(foreign)


async def test_a_replica_is_refused(foreign: Pipe) -> None:
    """It cannot be written, or forgets what is."""
    await foreign.command("REPLICAOF", "127.0.0.1", 1)
    assert "primary" in await refusal(foreign)


async def test_a_cluster_that_is_not_made_yet_is_unavailable(tmp_path: Path) -> None:
    """A node that knows no slots is waited for, and then the message says what is missing."""
    with (
        foreign_redis(tmp_path, "--cluster-enabled", "yes", "--save", "") as url,
        pytest.raises(StoreUnavailable, match="no slots yet"),
    ):
        async with Pipe(url, Limits(patience=0.2)):
            pass


@pytest.mark.parametrize(
    ("info", "fits"),
    [
        ({"redis_version": "6.2.14"}, True),
        ({"redis_version": "10.0.0"}, True),
        ({"redis_version": "7.2.4", "valkey_version": "8.1.0"}, True),
        ({"redis_version": "6.0.16"}, False),
        ({"redis_version": "5.0.7"}, False),
        ({"redis_version": "nonsense"}, False),
        ({}, False),
    ],
)
def test_versions_before_6_2_are_refused(info: dict[str, str], *, fits: bool) -> None:
    """Redis counts by its own version and Valkey by its own."""
    if fits:
        _check_version(info)
    else:
        with pytest.raises(StoreRefused, match=r"6\.2"):
            _check_version(info)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"appendonly": "yes", "appendfsync": "always"}, "survives the loss of Redis"),
        ({"appendonly": "yes", "appendfsync": "everysec"}, "moves of the last second"),
        ({"appendonly": "no", "save": "60 1"}, "since the last snapshot"),
        ({"appendonly": "no", "save": ""}, "every match is lost"),
    ],
)
async def test_the_summary_says_what_survives(
    foreign: Pipe, settings: dict[str, str], said: str
) -> None:
    """The line for the log follows from the settings."""
    for name, value in settings.items():
        await foreign.command("CONFIG", "SET", name, value)
    assert said in (await check_store(foreign)).persistence


async def test_hidden_settings_are_called_unknown(foreign: Pipe, tmp_path: Path) -> None:
    """A Redis that forbids CONFIG, as hosted ones do, is accepted with a warning."""
    await foreign.command(
        "ACL", "SETUSER", "guest", "on", ">secret", "~*", "&*", "+@all", "-config"
    )
    async with Pipe(f"unix://guest:secret@{tmp_path}/foreign.sock") as guest:
        assert "unknown" in (await check_store(guest)).persistence


def test_no_foreign_redis_is_left(tmp_path: Path) -> None:
    """These tests clean up after themselves."""
    with foreign_redis(tmp_path) as url:
        assert url
    assert not [c for c in psutil.Process().children() if tmp_path.name in " ".join(c.cmdline())]
