"""Whatever way a bot comes in by, it plays the same game and is told the same."""

import asyncio
import time
from contextlib import AsyncExitStack
from itertools import combinations_with_replacement, cycle, product

import grpc
import pytest

from shoal.server.play import committer, sweeper
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_status
from tests.server.streams import Stream, at_random, play_out
from tests.server.support import Bot, Server, connected, make_app, until
from tests.server.test_resuming import play_some, told_versions, versions
from tests.server.ways import ANY_STREAM, ANY_WAY, STREAMS, WAYS, Way

PAIRS = pytest.mark.parametrize(
    ("first", "second"), list(combinations_with_replacement(WAYS.values(), 2))
)
CHANGES = pytest.mark.parametrize(("first", "second"), list(product(WAYS.values(), repeat=2)))


async def asked_of(stream: Stream, match_id: str) -> pb.MatchUpdate:
    """Return the question that a seat was or will be asked in a match."""
    for update in stream.snapshot.matches:
        if update.match_id == match_id and update.HasField("decision"):
            return update
    while True:
        update = await stream.hear("match_update", match_id)
        if update.HasField("decision"):
            return update


async def asked(server: Server, *bots: Bot, **fields: int) -> tuple[str, Bot, Bot]:
    """Deal a match of two; return it, who is asked, and the other one."""
    match_id = await server.deal(*bots, **fields)
    for bot in bots:
        if (await server.position(bot, match_id)).HasField("decision"):
            (other,) = (each for each in bots if each is not bot)
            return match_id, bot, other
    raise AssertionError("nobody is asked")


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


@CHANGES
async def test_the_same_move_on_another_way_is_the_same_move(
    server: Server, other: Server, first: Way, second: Way
) -> None:
    """Sent again in the same way or in another, on another server, it is answered as made before (T1)."""
    match_id, bot, _ = await asked(server, *await server.team(2))
    async with first(server, bot) as stream:
        question = await asked_of(stream, match_id)
        receipt = (await stream.move(question)).receipt
        again = (await stream.move(question)).receipt
    async with second(other, bot) as stream:
        elsewhere = (await stream.move(question)).receipt
    assert (receipt.already, again.already, elsewhere.already) == (False, True, True)
    assert receipt.version == again.version == elsewhere.version == question.version + 1
    assert receipt.think_ms == again.think_ms == elsewhere.think_ms
    assert (await server.match(match_id)).version == receipt.version


@ANY_WAY
async def test_a_move_after_the_end_is_told_the_result(server: Server, way: Way) -> None:
    """A move that races the end is MATCH_OVER with how it ended, in every way (T3)."""
    match_id, bot, other_bot = await asked(server, *await server.team(2))
    async with way(server, bot) as stream:
        question = await asked_of(stream, match_id)
        await server.resign(other_bot, match_id)
        refused = read_status((await stream.move(question)).error)
        assert refused.reason == "MATCH_OVER"
        assert refused.metadata["termination"] == "TERMINATION_LAST_SEAT"


