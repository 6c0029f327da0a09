"""Nothing that a bot does at a second server makes what it thinks cheaper (T40, T45)."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

import grpc
import pytest

from shoal.server.gaps import measure
from shoal.server.hub import hub
from shoal.server.play import committer
from shoal.server.store.launcher import PrivateRedis
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import poll
from tests.server.rpcs import read_error
from tests.server.support import Bot, Server, until
from tests.server.test_killed_server import server_process
from tests.server.test_time import thought

THOUGHT = 0.6
"""Seconds that a bot thinks: more than any of these calls takes."""

STILL = 0.1
"""Seconds after which a server has noticed that it stood still."""

FAULT_MS = 50
"""By how much what is charged may be less than what this test has measured."""

BANK = {"move_ms": 100, "bank_ms": 60_000}

Asked: TypeAlias = tuple[Bot, pb.MatchUpdate]
Call: TypeAlias = Callable[[Server, Asked, Asked], Awaitable[object]]
"""What a bot does at a server, by what it was asked last and what it is asked now."""


def listened_ms(server: Server, begin: float) -> float:
    """Return the milliseconds since a moment in which a server listened: for all others nobody pays.

    It shares its loop, and so every standstill, with the test.
    """
    now = time.monotonic()
    return (now - begin - measure(server.app._clock.gaps_within(begin, now))) * 1000


async def asked_now(server: Server, bots: list[Bot], match_id: str) -> Asked:
    """Return who is asked in a match, and what it is told when it polls."""
    found: list[Asked] = []

    async def asked() -> bool:
        for bot in bots:
            told = (await poll(server, bot)).matches
            found.extend(
                (bot, each)
                for each in told
                if each.match_id == match_id and each.HasField("decision")
            )
        return bool(found)

    await until(asked)
    return found[0]


async def repeats_its_move(at: Server, last: Asked, _: Asked) -> None:
    """Play what was played long ago."""
    assert (await at.play(*last)).already


async def answers_illegally(at: Server, _: Asked, now: Asked) -> None:
    """Give an answer that is no option."""
    with suppress(grpc.aio.AioRpcError):
        await at.play(*now, 999_999_999)


async def is_ready_again(at: Server, _: Asked, now: Asked) -> None:
    """Say ready long after the deal."""
    await at.ready(now[0], now[1].match_id)


async def polls(at: Server, _: Asked, now: Asked) -> None:
    """Look what is asked."""
    await poll(at, now[0])


async def has_a_stream(at: Server, _: Asked, now: Asked) -> None:
    """Open a stream, and close it."""
    await at.position(now[0], now[1].match_id)


async def looks_at_it(at: Server, _: Asked, now: Asked) -> None:
    """Read the match as anybody may."""
    await at.match(now[1].match_id)


async def lists_matches(at: Server, _: Asked, __: Asked) -> None:
    """Read what matches there are."""
    await at.matches.ListMatches(matches_pb.ListMatchesRequest())


async def spectates(at: Server, _: Asked, now: Asked) -> None:
    """Be told once as a spectator."""
    call = at.matches.SpectateMatch(matches_pb.SpectateMatchRequest(match_id=now[1].match_id))
    await call.read()
    call.cancel()


CALLS: tuple[Call, ...] = (
    *(repeats_its_move, answers_illegally, is_ready_again, polls),
    *(has_a_stream, looks_at_it, lists_matches, spectates),
)
ANY_CALL = pytest.mark.parametrize("call", CALLS, ids=[each.__name__ for each in CALLS])


@pytest.mark.parametrize("kept", [True, False], ids=["at hand", "let go"])
@ANY_CALL
async def test_no_call_at_a_second_server_is_time_for_free(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch, call: Call, *, kept: bool
) -> None:
    """What a bot thinks between a question and its answer is charged, whatever it does there meanwhile."""
    if not kept:
        monkeypatch.setattr(hub, "IDLE_TABLES", 0)
    bots = await server.team(2)
    match_id = await server.deal(*bots, **BANK)
    last = await asked_now(server, bots, match_id)
    for _ in range(2):
        await poll(other, last[0])  # it knows this decision, and will be behind
        await server.play(*last)
        now = await asked_now(server, bots, match_id)
        asked_at = time.monotonic()
        await asyncio.sleep(THOUGHT)  # time itself is what is tested
        await call(other, last, now)
        await asyncio.sleep(STILL)  # a standstill is seen when it has ended
        thought_ms = listened_ms(other, asked_at)
        assert (await other.play(*now)).think_ms >= thought_ms - FAULT_MS
        last = await asked_now(server, bots, match_id)


async def test_servers_agree_on_how_late_it_is(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a repetition at one of them both say the same, and both refuse what comes too late (T53)."""
    monkeypatch.setattr(committer, "SWEEP_GRACE_MS", 60_000)  # nobody acts for it meanwhile
    bots = await server.team(2)
    match_id = await server.deal(*bots, move_ms=100, max_strikes=9)
    last = await asked_now(server, bots, match_id)
    await poll(other, last[0])
    await server.play(*last)
    now = await asked_now(server, bots, match_id)
    await thought(server, match_id, THOUGHT)  # beyond limit and leeway
    await repeats_its_move(other, last, now)
    for each in (server, other):
        table = await each.app._hub.table(match_id)
        assert table is not None
        await thought(each, match_id, THOUGHT)
        assert table.remaining_ms() == 0
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await each.play(*now)
        assert read_error(caught.value).reason == "TIME_EXPIRED"


async def test_a_server_that_stood_still_gives_no_later_decision_away(
    redis: PrivateRedis, server: Server
) -> None:
    """A table that nobody reads there is as old after that as it would be without (T44)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, still):
        match_id = await server.deal(*bots, **BANK)
        now = await asked_now(still, bots, match_id)
        os.kill(process.pid, signal.SIGSTOP)
        await asyncio.sleep(3)  # time itself is what is tested
        os.kill(process.pid, signal.SIGCONT)
        await still.match(match_id)
        await server.play(*now)
        for _ in range(3):
            now = await asked_now(server, bots, match_id)
            asked_at = time.monotonic()
            await asyncio.sleep(THOUGHT)  # time itself is what is tested
            thought_ms = (time.monotonic() - asked_at) * 1000
            assert (await still.play(*now)).think_ms >= thought_ms - FAULT_MS
