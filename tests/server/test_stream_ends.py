"""How a stream ends, and what it says before."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from shoal.server import app, auth
from shoal.server.hub.table import Table
from shoal.server.store import Claim, StoreUnavailable
from shoal.server.store.launcher import PrivateRedis, launch_redis
from shoal.server.streams import seats, sessions
from shoal.server.streams.claims import CLAIM_MS
from shoal.server.streams.session import End, Guest, Session
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_error
from tests.server.streams import Stream, answer
from tests.server.support import Server, connected, is_renewed, make_app, serving, until


async def end_of(stream: Stream) -> pb.StreamEndReason:
    """Wait for the end, which must be OK and the last update; return its reason."""
    kinds = await stream.rest()
    assert kinds.index("stream_end") == len(kinds) - 1
    assert await stream.call.code() == grpc.StatusCode.OK
    return stream.heard_of("stream_end")[0].reason


async def test_a_stream_whose_client_closes_its_side_ends_ok(server: Server) -> None:
    """Half-closing is answered with StreamEnd, and the match goes on (T20)."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.call.done_writing()
        assert await end_of(question.stream) == pb.STREAM_END_REASON_CLIENT_CLOSED
        assert (await server.match(question.match_id)).status == match_pb2.MATCH_STATUS_LIVE
        receipt = await server.play(question.asked, question.update)
        assert not receipt.already


async def test_moves_before_the_client_closes_are_answered(server: Server) -> None:
    """What was sent before half-closing counts, and its receipt comes before the StreamEnd."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.say(moves=[answer(question.update)])
        await question.stream.call.done_writing()
        assert await end_of(question.stream) == pb.STREAM_END_REASON_CLIENT_CLOSED
        (result,) = question.stream.heard_of("move_result")
        assert result.receipt.version == question.update.version + 1


@pytest.mark.parametrize("place", ["the same server", "another server"])
async def test_a_newer_stream_supersedes_the_older(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The older one ends before it looks by itself, and the open decision is the same on the newer (T23)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 600)
    async with server.asking(*await server.team(2)) as question:
        newer_on = server if place == "the same server" else other
        async with newer_on.stream(question.asked) as newer:
            assert await end_of(question.stream) == pb.STREAM_END_REASON_SUPERSEDED
            update = newer.match(question.match_id)
            assert update.decision.decision_id == question.update.decision.decision_id
            assert (await newer.move(question.update)).HasField("receipt")
            assert newer.kinds().count("stream_end") == 0


async def test_a_stream_that_is_superseded_reads_no_more_of_the_past(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one match that it is at is its last: a bot that comes back often would have all of them read."""
    monkeypatch.setattr(seats, "READ_AT_ONCE", 1)
    bots = await server.team(2)
    over = [await server.deal(*bots) for _ in range(3)]
    for match_id in over:
        await server.resign(bots[1], match_id)
    hub = server.app._hub
    session = Session(Guest(bots[0].bot_id, bots[0].name, ""), 1, follow=False)
    table = hub.table

    async def superseded_meanwhile(match_id: str) -> Table | None:
        session.end(End.SUPERSEDED)
        return await table(match_id)

    monkeypatch.setattr(hub, "table", superseded_meanwhile)
    places = seats.Seats(hub, server.stores.bots)
    await places.fill_past(session, dict.fromkeys(over))
    assert len(session.tables) == 1
    places.clear(session)


async def test_of_many_streams_of_one_bot_the_newest_stays(server: Server, other: Server) -> None:
    """However often a bot comes back, on whichever server, one stream is left and works."""
    async with AsyncExitStack() as opened:
        question = await opened.enter_async_context(server.asking(*await server.team(2)))
        streams = [question.stream]
        for turn in range(6):
            newer = (server, other)[turn % 2].stream(question.asked)
            streams.append(await opened.enter_async_context(newer))
        newest = streams.pop()
        assert {await end_of(each) for each in streams} == {pb.STREAM_END_REASON_SUPERSEDED}
        assert (await newest.move(question.update)).HasField("receipt")


