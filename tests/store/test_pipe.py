"""Laws of the pipe: one pipeline a turn, errors for their own command, and lost connections."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import hiredis
import pytest

from shoal.server.store import (
    Limits,
    MatchStore,
    Pipe,
    PrivateRedis,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    launch_redis,
)
from shoal.server.store.link import error_from
from shoal.server.store.scripts import Script

from .proxy import Proxy, proxied
from .steps import make_match, reload, step, take

IMPATIENT = Limits(patience=0.4, connect=0.3)


@pytest.fixture
def store_url(redis: PrivateRedis) -> str:
    """These laws are of one connection."""
    return redis.url


@pytest.fixture
async def proxy(redis: PrivateRedis, tmp_path: Path) -> AsyncIterator[Proxy]:
    """A proxy in front of the common Redis."""
    async with proxied(redis.url, tmp_path) as running:
        yield running


async def recovered(pipe: Pipe) -> None:
    """Wait until a pipe serves again."""
    async with asyncio.timeout(10):
        while True:
            try:
                await pipe.command("PING")
            except StoreUnavailable:
                await asyncio.sleep(0.01)
            else:
                return


async def test_one_turn_of_the_loop_is_one_pipeline(proxy: Proxy) -> None:
    """A hundred commands asked in one turn leave in one write, answered in their order."""
    async with Pipe(proxy.url) as pipe:
        before = proxy.requests
        replies = await pipe.many(("ECHO", number) for number in range(100))
        assert [int(reply) for reply in replies] == list(range(100))
        assert proxy.requests == before + 1


async def test_an_error_is_of_its_own_command(pipe: Pipe) -> None:
    """What stands beside a failing command in the pipeline succeeds."""
    good, bad, also_good = pipe.submit("PING"), pipe.submit("NONSENSE"), pipe.submit("ECHO", "x")
    assert await good == b"PONG"
    with pytest.raises(StoreError, match="unknown command"):
        await bad
    assert await also_good == b"x"


async def test_many_ends_all_and_raises_the_first_error(pipe: Pipe) -> None:
    """An error in the middle does not keep what follows from being done."""
    with pytest.raises(StoreError, match="NONSENSE"):
        await pipe.many([("SET", "shoal:a", 1), ("NONSENSE",), ("SET", "shoal:b", 2)])
    assert await pipe.many([("GET", "shoal:a"), ("GET", "shoal:b")]) == [b"1", b"2"]
    assert await pipe.many([]) == []


async def test_a_reader_that_fails_fails_its_own_call(pipe: Pipe) -> None:
    """An error while reading a reply reaches who asked, and the pipe goes on."""
    failing = pipe.submit("ECHO", "x", decode=int)
    assert await pipe.submit("ECHO", "7", decode=int) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        await failing


async def test_a_forgotten_script_is_taught_again(pipe: Pipe, store: MatchStore) -> None:
    """After SCRIPT FLUSH, as after a restart, steps go on, each made once."""
    matches = [await make_match(store) for _ in range(10)]
    await pipe.command("SCRIPT", "FLUSH")
    for match in matches:
        await take(store, step(match))
    await pipe.command("SCRIPT", "FLUSH")
    for match in await asyncio.gather(*(reload(store, m.match_id) for m in matches)):
        await take(store, step(match))


async def test_only_forgotten_scripts_are_sent_again(pipe: Pipe) -> None:
    """A command beside a script that has to be taught runs once."""
    script = Script.of("new", f"return {time.time_ns()}")
    await pipe.command("SET", "shoal:count", 0)
    replies = await asyncio.gather(
        pipe.submit("INCR", "shoal:count"),
        *(pipe.call(script, ()) for _ in range(5)),
        pipe.submit("INCR", "shoal:count"),
    )
    assert replies[0] == 1
    assert len(set(replies[1:6])) == 1
    assert replies[6] == 2


async def test_a_script_that_is_wrong_fails(pipe: Pipe) -> None:
    """What Redis cannot compile is an error of the call, not a loop."""
    with pytest.raises(StoreError):
        await pipe.call(Script.of("wrong", "this is not Lua"), ())


async def test_a_cut_connection_is_opened_again(proxy: Proxy) -> None:
    """What had no answer is sent again, without anybody noticing (T19)."""
    async with Pipe(proxy.url) as pipe:
        for _ in range(5):
            proxy.lose_replies()
            assert await pipe.many([("ECHO", "a"), ("ECHO", "b")]) == [b"a", b"b"]
            assert proxy.lost.is_set()


async def test_a_call_is_not_sent_for_ever(proxy: Proxy) -> None:
    """A call whose connection is lost every time is given up."""
    async with Pipe(proxy.url, Limits(patience=30)) as pipe:

        async def keep_losing() -> None:
            proxy.lose_replies()
            while True:
                await proxy.lost.wait()
                proxy.lose_replies(after_bytes=len("+PONG\r\n"))  # what greets a new connection

        losing = asyncio.create_task(keep_losing())
        with pytest.raises(StoreUnavailable, match="again and again"):
            await pipe.command("PING")
        losing.cancel()


async def test_without_redis_calls_fail_fast_and_then_recover(proxy: Proxy) -> None:
    """First a call waits for the patience, later ones fail at once, then all is well again."""
    async with Pipe(proxy.url, IMPATIENT) as pipe:
        await proxy.refuse()
        with pytest.raises(StoreUnavailable):
            await pipe.command("PING")
        async with asyncio.timeout(5):
            while pipe.available:  # noqa: ASYNC110  it tells nobody
                await asyncio.sleep(0.01)
        refused = [pipe.submit("PING") for _ in range(100)]
        assert all(isinstance(each.exception(), StoreUnavailable) for each in refused)
        await proxy.accept()
        await recovered(pipe)
        assert pipe.available


async def test_a_redis_that_hangs_is_unavailable(redis: PrivateRedis) -> None:
    """A Redis that accepts and never answers costs the patience, and no more (T19)."""
    async with Pipe(redis.url, IMPATIENT) as pipe:
        os.kill(redis.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(StoreUnavailable):
                await pipe.command("PING")
            assert time.monotonic() - began < 10
        finally:
            os.kill(redis.pid, signal.SIGCONT)
        await recovered(pipe)


async def test_a_loop_that_stood_still_does_not_blame_redis(redis: PrivateRedis) -> None:
    """Replies that have arrived meanwhile are read before anything is called late."""
    async with Pipe(redis.url, IMPATIENT) as pipe:
        asked = pipe.submit("PING")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        time.sleep(1)  # noqa: ASYNC251  the very thing under test
        assert await asked == b"PONG"


async def test_the_queue_is_bounded(redis: PrivateRedis) -> None:
    """Beyond the limit calls are refused at once; the others are answered."""
    async with Pipe(redis.url, Limits(calls=10)) as pipe:
        asked = [pipe.submit("PING") for _ in range(12)]
        replies = await asyncio.gather(*asked, return_exceptions=True)
        assert replies[:10] == [b"PONG"] * 10
        assert [type(reply) for reply in replies[10:]] == [StoreUnavailable] * 2
        assert await pipe.command("PING") == b"PONG"


async def test_closing_waits_for_what_was_asked(redis: PrivateRedis) -> None:
    """Calls of the last turn are answered; later ones are refused."""
    async with Pipe(redis.url) as pipe:
        asked = [pipe.submit("ECHO", number) for number in range(50)]
    assert [int(reply.result()) for reply in asked] == list(range(50))
    with pytest.raises(StoreUnavailable, match="not open"):
        await pipe.command("PING")


async def test_an_error_leaves_the_context_as_it_is(redis: PrivateRedis) -> None:
    """What is raised inside is not wrapped in a group."""
    with pytest.raises(ZeroDivisionError):
        async with Pipe(redis.url):
            raise ZeroDivisionError


async def test_a_pipe_to_nowhere_does_not_open(tmp_path: Path) -> None:
    """Opening tells that nobody is there."""
    with pytest.raises(StoreUnavailable, match="no connection"):
        async with Pipe(f"unix://{tmp_path}/nothing.sock", IMPATIENT):
            pass


async def test_a_wrong_password_is_refused_at_once(redis: PrivateRedis) -> None:
    """No patience is spent on a Redis that does not let us in."""
    with pytest.raises(StoreRefused, match="does not let us in"):
        async with Pipe(redis.url.replace("unix://", "unix://nobody:wrong@"), Limits(patience=60)):
            pass


async def test_the_database_of_the_url_is_used(redis: PrivateRedis, pipe: Pipe) -> None:
    """What is written in database 1 is not in database 0."""
    async with Pipe(f"{redis.url}?db=1") as other:
        await other.command("SET", "shoal:x", 1)
        assert await pipe.command("GET", "shoal:x") is None
        assert await other.command("GET", "shoal:x") == b"1"


async def test_acknowledged_steps_survive_the_death_of_redis(tmp_path: Path) -> None:
    """Redis is killed and started again on its folder: nothing acknowledged is lost (T6, T21)."""
    with launch_redis(tmp_path) as first:
        async with Pipe(first.url) as pipe:
            store = MatchStore(pipe)
            match = await make_match(store)
            for _ in range(20):
                made = await take(store, step(await reload(store, match.match_id)))
            os.kill(first.pid, signal.SIGKILL)
            with pytest.raises(StoreUnavailable):
                await take(store, step(match))
    with launch_redis(tmp_path) as second:
        assert second.pid != first.pid
        async with Pipe(second.url) as pipe:
            after = await reload(MatchStore(pipe), match.match_id)
            assert (after.version, after.rev) == (20, made.rev)
            assert len(await MatchStore(pipe).entries(match.match_id)) == 20


async def test_one_pipe_lives_through_the_death_of_redis(tmp_path: Path) -> None:
    """The pipe that saw Redis die serves again when it is back, scripts and all (T21)."""
    async with AsyncExitStack() as last:
        with launch_redis(tmp_path) as first:
            pipe = await last.enter_async_context(Pipe(first.url))
            store = MatchStore(pipe)
            match = await make_match(store)
            await take(store, step(match))
            os.kill(first.pid, signal.SIGKILL)
            with pytest.raises(StoreUnavailable):
                await store.load(match.match_id)
        with launch_redis(tmp_path) as second:
            assert second.url == first.url
            await recovered(pipe)
            match = await reload(store, match.match_id)
            assert match.version == 1
            await take(store, step(match))
            await last.aclose()


@pytest.mark.parametrize(
    "text",
    [
        "LOADING Redis is loading the dataset in memory",
        "CLUSTERDOWN Hash slot not served",
        "READONLY You can't write against a read only replica.",
        "MISCONF Redis is configured to save RDB snapshots",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "BUSY Redis is busy running a script.",
        "MASTERDOWN Link with MASTER is down",
        "ERR max number of clients reached",
        "ERR Error running script (call to f_0): @user_script:5: -OOM command not allowed",
        "ERR Error running script (call to f_0): @user_script:9: -READONLY You can't write",
    ],
)
def test_a_redis_that_cannot_serve_now_is_unavailable(text: str) -> None:
    """Such errors pass: asking again may help."""
    assert type(error_from(hiredis.ReplyError(text))) is StoreUnavailable


@pytest.mark.parametrize(
    "text", ["ERR unknown command", "WRONGTYPE Operation against", "BUSYGROUP Consumer Group"]
)
def test_our_own_mistakes_are_not_unavailability(text: str) -> None:
    """Such errors stay: asking again does not help."""
    assert type(error_from(hiredis.ReplyError(text))) is StoreError
