"""Whatever way a bot comes in by, it plays the same game and is told the same."""

import asyncio
from contextlib import AsyncExitStack
from itertools import combinations_with_replacement, cycle, product

import grpc
import pytest

from shoal.server.streams import sessions
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.streams import at_random, play_out
from tests.server.support import Server
from tests.server.test_resuming import play_some, told_versions, versions
from tests.server.ways import ANY_STREAM, ANY_WAY, STREAMS, WAYS, Way, asked, asked_of

PAIRS = pytest.mark.parametrize(
    ("first", "second"), list(combinations_with_replacement(WAYS.values(), 2))
)


@PAIRS
async def test_bots_of_any_two_ways_play_each_other(
    server: Server, other: Server, first: Way, second: Way
) -> None:
    """On two servers they play a whole match; no move is refused, and both are told one end (T4, T14)."""
    bots = await server.team(2)
    async with first(server, bots[0]) as hers, second(other, bots[1]) as his:
        match_id = await server.create(*bots)
        async with asyncio.timeout(60):
            ends = await asyncio.gather(
                *(play_out(stream, match_id, at_random(n)) for n, stream in enumerate((hers, his)))
            )
        assert ends[0].result == ends[1].result == (await server.match(match_id)).result
        assert [each.seat for each in ends[0].result.seats] == [0, 1]
        for stream in (hers, his):
            results = stream.heard_of("move_result")
            assert results
            assert all(each.HasField("receipt") and not each.receipt.already for each in results)
            assert (await stream.finish()).count("match_finished") == 1


async def test_one_of_each_way_at_one_table(server: Server, other: Server) -> None:
    """Three seats, three ways, two servers: one match, and each seat hears every version once (T22)."""
    bots = await server.team(3)
    async with AsyncExitStack() as opened:
        streams = [
            await opened.enter_async_context(way(place, bot))
            for way, place, bot in zip(cycle(WAYS.values()), (server, other, other), bots)
        ]
        match_id = await server.create(*bots)
        async with asyncio.timeout(60):
            ends = await asyncio.gather(*(play_out(stream, match_id) for stream in streams))
        version = (await server.match(match_id)).version
        for seat, (stream, end) in enumerate(zip(streams, ends, strict=True)):
            assert end.seat == seat
            assert told_versions(stream) == list(range(3, version + 1))


@ANY_WAY
async def test_each_phase_is_told_by_one_kind_of_message(server: Server, way: Way) -> None:
    """Waiting has no position and no question, the game has both, the end neither (T13, T15)."""
    bots = await server.team(2)
    async with way(server, bots[0]) as stream:
        match_id = await server.create(*bots)
        waiting = await stream.hear("match_update", match_id)
        assert waiting.status == match_pb2.MATCH_STATUS_WAITING
        assert waiting.match.match_id == match_id
        assert not waiting.HasField("observation")
        assert not waiting.HasField("decision")
        await stream.say(ready=[pb.ReadySignal(match_id=match_id)])
        await server.ready(bots[1], match_id)
        async with server.stream(bots[1]) as his:
            if not his.match(match_id).HasField("decision"):
                question = await asked_of(stream, match_id)
                assert question.status == match_pb2.MATCH_STATUS_LIVE
                assert question.decision.options
                assert question.observation.pending_seat == question.seat == 0
        await server.resign(bots[1], match_id)
        finished = await stream.hear("match_finished", match_id)
        assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT


@ANY_WAY
async def test_a_bot_that_comes_is_told_all_its_matches(server: Server, way: Way) -> None:
    """Each question of many matches comes on the one way that the bot has, on coming (T18, T24, T26)."""
    bots = await server.team(2)
    match_ids = {await server.create(*bots) for _ in range(7)}
    async with way(server, bots[0]) as stream:
        told = {update.match_id for update in stream.snapshot.matches}
        while told != match_ids:
            told.add((await stream.hear("match_update")).match_id)
        await stream.say(ready=[pb.ReadySignal(match_id=match_id) for match_id in match_ids])
        assert "signal_refused" not in await stream.finish()


@pytest.mark.parametrize(("first", "second"), list(product(STREAMS.values(), repeat=2)))
@pytest.mark.parametrize("place", ["the same server", "another server"])
async def test_the_newest_stream_of_either_kind_is_the_bots_one(
    server: Server,
    other: Server,
    monkeypatch: pytest.MonkeyPatch,
    first: Way,
    second: Way,
    place: str,
) -> None:
    """The older one is told before it looks, and the old decision_id is good on the newer (T23, T29, T31)."""
    monkeypatch.setattr(sessions, "BEAT_SECONDS", 600)
    match_id, bot, _ = await asked(server, *await server.team(2))
    async with first(server, bot) as older:
        question = await asked_of(older, match_id)
        async with second(server if place == "the same server" else other, bot) as newer:
            kinds = await older.rest()
            assert kinds[-1] == "stream_end"
            assert older.heard_of("stream_end")[0].reason == pb.STREAM_END_REASON_SUPERSEDED
            assert await older.call.code() == grpc.StatusCode.OK
            again = await asked_of(newer, match_id)
            assert again.decision.decision_id == question.decision.decision_id
            assert (await newer.move(question)).HasField("receipt")
            assert "stream_end" not in newer.kinds()


@ANY_STREAM
async def test_coming_back_with_since_brings_what_was_missed(
    server: Server, other: Server, way: Way
) -> None:
    """On either server the snapshot has every event after the version that the bot names (T22, T24)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    seen = await play_some(server, bots, match_id, 4)
    version = await play_some(server, bots, match_id, 6)
    for place in (server, other):
        async with way(place, bots[0], since={match_id: seen}) as stream:
            update = stream.match(match_id)
            assert versions(update.events) == list(range(seen + 1, version + 1))
