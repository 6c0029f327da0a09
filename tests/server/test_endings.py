"""Every kind of ending is told to every seat, once for each stream (T4)."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import TypeAlias

import grpc
import pytest

from shoal.server.play import committer, sweeper
from shoal.v1 import match_pb2
from tests.server.streams import Stream, at_random, play_out
from tests.server.support import Bot, Server
from tests.server.ways import ANY_WAY, STREAMS, WAYS, Way

End: TypeAlias = Callable[[Server, list[Bot], list[Stream]], Awaitable[str]]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep often, and grant nothing beyond the limits, so that silence takes no time."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(committer, "LEEWAY_MS", 0)
    monkeypatch.setattr(committer, "SWEEP_GRACE_MS", 0)


async def by_target(server: Server, bots: list[Bot], streams: list[Stream]) -> str:
    """Play until a total reaches the target."""
    match_id = await server.create(*bots)
    choosers = [at_random(seed) for seed in range(len(bots))]
    async with asyncio.TaskGroup() as tasks:
        for stream, choose in zip(streams, choosers, strict=True):
            tasks.create_task(play_out(stream, match_id, choose))
    return match_id


async def by_resigning(server: Server, bots: list[Bot], _: list[Stream]) -> str:
    """Let all but the last seat resign."""
    match_id = await server.deal(*bots)
    for bot in bots[:-1]:
        await server.resign(bot, match_id)
    return match_id


async def by_no_show(server: Server, bots: list[Bot], _: list[Stream]) -> str:
    """Let all but the first seat stay away."""
    match_id = await server.create_waiting(*bots, ready_ms=300)
    with suppress(grpc.aio.AioRpcError):  # on a slow machine it is over, and its end the same
        await server.ready(bots[0], match_id)
    return match_id


async def by_strikes(server: Server, bots: list[Bot], _: list[Stream]) -> str:
    """Let nobody answer."""
    return await server.deal(*bots, move_ms=100, max_strikes=1)


async def by_resigning_before_the_deal(server: Server, bots: list[Bot], _: list[Stream]) -> str:
    """Let a seat resign while the match waits."""
    match_id = await server.create(*bots)
    await server.resign(bots[1], match_id)
    return match_id


ANY_WAY_FOLLOWING: dict[str, Way] = {
    **WAYS,
    **{f"{name}-following": partial(way, follow=True) for name, way in STREAMS.items()},
}

ENDINGS: list[tuple[End, int, set[str]]] = [
    (by_target, 2, {"TARGET", "MERMAIDS"}),
    (by_resigning, 2, {"LAST_SEAT"}),
    (by_resigning, 4, {"LAST_SEAT"}),
    (by_no_show, 3, {"NO_SHOW"}),
    (by_strikes, 2, {"LAST_SEAT"}),
    (by_strikes, 3, {"LAST_SEAT"}),
    (by_resigning_before_the_deal, 2, {"NO_SHOW"}),
]


@pytest.mark.parametrize(("end", "seats", "terminations"), ENDINGS)
@pytest.mark.parametrize("way", ANY_WAY_FOLLOWING.values(), ids=ANY_WAY_FOLLOWING)
async def test_every_seat_is_told_the_end_once(
    server: Server, end: End, seats: int, terminations: set[str], way: Way
) -> None:
    """Whatever ends a match, each way brings one MatchFinished with the same result, and nothing after."""
    bots = await server.team(seats)
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(way(server, bot)) for bot in bots]
        match_id = await end(server, bots, streams)
        async with asyncio.TaskGroup() as tasks:
            for seat, stream in enumerate(streams):
                tasks.create_task(told_once(stream, seat, match_id))
        result = (await server.match(match_id)).result
        for stream in streams:
            (finished,) = stream.heard_of("match_finished")
            assert finished.result == result
    assert (
        match_pb2.Termination.Name(result.termination).removeprefix("TERMINATION_") in terminations
    )
    assert [each.seat for each in result.seats] == list(range(seats))


async def told_once(stream: Stream, seat: int, match_id: str) -> None:
    """Check that a seat is told the end, and after it nothing of the match however long it listens."""
    if not stream.heard_of("match_finished"):
        await stream.hear("match_finished", match_id)
    await stream.finish()
    (finished,) = stream.heard_of("match_finished")
    assert (finished.match_id, finished.seat) == (match_id, seat)
    kinds = stream.kinds()
    assert "match_update" not in kinds[kinds.index("match_finished") :]


@ANY_WAY
async def test_whoever_comes_after_the_end_is_told_it_too(server: Server, way: Way) -> None:
    """A bot that was away is told when it comes how its match ended, once, and no match is live."""
    bots = await server.team(2)
    match_id = await by_resigning(server, bots, [])
    async with way(server, bots[1]) as stream:
        assert not stream.snapshot.matches
        if way in STREAMS.values():
            finished = await stream.hear("match_finished", match_id)
            assert finished.result == (await server.match(match_id)).result
        assert (await stream.finish()).count("match_finished") == 1
