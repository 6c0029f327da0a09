"""The sweeper while something is away: nothing waits for it that need not, and it is told of once."""

import asyncio

import pytest
from structlog.typing import EventDict

from shoal.server.play import sweeper
from shoal.server.play.sweeper import Sweeper
from shoal.server.play.ticks import Struck
from shoal.server.store import StoreUnavailable, Tick, keys
from shoal.server.store.liveness import Silences
from shoal.v1 import match_pb2
from tests.server.support import Server


async def is_over_age(server: Server, match_id: str) -> None:
    """Let a match be due, because it has lasted for too long."""
    partition, pipe = keys.partition_of(match_id), server.stores.pipe
    now_ms = (await server.stores.matches.submit_tick(partition)).now_ms
    await pipe.command("HSET", keys.match(match_id), "ends_ms", now_ms)
    await pipe.command("ZADD", keys.DEADLINES[partition], now_ms, match_id)


async def test_a_match_that_cannot_be_ended_yet_holds_up_no_other(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one needs may be in a part of the store that is away, longer than others have time."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    bots = await server.team(2)
    stuck, going = await server.deal(*bots), await server.deal(*bots)
    overdue, waits = server.app._sweeper._overdue, asyncio.Event()
    act = overdue.act

    async def act_or_wait(match_id: str, now_ms: int, silences: Silences) -> None:
        if match_id == stuck:
            waits.set()
            await asyncio.Event().wait()
        await act(match_id, now_ms, silences)

    monkeypatch.setattr(overdue, "act", act_or_wait)
    async with server.stream(bots[0]) as stream:
        await is_over_age(server, stuck)
        await waits.wait()
        await is_over_age(server, going)
        finished = await stream.hear("match_finished", going)
        assert finished.result.void_reason == match_pb2.VOID_REASON_CEILING


async def test_an_outage_is_told_of_once(server: Server, logs: list[EventDict]) -> None:
    """However many ticks fail in it, and once more when it comes again."""
    sweeping: Sweeper = server.app._sweeper
    away = Struck([], {part: StoreUnavailable("away") for part in (9, 7)}, {})
    for _ in range(3):
        sweeping._note(away)
    sweeping._note(Struck([Tick(7, 0, ())], {}, {}))
    sweeping._note(away)
    told = [line["partitions"] for line in logs if line["event"] == "sweeper_waits_for_store"]
    logs.clear()
    assert told == [[7, 9], [7]]
    sweeping._note(Struck([Tick(part, 0, ()) for part in (7, 9)], {}, {}))
