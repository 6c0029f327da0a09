"""Two servers on one Redis are one arena: whatever is done on one is seen on the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from shoal.server.hub import hub
from shoal.server.store import Bells, StoreUnavailable
from shoal.server.store.launcher import PrivateRedis
from shoal.server.stores import open_stores
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import METHODS, refused
from tests.server.streams import at_random, play_out
from tests.server.support import Server, serving_on
from tests.store.proxy import Proxy, proxied


@asynccontextmanager
async def deaf_server(redis: PrivateRedis, folder: Path) -> AsyncIterator[tuple[Server, Proxy]]:
    """Run a server whose bells, and nothing else, come through a proxy."""
    async with (
        proxied(redis.url, folder) as proxy,
        open_stores(redis.url) as stores,
        Bells(proxy.url) as bells,
        serving_on(replace(stores, bells=bells)) as server,
    ):
        yield server, proxy


@pytest.fixture
def by_bells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers that start from now on look nothing up by themselves."""
    monkeypatch.setattr(hub, "RECONCILE_SECONDS", 3600)


async def test_bots_on_different_servers_play_a_match(server: Server, other: Server) -> None:
    """A seat on each of two servers, and a third on either, play to the end by bells alone."""
    bots = await server.team(3)
    async with AsyncExitStack() as opened:
        streams = [
            await opened.enter_async_context(place.stream(bot))
            for place, bot in zip((server, other, other), bots, strict=True)
        ]
        match_id = await server.create(*bots)
        ends = await asyncio.gather(
            *(play_out(stream, match_id, at_random(n)) for n, stream in enumerate(streams))
        )
        assert ends[0].result == ends[1].result == ends[2].result
        for stream in streams:
            assert not [each for each in stream.heard_of("move_result") if each.HasField("error")]


@pytest.mark.usefixtures("by_bells_alone")
async def test_a_move_reaches_the_other_server_at_once(server: Server, other: Server) -> None:
    """What is done on one server is told on the other before it would look by itself."""
    async with (
        server.asking(*await server.team(2)) as question,
        other.stream(question.other, follow=True) as watching,
    ):
        receipt = (await question.stream.move(question.update)).receipt
        update = await watching.hear("match_update")
        assert update.version == receipt.version


async def test_a_list_of_matches_is_as_fresh_as_the_match(server: Server, other: Server) -> None:
    """A match that a server once had at hand is not listed as it was then."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    request = matches_pb.ListMatchesRequest(bot_id=bots[0].bot_id)
    (listed,) = (await other.matches.ListMatches(request)).matches
    assert listed.status == match_pb2.MATCH_STATUS_LIVE
    await server.resign(bots[1], match_id)
    (listed,) = (await other.matches.ListMatches(request)).matches
    assert listed == await server.match(match_id)
    assert listed.status == match_pb2.MATCH_STATUS_FINISHED


async def test_seats_that_are_ready_on_different_servers_are_both_counted(
    server: Server, other: Server
) -> None:
    """Four seats that say ready at once over two servers start each of many matches (T9)."""
    bots = await server.team(4)
    match_ids = [await server.create(*bots) for _ in range(25)]
    places = (server, other, server, other)
    await asyncio.gather(
        *(
            place.ready(bot, match_id, bytes([seat]))
            for match_id in match_ids
            for seat, (place, bot) in enumerate(zip(places, bots, strict=True))
        )
    )
    for match_id in match_ids:
        match = await other.match(match_id)
        assert (match.status, match.version) == (match_pb2.MATCH_STATUS_LIVE, 4)


async def test_lost_bells_cost_seconds_and_not_the_match(server: Server, other: Server) -> None:
    """With every subscription cut again and again a match between two servers goes on (T19)."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as hers, other.stream(bots[1]) as his:
        match_id = await server.create(*bots)

        async def cut() -> None:
            while True:
                await server.stores.pipe.command("CLIENT", "KILL", "TYPE", "pubsub")
                await asyncio.sleep(0.2)

        cutting = asyncio.create_task(cut())
        ends = await asyncio.gather(play_out(hers, match_id), play_out(his, match_id))
        cutting.cancel()
        assert ends[0].result == ends[1].result


async def test_without_any_bell_a_move_is_seen_in_a_few_seconds(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """A server that hears no bells at all still tells its bots what others did."""
    async with (
        deaf_server(redis, tmp_path) as (deaf, proxy),
        server.asking(*await server.team(2)) as question,
        deaf.stream(question.other, follow=True) as watching,
    ):
        await proxy.refuse()
        receipt = (await question.stream.move(question.update)).receipt
        update = await watching.hear("match_update")
        assert update.version == receipt.version


async def test_a_match_that_was_missed_is_told_from_its_beginning(
    redis: PrivateRedis, server: Server, tmp_path: Path
) -> None:
    """A stream that hears late of a match brings all its events, however far it has gone (T22)."""
    async with deaf_server(redis, tmp_path) as (deaf, proxy):
        bots = await server.team(2)
        async with deaf.stream(bots[0], follow=True) as stream:
            await proxy.refuse()
            match_id = await server.deal(*bots)
            await proxy.accept()
            update = await stream.hear("match_update", match_id)
            assert update.version == 2
            assert [event.WhichOneof("kind") for event in update.events] == ["round_started"]


async def test_a_stream_that_cannot_be_opened_leaves_no_bot_behind(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its matches cannot be read it is refused, and its bot does not count as present (T28)."""

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    bot = await server.register()
    hello = pb.PlayRequest(hello=pb.Hello()).SerializeToString()
    with monkeypatch.context() as patched:
        patched.setattr(server.app._sessions._seats, "fill_past", away)
        refusal = await refused(server.channel, METHODS["PlayService.Play"], [hello], bot.metadata)
    assert refusal.reason == "STORE_UNAVAILABLE"
    assert refusal.retry_seconds
    assert await server.stores.presences.get_many([bot.bot_id]) == [None]
    async with server.stream(bot) as stream:
        assert stream.snapshot.bot_id == bot.bot_id


@pytest.mark.usefixtures("by_bells_alone")
async def test_a_stream_that_opens_without_bells_is_told_what_they_would_have(
    redis: PrivateRedis, tmp_path: Path
) -> None:
    """It is not refused; when they are heard again it looks what there is (T22)."""
    async with deaf_server(redis, tmp_path) as (deaf, proxy):
        bots = await deaf.team(2)
        await proxy.refuse()
        async with deaf.stream(bots[0]) as stream:
            match_id = await deaf.create(*bots)
            await proxy.accept()
            assert (await stream.hear("match_update", match_id)).version == 0
