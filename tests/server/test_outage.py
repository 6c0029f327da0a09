"""Redis away: calls fail fast and recover by themselves, and nobody is charged for it (T6)."""

import asyncio
import os
import signal
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import grpc

from shoal.server.store import Limits
from shoal.server.store.launcher import launch_redis
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.rpcs import METHODS, read_error, read_status, refused
from tests.server.streams import PATIENCE
from tests.server.support import Question, Server, bearer, serving, until

MOVE_MS = 1_500
STRANGER = bearer(f"shoal_{'0' * 30}_{'0' * 64}")
"""A token that no server has looked up before."""


async def test_an_outage_longer_than_the_limit_costs_nobody_anything(tmp_path: Path) -> None:
    """Redis is killed for longer than a seat may think: moves are there, and no time has passed (T6)."""
    async with AsyncExitStack() as opened:
        with launch_redis(tmp_path) as first:
            server = await opened.enter_async_context(serving(first.url))
            context = server.asking(*await server.team(2), move_ms=MOVE_MS, max_strikes=1)
            question = await opened.enter_async_context(context)
            receipt = (await question.stream.move(question.update)).receipt
            killed = time.monotonic()
            os.kill(first.pid, signal.SIGKILL)
            await refused_everywhere(server, question)
        await asyncio.sleep(2 * MOVE_MS / 1000 - (time.monotonic() - killed))
        with ExitStack() as again:
            again.enter_context(launch_redis(tmp_path))

            async def back() -> bool:
                return not await refusal_of(server, question.match_id)

            await until(back)
            match = await server.match(question.match_id)
            assert match.status == match_pb2.MATCH_STATUS_LIVE
            assert match.version >= receipt.version
            await no_charge(server, question, receipt.version)
            await opened.aclose()


async def refusal_of(server: Server, match_id: str) -> str:
    """Return the reason why a match cannot be read, "" when it can; it must come quickly."""
    began = time.monotonic()
    try:
        await server.match(match_id)
    except grpc.aio.AioRpcError as error:
        told = read_error(error)
        assert told.code == grpc.StatusCode.UNAVAILABLE
        assert told.retry_seconds
        assert time.monotonic() - began < PATIENCE
        return told.reason
    return ""


async def refused_everywhere(server: Server, question: Question) -> None:
    """Check that calls, and moves on the stream, say that the store is away."""
    assert await refusal_of(server, question.match_id) == "STORE_UNAVAILABLE"
    began = time.monotonic()
    assert await refusal_of(server, question.match_id) == "STORE_UNAVAILABLE"
    assert time.monotonic() - began < Limits().patience, "once it is known, nobody waits for it"
    for method in METHODS.values():
        told = await refused(server.channel, method, [b""], STRANGER)
        assert (told.reason, told.code) == ("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
        assert told.retry_seconds
    question.update.decision.decision_id = "1." + "0" * 12
    result = await question.stream.move(question.update)
    on_stream = read_status(result.error)
    assert on_stream.reason == "STORE_UNAVAILABLE"
    assert on_stream.retry_seconds


async def no_charge(server: Server, question: Question, version: int) -> None:
    """Check that both seats go on as if nothing had happened."""
    bots = {question.asked, question.other}
    for bot in bots:
        update = await server.position(bot, question.match_id)
        if update.HasField("decision"):
            receipt = await server.play(bot, update)
            assert receipt.version == version + 1
            assert receipt.think_ms < MOVE_MS
            break
    else:
        raise AssertionError("nobody is asked")
    await server.resign(question.asked, question.match_id)
    record = await server.record(question.match_id)
    kinds = [entry.kind for entry in record.entries]
    assert matches_pb.LOG_ENTRY_KIND_DEFAULT not in kinds
    assert not [
        seat for seat in record.match.result.seats if seat.left == match_pb2.LEAVE_REASON_STRIKES
    ]
