"""Time for bots that our side cut off: a server that died, stood still or drained (T6, T21, T44)."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from structlog.typing import EventDict

from shoal.server.hub.attention import Attention
from shoal.server.play.credits import is_cut_off
from shoal.server.store.commits import Commit, Outcome
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.presence import Whereabouts
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_status
from tests.server.streams import Stream, answer
from tests.server.support import Bot, Server, until
from tests.server.test_killed_server import server_process

MOVE_MS = 1_000


@asynccontextmanager
async def asked_on(server: Server, bots: list[Bot]) -> AsyncIterator[tuple[Bot, Stream, str]]:
    """Deal a match, and open the stream of the asked bot on a server."""
    async with server.asking(*bots, move_ms=MOVE_MS, max_strikes=1) as question:
        yield question.asked, question.stream, question.match_id


async def kinds(server: Server, match_id: str) -> list[str]:
    """Return the kinds of a finished match's entries after the deal."""
    entries = (await server.record(match_id)).entries[2:]
    return [
        matches_pb.LogEntryKind.Name(each.kind).removeprefix("LOG_ENTRY_KIND_") for each in entries
    ]


async def test_who_was_on_a_killed_server_is_given_time_to_come_back(
    redis: PrivateRedis, server: Server
) -> None:
    """With one strike allowed and the limit long over, a bot that comes back still plays (T6, T21)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with asked_on(doomed, bots) as (bot, stream, match_id):
            process.kill()
            await stream.rest()
        await process.wait()
        await asyncio.sleep(4 * MOVE_MS / 1000)  # time itself is what is tested
        async with server.stream(bot) as back:
            update = back.match(match_id)
            assert update.HasField("decision")
            assert update.decision.remaining_ms > MOVE_MS / 4
            receipt = (await back.move(update)).receipt
            assert receipt.think_ms <= MOVE_MS
            assert receipt.version > update.version
        await server.resign(bot, match_id)
        told = await kinds(server, match_id)
        assert "CREDIT" in told
        assert not {"DEFAULT", "ABANDON"} & set(told)


async def test_a_server_that_stands_still_charges_nobody(
    redis: PrivateRedis, server: Server
) -> None:
    """While a process is stopped another one sweeps, and gives time; the answer that waited counts (T44)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, stopped):
        async with asked_on(stopped, bots) as (_, stream, match_id):
            update = stream.match(match_id)
            os.kill(process.pid, signal.SIGSTOP)
            await stream.say(moves=[answer(update)])
            await asyncio.sleep(3 * MOVE_MS / 1000)  # time itself is what is tested
            os.kill(process.pid, signal.SIGCONT)
            result = await stream.hear("move_result")
            assert result.HasField("receipt"), result
            assert result.receipt.think_ms <= MOVE_MS
        match = await server.match(match_id)
        assert match.status == match_pb2.MATCH_STATUS_LIVE


async def test_who_closes_its_stream_itself_is_charged(server: Server) -> None:
    """A bot that goes away gets no time: its seat is abandoned after the limit (T28, T34)."""
    bots = await server.team(2)
    async with asked_on(server, bots) as (bot, _, match_id):
        pass
    other = bots[1] if bot is bots[0] else bots[0]
    async with server.stream(other) as stream:
        finished = await stream.hear("match_finished", match_id)
    (left,) = [seat.left for seat in finished.result.seats if seat.left]
    assert left == match_pb2.LEAVE_REASON_ABANDONED
    assert await kinds(server, match_id) == ["ABANDON"]


async def test_a_call_that_is_cancelled_at_once_leaves_no_claim(server: Server) -> None:
    """Whoever opens streams and lets them go is not taken for one that we cut off (T28, T101)."""
    bot = await server.register()
    for number in range(60):
        call = server.plays.Watch(pb.WatchRequest(), metadata=bot.metadata)
        reading = asyncio.ensure_future(call.read())
        await asyncio.sleep(number / 10_000)  # another moment each time
        call.cancel()
        await asyncio.wait([reading])

    async def let_go() -> bool:
        (where,) = await server.stores.presences.whereabouts([bot.bot_id])
        return where.process is None and (where.left or where.last_process is None)

    await until(let_go)


