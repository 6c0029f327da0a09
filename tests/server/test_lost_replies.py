"""A reply that is lost between the server and Redis, after the commit, is answered all the same (T1)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from shoal.server.play import sweeper
from shoal.server.store import MatchStore, Pipe
from shoal.server.store.launcher import PrivateRedis
from shoal.server.stores import open_stores
from tests.server.rpcs import read_error
from tests.server.streams import answer
from tests.server.support import Question, Server, serving_on, until
from tests.store.proxy import Proxy, proxied

ATTEMPTS = 5
"""A stream has replies of its own, which may be the ones that are lost."""


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody but the test speak to the store, so that it is known whose reply is lost."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 60)


@asynccontextmanager
async def behind_proxy(redis: PrivateRedis, folder: Path) -> AsyncIterator[tuple[Server, Proxy]]:
    """Run a server whose matches, and nothing else, are behind a proxy."""
    async with (
        proxied(redis.url, folder) as proxy,
        open_stores(redis.url) as stores,
        Pipe(proxy.url) as pipe,
        serving_on(replace(stores, pipe=pipe, matches=MatchStore(pipe))) as server,
    ):
        yield server, proxy


async def asked_quietly(server: Server) -> Question:
    """Deal a match, and return its question when no stream is open and every reply has come."""
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        pass

    async def alone() -> bool:
        present = await server.stores.presences.get_many([bot.bot_id for bot in bots])
        return present == [None, None]

    await until(alone)
    await server.match(question.match_id)
    return question


async def test_a_move_whose_reply_was_lost_is_answered_as_repeated(
    redis: PrivateRedis, tmp_path: Path
) -> None:
    """The server asks again by itself, and the one move that was made is the answer (T1)."""
    async with behind_proxy(redis, tmp_path) as (server, proxy):
        question = await asked_quietly(server)
        proxy.lose_replies()
        receipt = await server.play(question.asked, question.update)
        assert proxy.lost.is_set()
        assert receipt.already
        assert receipt.version == question.update.version + 1
        again = await server.play(question.asked, question.update)
        assert (again.version, again.think_ms) == (receipt.version, receipt.think_ms)
        assert (await server.match(question.match_id)).version == receipt.version


async def test_a_move_that_may_have_counted_is_safe_to_send_again(
    redis: PrivateRedis, tmp_path: Path
) -> None:
    """While the store stays away the caller is told so; the same move later is the one that was made."""
    async with behind_proxy(redis, tmp_path) as (server, proxy):
        question = await asked_quietly(server)
        proxy.lose_replies()
        close_the_door(proxy)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.play(question.asked, question.update)
        assert proxy.lost.is_set()
        refused = read_error(caught.value)
        assert (refused.reason, refused.code) == (
            "STORE_UNAVAILABLE",
            grpc.StatusCode.UNAVAILABLE,
        )
        assert refused.retry_seconds
        await proxy.accept()

        async def answered() -> bool:
            try:
                receipt = await server.play(question.asked, question.update)
            except grpc.aio.AioRpcError:
                return False
            assert receipt.already
            assert receipt.version == question.update.version + 1
            return True

        await until(answered)


def close_the_door(proxy: Proxy) -> None:
    """Accept no new connections, and leave the open ones."""
    assert proxy._server is not None
    proxy._server.close()
    proxy._path.unlink()


@pytest.mark.parametrize("let_through", [0, 40, 150, 400])
async def test_moves_of_a_pipeline_are_each_made_once(
    redis: PrivateRedis, tmp_path: Path, let_through: int
) -> None:
    """When the replies to many moves sent together are cut anywhere, each is answered and made once."""
    async with behind_proxy(redis, tmp_path) as (server, proxy):
        anna, bert = await server.team(2)
        for _ in range(ATTEMPTS):
            match_ids = [await server.deal(anna, bert) for _ in range(16)]
            async with server.stream(anna) as stream:
                updates = [stream.match(match_id) for match_id in match_ids]
                asked = [each for each in updates if each.HasField("decision")]
                proxy.lose_replies(let_through)
                await stream.say(moves=[answer(each) for each in asked])
                results = [await stream.hear("move_result") for _ in asked]
            assert proxy.lost.is_set()
            assert all(each.receipt.version == 3 for each in results)
            for update in asked:
                assert (await server.match(update.match_id)).version == 3
            if any(each.receipt.already for each in results):
                return
        raise AssertionError("the replies that were lost were never those to moves")
