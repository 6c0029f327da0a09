"""The end of a match that the store lost after it was told: void, and everybody is told again (T4)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from structlog.typing import EventDict

from shoal.server.hub import hub as hub_module
from shoal.server.play import sweeper
from shoal.server.store import keys
from shoal.server.store.launcher import PrivateRedis
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import LONG, poll
from tests.server.reading import reader_of
from tests.server.streams import Stream
from tests.server.support import Bot, Server, serving, until
from tests.store.proxy import proxied

LAST_SEAT = match_pb2.TERMINATION_LAST_SEAT
LOST_MOVES = match_pb2.VOID_REASON_LOST_MOVES


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]) -> AsyncIterator[None]:  # type: ignore[misc]
    """Look often; the store does go back here."""
    monkeypatch.setattr(hub_module, "RECONCILE_SECONDS", 0.05)
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    yield
    logs[:] = [line for line in logs if line["event"] != "timeline_changed"]


class Loss:
    """A match of two whose end is told and counted, and then lost with its master."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._reader = reader_of(server.stores)
        self.match_id = ""
        self._kept: list[tuple[str, bytes]] = []

    async def deal(self, bots: list[Bot]) -> None:
        self.match_id = await self._server.deal(*bots)
        names = [keys.match(self.match_id), keys.log(self.match_id)]
        pipe = self._server.stores.pipe
        self._kept = [(name, await pipe.command("DUMP", name)) for name in names]

    async def go_back(self) -> None:
        """Let the store be as it was before the end, and wait until the match is void and counted as that."""
        await self.count()
        await self.restore()
        await until(self.is_void)
        await self.count()

    async def restore(self) -> None:
        """Let the store be as it was before the end."""
        for name, dumped in self._kept:
            await self._server.stores.pipe.command("RESTORE", name, 0, dumped, "REPLACE")

    async def count(self) -> None:
        """Do what the director does with matches that are over."""
        while await self._reader.read():
            pass

    async def is_void(self) -> bool:
        match = await self._server.match(self.match_id)
        return match.result.void_reason == LOST_MOVES


async def hear_void(stream: Stream, match_id: str) -> None:
    """Hear a second end, which is void and brings no events again."""
    finished = await stream.hear("match_finished", match_id)
    assert finished.result.void_reason == LOST_MOVES
    assert {seat.placement for seat in finished.result.seats} == {0}
    assert not finished.events


async def test_open_streams_are_told_of_any_server(server: Server, other: Server) -> None:
    """Also the one on a server that had nothing to do with the loss; and each is told just once more."""
    bots = await server.team(2)
    loss = Loss(server)
    await loss.deal(bots)
    async with AsyncExitStack() as opened:
        streams = [
            await opened.enter_async_context(place.stream(bot))
            for place, bot in zip((server, other), bots, strict=True)
        ]
        await server.resign(bots[1], loss.match_id)
        for stream in streams:
            finished = await stream.hear("match_finished", loss.match_id)
            assert finished.result.termination == LAST_SEAT
        await loss.go_back()
        for stream in streams:
            await hear_void(stream, loss.match_id)
        another = await server.deal(*bots)
        await server.resign(bots[0], another)
        for stream in streams:
            await stream.hear("match_finished", another)
            assert len(stream.heard_of("match_finished")) == 3


async def test_a_stream_that_opens_later_is_told(server: Server, other: Server) -> None:
    """Neither the bot nor the store knows the match as a live one, and it takes no room."""
    bots = await server.team(2)
    loss = Loss(server)
    await loss.deal(bots)
    await server.resign(bots[1], loss.match_id)
    await loss.go_back()
    for bot in bots:
        assert not await server.stores.bots.live_matches(bot.bot_id)
        async with other.stream(bot) as stream:
            await hear_void(stream, loss.match_id)


async def test_a_bot_that_polls_is_told_until_it_says_that_it_was(
    server: Server, other: Server
) -> None:
    bots = await server.team(2)
    loss = Loss(server)
    await loss.deal(bots)
    token = (await poll(server, bots[0])).resume_token
    await server.resign(bots[1], loss.match_id)
    heard = await poll(server, bots[0], resume_token=token, wait=LONG)
    assert ends(heard) == {loss.match_id: LAST_SEAT}
    assert not ends(await poll(server, bots[0], resume_token=heard.resume_token))
    await loss.go_back()
    for place in (server, other):
        again = await poll(place, bots[0], resume_token=heard.resume_token, wait=LONG)
        assert ends(again) == {loss.match_id: match_pb2.TERMINATION_VOID}
    token = again.resume_token
    for place in (server, other):
        response = await poll(place, bots[0], resume_token=token)
        assert not response.finished
        token = response.resume_token


async def test_an_end_is_looked_for_after_an_outage_however_long_it_was(
    redis: PrivateRedis, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failover takes as long as it takes; only what the store answers since is a time to look in."""
    monkeypatch.setattr(hub_module, "LATELY_SECONDS", 3.0)
    bots = await server.team(2)
    async with proxied(redis.url, tmp_path) as proxy, serving(proxy.url) as far:
        loss = Loss(server)
        await loss.deal(bots)
        async with far.stream(bots[0]) as stream:
            await far.resign(bots[1], loss.match_id)
            await stream.hear("match_finished", loss.match_id)
            await loss.count()
            await proxy.refuse()
            await asyncio.sleep(4)  # time itself is what is tested
            await loss.restore()
            await proxy.accept()
            await until(loss.is_void)
            await loss.count()
            await hear_void(stream, loss.match_id)


async def test_what_only_a_server_knows_that_the_bots_have_left_is_not_lost(
    server: Server, other: Server
) -> None:
    """They came to another one, which reads the match as it is after the loss, and go on there (T6)."""
    bots = await server.team(2)
    loss = Loss(server)
    await loss.deal(bots)
    for bot in bots:
        update = await server.position(bot, loss.match_id)
        if update.HasField("decision"):
            await server.play(bot, update)
    await loss.restore()
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(other.stream(bot)) for bot in bots]
        for stream in streams:
            await hear_void(stream, loss.match_id)


def ends(response: pb.ListDecisionsResponse) -> dict[str, int]:
    """Return how the matches ended that a poll tells of."""
    return {each.match_id: each.result.termination for each in response.finished}