async def test_two_sweepers_give_the_next_decision_nothing(server: Server, other: Server) -> None:
    """What is due for one is dealt with by the other: the decision that is open then is not (T48)."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        table = server.app._hub.at_hand(question.match_id)
        assert table is not None
        long_ago_ms = table.match.asked_ms - 1
        for each in (server, other):
            await each.app._sweeper._overdue.act(question.match_id, long_ago_ms, {})
        assert table.match.version == question.update.version


HERE = Whereabouts("p1", "p1", left=False)
DIED = Whereabouts(None, "p1", left=False)
DRAINED = Whereabouts(None, "p1", left=False, cut_ms=3_000)
WENT = Whereabouts(None, "p1", left=True)
POLLED = Whereabouts("", None, left=False)
POLLS = Whereabouts("", "p1", left=False)
NEVER = Whereabouts(None, None, left=False)


@pytest.mark.parametrize(
    ("bot", "silences", "cut_off"),
    [
        (HERE, {"p1": 0}, False),
        (HERE, {"p1": 2_000}, False),
        (HERE, {"p1": 2_001}, True),
        (HERE, {}, True),
        (HERE, {"p2": 0}, True),
        (DIED, {"p1": 0}, False),
        (DIED, {"p1": 2_001}, True),
        (DIED, {"p1": 20_001}, False),
        (DIED, {}, False),
        (DRAINED, {"p1": 0}, True),
        (WENT, {"p1": 9_000}, False),
        (NEVER, {"p1": 0}, False),
        (POLLED, {}, False),
        (POLLS, {"p1": 2_000}, False),
        (POLLS, {"p1": 2_001}, True),
        (POLLS, {}, True),
    ],
)
def test_who_is_cut_off(bot: Whereabouts, silences: dict[str, int], cut_off: bool) -> None:  # noqa: FBT001
    """A bot is cut off by a process that is silent, or that went without the bot; else it is not."""
    assert is_cut_off(bot, silences, 2_000) is cut_off


def test_a_clock_on_which_nobody_listened_has_stood_still(logs: list[EventDict]) -> None:
    """What passes while the process listens is time; a gap is none, and it is logged (T44, T47, T49)."""
    now = 0.0
    clock = Attention(lambda: now)
    for now in (0.05, 0.1, 0.3):
        clock.listen()
        assert clock.now() == pytest.approx(now)
    assert clock.deaf_at == float("-inf")
    now = 5.3
    assert clock.at(5.3) == pytest.approx(0.35)
    assert clock.deaf_at == pytest.approx(0.35)
    assert [(line["event"], line["seconds"]) for line in logs] == [("stood_still", 5.0)]
    now = 5.4
    assert clock.now() == pytest.approx(0.45)


def test_to_ask_for_the_time_is_not_to_listen() -> None:
    """A process that is busy for long with much that is short does not hear either (T44, T47)."""
    now = 0.0
    clock = Attention(lambda: now)
    for tenth in range(1, 11):
        now = tenth / 10
        clock.now()
    assert clock.now() < 0.5


async def test_an_answer_that_the_store_could_not_take_is_charged_up_to_its_first_coming(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link to the store that broke while others have one is our fault: the bot had answered (T6, T44)."""
    before = time.monotonic()
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        real = server.stores.matches.submit_commit

        def broken(_: Commit) -> "asyncio.Future[Outcome]":
            future = asyncio.get_running_loop().create_future()
            future.set_exception(StoreUnavailable("the link is broken"))
            return future

        monkeypatch.setattr(server.stores.matches, "submit_commit", broken)
        result = await question.stream.move(question.update)
        assert read_status(result.error).reason == "STORE_UNAVAILABLE"
        up_to_its_coming_ms = (time.monotonic() - before) * 1000
        await asyncio.sleep(1)  # time itself is what is tested
        monkeypatch.setattr(server.stores.matches, "submit_commit", real)
        receipt = (await question.stream.move(question.update)).receipt
        assert receipt.think_ms <= up_to_its_coming_ms