async def test_a_silent_stream_gives_signs_of_life(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing happens heartbeats come, and the bot stays present (T19, T28)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    bot = await server.register()
    async with server.stream(bot) as stream:
        for _ in range(5):
            await stream.hear("heartbeat")
        assert stream.kinds() == ["snapshot", *["heartbeat"] * 5]
        for _ in range(3):
            await is_renewed(server, bot)


async def test_signs_of_life_do_not_wait_for_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Redis stands still they come as ever: a bot would take the server for dead (T19)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    with launch_redis(tmp_path) as redis:
        async with serving(redis.url) as server, server.stream(await server.register()) as stream:
            os.kill(redis.pid, signal.SIGSTOP)
            try:
                asked = asyncio.ensure_future(server.stores.pipe.command("PING"))
                heard = len(stream.heard)
                while not asked.done():
                    await stream.hear("heartbeat")
                assert len(stream.heard) - heard > 5
            finally:
                os.kill(redis.pid, signal.SIGCONT)
            await asyncio.wait([asked])
            assert isinstance(asked.exception(), StoreUnavailable)


async def test_a_stream_that_is_behind_waits_for_the_store_and_gives_signs_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it is to be told must be read again, and Redis stands still: it is told later (T19)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    with launch_redis(tmp_path) as redis:
        async with serving(redis.url) as server:
            bots = await server.team(2)
            match_id = await server.deal(*bots)
            async with server.stream(bots[0], follow=True) as stream:
                table = server.app._hub.at_hand(match_id)
                assert table is not None
                later = table.match.copy()
                later.version += 1
                os.kill(redis.pid, signal.SIGSTOP)
                try:
                    table.replace(later, table.partition)
                    heard = len(stream.heard)
                    asked = asyncio.ensure_future(server.stores.pipe.command("PING"))
                    while not asked.done():
                        await stream.hear("heartbeat")
                    assert len(stream.heard) - heard > 5
                    assert set(stream.kinds()[heard:]) == {"heartbeat"}
                finally:
                    os.kill(redis.pid, signal.SIGCONT)
                await asyncio.wait([asked])
                assert isinstance(asked.exception(), StoreUnavailable)
                assert (await stream.hear("match_update", match_id)).version == later.version


def test_heartbeats_are_frequent_enough() -> None:
    """At least one in five seconds, and a claim outlasts two that are missed."""
    assert sessions.BEAT_SECONDS <= 5
    assert CLAIM_MS > 2 * 1000 * sessions.BEAT_SECONDS


async def test_a_bot_that_goes_away_is_away(server: Server) -> None:
    """Presence follows the stream, not the client's courtesy (T28)."""
    bot = await server.register()
    async with server.stream(bot) as stream:
        stream.call.cancel()

        async def away() -> bool:
            return (await server.stores.presences.get_many([bot.bot_id]))[0] is None

        await until(away)


async def test_a_server_that_stops_says_so_first(other: Server) -> None:
    """Draining ends every stream OK, with the time to come back; decisions stay open (T29)."""
    leaving = make_app(other.stores)
    async with AsyncExitStack() as opened:
        async with leaving.serve() as ports:
            server = await opened.enter_async_context(connected(leaving, other.stores, ports))
            question = await opened.enter_async_context(server.asking(*await server.team(2)))
        assert await end_of(question.stream) == pb.STREAM_END_REASON_DRAINING
        (draining,) = question.stream.heard_of("draining")
        assert draining.reconnect_after.ToMilliseconds() > 0
        async with other.stream(question.asked) as stream:
            update = stream.match(question.match_id)
            assert update.decision.decision_id == question.update.decision.decision_id
            assert (await stream.move(update)).HasField("receipt")


async def test_a_server_that_stops_takes_no_more_streams(server: Server) -> None:
    """A stream opened while draining is refused with DRAINING and the time to come back (T29)."""
    bot = await server.register()
    server.app._sessions.drain()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in server.plays.Play(
            iter([pb.PlayRequest(hello=pb.Hello())]), metadata=bot.metadata
        ):
            pass
    refused = read_error(caught.value)
    assert (refused.reason, refused.code) == ("DRAINING", grpc.StatusCode.UNAVAILABLE)
    assert refused.retry_seconds


async def test_a_revoked_token_ends_its_stream(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a beat, which is under 5 s, and without touching the bot's match."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 0.05)
    async with server.asking(*await server.team(2)) as question:
        await server.stores.tokens.revoke(question.asked.token.split("_")[1])
        async with asyncio.timeout(5):
            assert await end_of(question.stream) == pb.STREAM_END_REASON_TOKEN_REVOKED
        assert (await server.match(question.match_id)).status == match_pb2.MATCH_STATUS_LIVE


async def test_a_token_that_was_revoked_before_opens_no_stream_for_long(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may trust it for a while when the stream opens: it looks then, and not a beat later."""
    monkeypatch.setattr(auth, "CACHE_SECONDS", 600)
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 600)
    bot = await server.register()
    async with server.stream(bot):
        pass
    await server.stores.tokens.revoke(bot.token.split("_")[1])
    async with server.stream(bot) as stream:
        assert await end_of(stream) == pb.STREAM_END_REASON_TOKEN_REVOKED


async def test_a_stream_outlives_the_age_of_its_connection(
    redis: PrivateRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls move on to another connection in time; a stream and its matches are not cut for that (T20)."""
    soon = tuple(
        (name, 200 if "connection_age" in name else value) for name, value in app.CHANNEL_OPTIONS
    )
    monkeypatch.setattr(app, "CHANNEL_OPTIONS", soon)
    async with (
        serving(redis.url) as server,
        server.asking(*await server.team(2), move_ms=60_000) as question,
    ):
        await asyncio.sleep(1.5)  # time itself is what is tested
        assert (await server.match(question.match_id)).status == match_pb2.MATCH_STATUS_LIVE
        assert (await question.stream.move(question.update)).HasField("receipt")


async def test_a_claim_of_a_call_that_is_gone_throws_nobody_off(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim that was held up on its way to the store comes after the bot is elsewhere (T23, T28)."""
    bot, opponent = await server.team(2)
    real = server.stores.presences.claim
    under_way, arrives, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(claim: Claim, ttl_ms: int, *, known: int | None = None) -> int:
        under_way.set()
        await arrives.wait()
        try:
            return await real(claim, ttl_ms, known=known)
        finally:
            done.set()

    monkeypatch.setattr(server.stores.presences, "claim", slow)
    gone = server.plays.Watch(pb.WatchRequest(), metadata=bot.metadata)
    reading = asyncio.ensure_future(gone.read())
    await under_way.wait()
    gone.cancel()
    await asyncio.wait([reading])
    async with other.stream(bot) as stream:
        arrives.set()
        await done.wait()
        match_id = await other.create(bot, opponent)
        await stream.hear("match_update", match_id)
        assert stream.heard_of("stream_end") == []
