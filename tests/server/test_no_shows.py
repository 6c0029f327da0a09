"""Bots that do not say ready where several servers sweep: none of them is taken for one that was cut off."""

import asyncio
import time

from shoal.server.store import keys
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.support import Server, until

READY_MS = (600, 750, 900, 1_050)
"""So that whichever sweep finds one of them, a server ticked last at any time before."""


async def kinds(server: Server, match_id: str) -> list[str]:
    """Return the kinds of the entries of a finished match."""
    entries = (await server.record(match_id)).entries
    return [
        matches_pb.LogEntryKind.Name(each.kind).removeprefix("LOG_ENTRY_KIND_") for each in entries
    ]


async def over(server: Server, match_id: str) -> None:
    """Wait for the end of a match."""

    async def is_over() -> bool:
        return (await server.match(match_id)).HasField("result")

    await until(is_over)


async def test_who_is_there_and_not_ready_is_given_no_time(server: Server, other: Server) -> None:
    """A server that lives has said so within half a second, and not since the last moment (T35)."""
    bots = await server.team(2)
    began = time.monotonic()
    async with server.stream(bots[0]), other.stream(bots[1]):
        match_ids = await asyncio.gather(
            *(server.create_waiting(*bots, ready_ms=ready_ms) for ready_ms in READY_MS)
        )
        for match_id in match_ids:
            await over(server, match_id)
    stood_still = server.app._clock.gaps_within(began, time.monotonic())
    for match_id in match_ids:
        told = await kinds(server, match_id)
        # Both are in this process: where it stood still, each may have been taken for dead.
        assert told == ["NO_SHOW"] or (stood_still and set(told) == {"CREDIT", "NO_SHOW"})


async def test_ready_that_is_on_its_way_is_not_overtaken(server: Server) -> None:
    """The sweeper waits for leeway and grace beyond this limit as beyond any other (T46)."""
    match_id = await server.create_waiting(*await server.team(2), ready_ms=60_000)
    asked_ms = int(await server.stores.pipe.command("HGET", keys.match(match_id), "asked_ms"))
    deadlines = keys.DEADLINES[keys.partition_of(match_id)]
    due_ms = int(await server.stores.pipe.command("ZSCORE", deadlines, match_id))
    assert due_ms == asked_ms + 60_000 + 250 + 750


async def test_nobody_is_judged_before_it_is_known_whether_its_server_lives(
    server: Server, other: Server
) -> None:
    """One that was silent for a second may have died, and may be about to say that it lives (T6)."""
    bots = await server.team(2)
    process = other.app._sweeper._ticks._process
    async with server.stream(bots[0]), other.stream(bots[1]):
        match_id = await server.create_waiting(*bots, ready_ms=60_000)
        await server.ready(bots[0], match_id)
        asked_ms = int(await server.stores.pipe.command("HGET", keys.match(match_id), "asked_ms"))
        deadlines = keys.DEADLINES[keys.partition_of(match_id)]
        await server.stores.pipe.command("ZADD", deadlines, 0, match_id)
        late_ms = asked_ms + 61_000
        act = server.app._sweeper._overdue.act
        await act(match_id, late_ms, {process: 1_100})
        assert (await server.match(match_id)).version == 1
        await act(match_id, late_ms, {process: 1_300})
        assert (await server.match(match_id)).version == 2
        await act(match_id, late_ms + 3_000, {process: 900})
    await over(server, match_id)
    assert await kinds(server, match_id) == ["READY", "CREDIT", "NO_SHOW"]
