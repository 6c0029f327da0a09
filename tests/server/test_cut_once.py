"""A cut costs a bot nothing and gives it nothing, whoever hears of its end and whatever it does (T6, T40)."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import grpc

from shoal.server.store.launcher import PrivateRedis
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import LONG, poll
from tests.server.streams import answer
from tests.server.support import Bot, Server, serving, until
from tests.server.test_credits import kinds
from tests.server.test_cuts import MOVE_MS, decision_at, pass_the_turn
from tests.server.test_free_time import BANK, THOUGHT, asked_now
from tests.store.proxy import Proxy, proxied

CUT_SECONDS = 4.0

SLOW_MS = 500
"""What a server that is slow leaves out, at most."""


class Holding(Proxy):
    """A way to a Redis that passes on what is asked, and holds back the answers until it is free."""

    free: asyncio.Event

    async def _forward_replies(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(1 << 20):
            await self.free.wait()
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError


async def test_a_late_answer_of_the_store_is_no_free_time(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """What a server heard of late it leaves out, and is given; what is thought then is charged (T40)."""
    proxy = Holding(redis.url, tmp_path / "held.sock")
    proxy.free = asyncio.Event()
    proxy.free.set()
    await proxy.accept()
    try:
        bots = await server.team(2)
        async with serving(proxy.url) as far:
            match_id = await server.deal(*bots, move_ms=MOVE_MS)
            first, update = await asked_now(server, bots, match_id)
            async with far.stream(bots[0]) as one, far.stream(bots[1]) as two:
                streams = {bots[0].bot_id: one, bots[1].bot_id: two}
                proxy.free.clear()
                await streams[first.bot_id].say(moves=[answer(update)])
                await asyncio.sleep(1.8)  # time itself is what is tested
                proxy.free.set()
                told = time.monotonic()
                await streams[first.bot_id].hear("move_result")
                bot, now = await asked_now(server, bots, match_id)
                await asyncio.sleep(2.5)
                thought_ms = (time.monotonic() - told) * 1000
                receipt = (await streams[bot.bot_id].move(now)).receipt
            assert receipt.think_ms >= thought_ms - SLOW_MS
            await server.resign(bots[0], match_id)
    finally:
        await proxy.refuse()


@asynccontextmanager
async def anybody_asks(server: Server, match_id: str) -> AsyncIterator[None]:
    """Ask again and again for matches of the same partition that there are not."""

    async def asks() -> None:
        number = 0
        while True:
            number = (number + 1) % 256
            with suppress(grpc.aio.AioRpcError):
                await server.match(match_id[:-2] + f"{number:02x}")
            await asyncio.sleep(0.02)

    asking = asyncio.ensure_future(asks())
    try:
        yield
    finally:
        asking.cancel()
        await asyncio.wait([asking])


async def test_a_cut_is_made_good_whoever_hears_first_of_its_end(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """A call of anybody that comes before the next tick takes nothing from the bots (T6)."""
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        match_id = await server.deal(*bots, move_ms=MOVE_MS)
        first, _ = await asked_now(server, bots, match_id)
        (bot,) = [each for each in bots if each is not first]
        async with far.stream(bot) as stream:
            await proxy.refuse()
            async with anybody_asks(far, match_id):
                await pass_the_turn(server, first, match_id)
                await asyncio.sleep(CUT_SECONDS)  # time itself is what is tested
                await proxy.accept()
                update = await decision_at(stream, match_id)

                async def given() -> bool:
                    return (await server.match(match_id)).version > update.version

                await until(given)
        await server.resign(bot, match_id)
        assert "CREDIT" in await kinds(server, match_id)


async def asked_at(server: Server, bot: Bot) -> pb.MatchUpdate:
    """Poll until something is asked, whatever fails."""
    while True:
        with suppress(grpc.aio.AioRpcError):
            for told in (await poll(server, bot, wait=LONG)).matches:
                if told.HasField("decision"):
                    return told
        await asyncio.sleep(0.05)


async def test_a_bot_that_polls_does_not_pay_for_a_cut(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """The poll that was ended by it goes on in the next one: it is as with a stream (T6)."""
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        match_id = await server.deal(*bots, **BANK)
        first, _ = await asked_now(server, bots, match_id)
        (bot,) = [each for each in bots if each is not first]
        polling = asyncio.ensure_future(asked_at(far, bot))

        async def polls() -> bool:
            return bool(far.app._polls._open)

        await until(polls)
        await proxy.refuse()
        await pass_the_turn(server, first, match_id)
        asked = time.monotonic()
        await asyncio.sleep(CUT_SECONDS)  # time itself is what is tested
        await proxy.accept()
        now = await polling
        told = time.monotonic()
        await asyncio.sleep(THOUGHT)
        receipt = await far.play(bot, now)
        done = time.monotonic()
        assert receipt.think_ms <= (done - asked - CUT_SECONDS / 2) * 1000
        assert receipt.think_ms >= (done - told) * 1000 - SLOW_MS
        await server.resign(bot, match_id)
        assert "CREDIT" in await kinds(server, match_id)


async def test_a_bot_that_comes_is_given_nothing_for_cuts_before(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """Whoever goes to a server that is cut off now and then has thought where it was before (T40)."""
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        match_id = await server.deal(*bots, **BANK)
        bot, update = await asked_now(server, bots, match_id)
        told = time.monotonic()
        await proxy.refuse()
        await asyncio.sleep(CUT_SECONDS)  # time itself is what is tested
        await proxy.accept()
        await asyncio.sleep(1.0)
        async with far.stream(bot) as stream:
            await proxy.refuse()
            await asyncio.sleep(1.5)
            await proxy.accept()
            await asyncio.sleep(1.5)
            thought_ms = (time.monotonic() - told) * 1000
            results: list[pb.MoveResult] = []

            async def plays() -> bool:
                results.append(await stream.move(update))
                return results[-1].HasField("receipt")

            await until(plays)
        assert results[-1].receipt.think_ms >= thought_ms - CUT_SECONDS * 1000 / 2
        await server.resign(bot, match_id)
        assert "CREDIT" not in await kinds(server, match_id)
