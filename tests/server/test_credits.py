"""Time for bots that our side cut off: a server that died, stood still or drained (T6, T21, T44)."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from structlog.typing import EventDict

from shoal.server.hub.attention import TICK_SECONDS, Attention
from shoal.server.play.credits import away_ms
from shoal.server.store import keys
from shoal.server.store.commits import Commit, Outcome
from shoal.server.store.errors import StoreUnavailable
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.whereabouts import Dropped, Left, Place, Polling, SentAway, Streaming
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_status
from tests.server.streams import PATIENCE, Stream, answer
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
        return isinstance(where.place, Left)

    await until(let_go)


async def test_a_claim_that_our_stop_has_overtaken_was_not_left_by_its_bot(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that ends with the server while its claim is on its way was sent away since it came (T21)."""
    claim = server.stores.presences.claim
    claimed, told = asyncio.Event(), asyncio.Event()

    async def claim_late(*args: Any, **kwargs: Any) -> int:
        epoch = await claim(*args, **kwargs)
        claimed.set()
        await told.wait()
        return epoch

    monkeypatch.setattr(server.stores.presences, "claim", claim_late)
    bot = await server.register()
    call = server.plays.Watch(pb.WatchRequest(), metadata=bot.metadata)
    reading = asyncio.ensure_future(call.read())
    async with asyncio.timeout(PATIENCE):
        await claimed.wait()
    server.app._sessions.drain()
    await asyncio.sleep(0.5)  # time itself is what is tested
    call.cancel()
    await asyncio.wait([reading])

    async def let_go() -> bool:
        told.set()
        (where,) = await server.stores.presences.whereabouts([bot.bot_id])
        assert not isinstance(where.place, Left)
        return isinstance(where.place, SentAway) and where.place.ago_ms >= 500

    await until(let_go)


async def test_two_sweepers_give_the_next_decision_nothing(server: Server, other: Server) -> None:
    """What is due for one is dealt with by the other: the decision that is open then is not (T48).

    That one is due for the store too, and nobody is known to be alive: who acted on it would give it time.
    """
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        match_id = question.match_id
        asked_ms = int(await server.stores.pipe.command("HGET", keys.match(match_id), "asked_ms"))
        deadlines = keys.DEADLINES[keys.partition_of(match_id)]
        for each in (server, other):
            await server.stores.pipe.command("ZADD", deadlines, 0, match_id)
            await each.app._sweeper._overdue.act(match_id, asked_ms + 59_999, {})
        stored = await server.stores.matches.load(match_id)
        assert stored is not None
        assert stored.version == question.update.version


async def test_a_server_that_acts_for_long_is_alive_all_the_same(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is due and cannot be dealt with now keeps nobody from ticking, which is its sign of life (T6)."""
    acting, done = asyncio.Event(), asyncio.Event()

    async def act(*_: object) -> None:
        acting.set()
        await done.wait()

    monkeypatch.setattr(server.app._sweeper._overdue, "act", act)
    match_id = await server.deal(*await server.team(2), move_ms=100)
    partition = keys.partition_of(match_id)
    process = server.app._sweeper._ticks._process

    async def sign() -> int:
        return int(await server.stores.pipe.command("HGET", keys.PROCESSES[partition], process))

    async def another() -> bool:
        return await sign() > before

    try:
        async with asyncio.timeout(PATIENCE):
            await acting.wait()
        for _ in range(3):
            before = await sign()
            await until(another)
    finally:
        done.set()


HERE = Streaming("p1")
DIED = Dropped("p1")
DRAINED = SentAway(3_000)
LONG_DRAINED = SentAway(20_001)
POLLED = Polling(None)
POLLS = Polling("p1")
LONG_MS = 3_600_000


@pytest.mark.parametrize(
    ("place", "silences", "away"),
    [
        (HERE, {"p1": 0}, 0),
        (HERE, {"p1": 2_000}, 2_000),
        (HERE, {"p1": 30_000}, 30_000),
        (HERE, {}, LONG_MS),
        (HERE, {"p2": 0}, LONG_MS),
        (DIED, {"p1": 400}, 400),
        (DIED, {"p1": 20_000}, 20_000),
        (DIED, {"p1": 20_001}, 0),
        (DIED, {}, 0),
        (DRAINED, {"p1": 0}, 3_000),
        (LONG_DRAINED, {"p1": 0}, 0),
        (Left(), {"p1": 9_000}, 0),
        (POLLED, {"p1": 9_000}, 0),
        (POLLS, {"p1": 2_000}, 2_000),
        (POLLS, {}, LONG_MS),
    ],
)
def test_for_how_long_a_bot_was_kept_away(
    place: Place, silences: dict[str, int], away: int
) -> None:
    """A bot is kept away by a process that is silent, or that went without the bot; else it is not."""
    assert away_ms(place, silences) == away


def test_a_clock_on_which_nobody_listened_has_stood_still(logs: list[EventDict]) -> None:
    """What passes while the process listens is time; a gap is none, and it is logged (T44, T47, T49)."""
    now = 0.0
    clock = Attention(lambda: now)
    for now in (0.05, 0.1, 0.3):
        clock.listen()
        assert clock.now() == pytest.approx(now)
    assert clock.deaf_at == float("-inf")
    now = 5.3
    assert clock.gaps_within(0.0, 5.3) == [(0.3 + TICK_SECONDS, 5.3)]
    assert clock.gaps_within(0.0, 0.3) == []
    assert clock.gaps_within(1.0, 3.0) == [(1.0, 3.0)]
    assert clock.listened_since(5.3)
    assert not clock.listened_since(5.2)
    assert clock.now() == pytest.approx(0.35)
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
