"""A server whose way to the store was cut for a while, and what its bots are given for that (T6)."""

import asyncio
import time
from pathlib import Path

import pytest

from shoal.server.play.cuts import LEAST_MS
from shoal.server.store.launcher import PrivateRedis
from shoal.v1 import play_service_pb2 as pb
from tests.server.streams import Stream
from tests.server.support import Bot, Server, serving, until
from tests.server.test_credits import kinds
from tests.server.test_free_time import FAULT_MS, THOUGHT, asked_now
from tests.store.proxy import proxied

MOVE_MS = 20_000
CUT_SECONDS = 2.0


async def decision_at(stream: Stream, match_id: str) -> pb.MatchUpdate:
    """Return the next update of a match that asks something."""
    while True:
        update: pb.MatchUpdate = await stream.hear("match_update", match_id)
        if update.HasField("decision"):
            return update


async def pass_the_turn(server: Server, bot: Bot, match_id: str) -> None:
    """Answer for a bot until another one is asked."""
    while (update := await server.position(bot, match_id)).HasField("decision"):
        await server.play(bot, update)


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "when it was given time"])
async def test_a_seat_does_not_pay_for_what_its_server_could_not_hear(
    redis: PrivateRedis, server: Server, tmp_path: Path, *, at_once: bool
) -> None:
    """It is told of a decision that is open for long, is charged from then on, and its deadline moves."""
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        match_id = await server.deal(*bots, move_ms=MOVE_MS)
        first, _ = await asked_now(server, bots, match_id)
        (bot,) = [each for each in bots if each is not first]
        async with far.stream(bot) as stream:
            await proxy.refuse()
            await pass_the_turn(server, first, match_id)
            await asyncio.sleep(CUT_SECONDS)  # time itself is what is tested
            await proxy.accept()
            update = await decision_at(stream, match_id)
            told = time.monotonic()
            if not at_once:

                async def given() -> bool:
                    return (await server.match(match_id)).version > update.version

                await until(given)
            await asyncio.sleep(THOUGHT)
            thought_ms = (time.monotonic() - told) * 1000
            receipt = (await stream.move(update)).receipt
            in_all_ms = (time.monotonic() - told) * 1000
        assert receipt.version
        assert thought_ms - FAULT_MS <= receipt.think_ms <= in_all_ms + LEAST_MS
        await server.resign(bot, match_id)


async def test_what_it_was_told_before_the_cut_is_its_own(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """It has thought since then, and is given nothing (T40)."""
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        match_id = await server.deal(*bots, move_ms=MOVE_MS)
        bot, _ = await asked_now(server, bots, match_id)
        async with far.stream(bot) as stream:
            (update,) = stream.snapshot.matches
            await proxy.refuse()
            await asyncio.sleep(CUT_SECONDS)
            await proxy.accept()

            async def plays() -> bool:
                return (await stream.move(update)).HasField("receipt")

            await until(plays)
        await server.resign(bot, match_id)
        assert "CREDIT" not in await kinds(server, match_id)