@ANY_WAY
async def test_a_late_move_is_told_so_at_once(
    server: Server, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TIME_EXPIRED with the times, and no waiting (T5)."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(committer, "LEEWAY_MS", 0)
    monkeypatch.setattr(committer, "SWEEP_GRACE_MS", 0)
    bots = await server.team(2)
    async with way(server, bots[0]) as hers, way(server, bots[1]) as his:
        match_id = await server.deal(*bots, move_ms=100, max_strikes=100)
        asking = [asyncio.create_task(asked_of(stream, match_id)) for stream in (hers, his)]
        done, left = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        question = done.pop().result()
        stream = (hers, his)[question.seat]

        async def defaulted() -> bool:
            return (await server.match(match_id)).version > question.version

        await until(defaulted)
        began = time.monotonic()
        refused = read_status((await stream.move(question)).error)
        assert time.monotonic() - began < 1
        assert (refused.reason, refused.metadata["limit_ms"]) == ("TIME_EXPIRED", "100")


@ANY_WAY
async def test_an_illegal_option_leaves_the_decision_open(server: Server, way: Way) -> None:
    """The refusal names the decision and its clock, and the right answer counts after it (T2)."""
    match_id, bot, _ = await asked(server, *await server.team(2))
    async with way(server, bot) as stream:
        question = await asked_of(stream, match_id)
        refused = read_status((await stream.move(question, 999_999)).error)
        assert refused.reason == "ILLEGAL_OPTION"
        assert refused.metadata["decision_id"] == question.decision.decision_id
        assert 0 < int(refused.metadata["remaining_ms"]) <= 600_000
        assert (await stream.move(question)).HasField("receipt")


@ANY_WAY
async def test_a_bot_may_leave_its_match(server: Server, way: Way) -> None:
    """A resignation is answered by the end of a match of two, and one in a match of others refused (T12)."""
    match_id, bot, _ = await asked(server, *await server.team(2))
    foreign = await server.deal(*await server.team(2))
    async with way(server, bot) as stream:
        signals = [pb.ResignSignal(match_id=each) for each in (foreign, match_id)]
        await stream.say(resignations=signals)
        refused = await stream.hear("signal_refused", foreign)
        assert read_status(refused.error).reason == "SEAT_NOT_YOURS"
        finished = await stream.hear("match_finished", match_id)
        assert finished.result.seats[finished.seat].left == match_pb2.LEAVE_REASON_RESIGNED
    assert (await server.match(foreign)).status == match_pb2.MATCH_STATUS_LIVE


@pytest.mark.parametrize(("first", "second"), list(product(STREAMS.values(), repeat=2)))
@pytest.mark.parametrize("place", ["the same server", "another server"])
async def test_the_newest_stream_of_either_kind_is_the_bots_one(
    server: Server, other: Server, first: Way, second: Way, place: str
) -> None:
    """The older one is told at once, and the old decision_id is good on the newer one (T23, T29, T31)."""
    match_id, bot, _ = await asked(server, *await server.team(2))
    async with first(server, bot) as older:
        question = await asked_of(older, match_id)
        async with second(server if place == "the same server" else other, bot) as newer:
            async with asyncio.timeout(2):
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


@ANY_WAY
async def test_a_server_that_stops_ends_every_way_in(other: Server, way: Way) -> None:
    """Whoever is connected is told when to come back, and the decision is open elsewhere (T29)."""
    leaving = make_app(other.stores)
    async with AsyncExitStack() as opened:
        async with leaving.serve() as port:
            server = await opened.enter_async_context(connected(leaving, other.stores, port))
            match_id, bot, waiter = await asked(server, *await server.team(2))
            stream = await opened.enter_async_context(way(server, bot))
            question = await asked_of(stream, match_id)
            idle = await opened.enter_async_context(way(server, waiter))
        for each in (stream, idle):
            kinds = await each.rest()
            if way in STREAMS.values():
                assert kinds[-2:] == ["draining", "stream_end"]
                assert each.heard_of("draining")[0].reconnect_after.ToMilliseconds() > 0
                assert await each.call.code() == grpc.StatusCode.OK
            else:
                # A poll that meets the stop itself is cut off by gRPC.
                cut_off = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
                assert await each.call.code() in cut_off
        async with way(other, bot) as stream:
            again = await asked_of(stream, match_id)
            assert again.decision.decision_id == question.decision.decision_id
            assert (await stream.move(question)).HasField("receipt")


@ANY_WAY
async def test_a_match_whose_seats_are_all_gone_ends_by_its_clocks(
    server: Server, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is there, the clocks run, and whoever comes back is told the end (T33)."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)
    bots = await server.team(2)
    match_id = await server.create(*bots, move_ms=100, max_strikes=2)
    async with way(server, bots[0]) as hers, way(server, bots[1]) as his:
        for stream in (hers, his):
            await stream.say(ready=[pb.ReadySignal(match_id=match_id)])

        async def live() -> bool:
            return (await server.match(match_id)).status != match_pb2.MATCH_STATUS_WAITING

        await until(live)

    async def over() -> bool:
        return (await server.match(match_id)).status == match_pb2.MATCH_STATUS_FINISHED

    await until(over)
    async with way(server, bots[0]) as stream:
        kinds = await stream.finish()
        assert kinds.count("match_finished") == 1
        (finished,) = stream.heard_of("match_finished")
        assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT
