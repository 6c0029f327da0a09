"""A match that the store has lost, or that cannot be read, concerns its own seats alone."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from shoal.client import Tally, lost
from shoal.client.bots import GreedyBot
from shoal.client.desk import Desk
from shoal.client.lost import find_lost
from shoal.client.player import Crew
from shoal.match import replay
from shoal.server.hub import hub as hub_module
from shoal.server.play.playing import no_seat
from shoal.server.store import keys
from shoal.server.store.keys import new_id
from shoal.server.streams import seats
from shoal.server.streams.session import MOST_UNWRITTEN, Guest, MoveResult, Session
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_error
from tests.server.streams import Ended, play_out
from tests.server.support import Server, move_request, until


async def lose(server: Server, match_id: str) -> None:
    """Take a match out of the store, as a failover that lost writes does."""
    await server.stores.pipe.command("DEL", keys.match(match_id), keys.log(match_id))
    index = keys.MATCHES[keys.partition_of(match_id)]
    await server.stores.pipe.command("ZREM", index, match_id)


async def test_a_match_that_the_store_lost_is_void_and_the_others_go_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its seats are told, the stream and the server go on, and the bot's other match too."""
    monkeypatch.setattr(hub_module, "RECONCILE_SECONDS", 0.05)
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        kept = await server.deal(*bots)
        await lose(server, question.match_id)
        await server.ready(question.asked, kept)
        update = await question.stream.hear("match_finished", question.match_id)
        assert update.result.termination == match_pb2.TERMINATION_VOID
        assert (await server.match(kept)).status == match_pb2.MATCH_STATUS_LIVE


async def test_a_move_in_a_match_that_the_store_lost_is_refused(server: Server) -> None:
    """Whoever moves before anybody has noticed is told that there is no such match."""
    async with server.asking(*await server.team(2)) as question:
        await lose(server, question.match_id)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.plays.PlayMove(
                move_request(question.update), metadata=question.asked.metadata
            )
        assert refused.value.code() in {
            grpc.StatusCode.NOT_FOUND,
            grpc.StatusCode.PERMISSION_DENIED,
        }
        assert read_error(refused.value).reason in {"NOT_FOUND", "SEAT_NOT_YOURS"}


async def test_the_kit_gives_up_a_match_that_was_lost_while_it_was_away(server: Server) -> None:
    """No stream was there to be told: coming back, it asks, and hears that there is no such match (T4)."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    tally = Tally()
    with ThreadPoolExecutor(1) as pool:
        async with asyncio.TaskGroup() as group, asyncio.timeout(30):
            desk = Desk(GreedyBot(), Crew(pool, asyncio.Semaphore(1)), group, tally)
            async with server.stream(bots[0]) as stream:
                desk.resume(stream.snapshot)
            await lose(server, match_id)
            async with server.stream(bots[0]) as stream:
                missing = desk.resume(stream.snapshot)
            await find_lost(server.channel, bots[0].metadata, desk, missing)
    assert (tally.matches, tally.unplayed, tally.live) == (1, 1, 0)


async def test_the_kit_gives_up_no_match_that_goes_on(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The snapshot lacks it: the kit asks until it hears how it ended, or the stream brings it (T4)."""
    monkeypatch.setattr(lost, "_PATIENCE", 0.05)
    bots = await server.team(2)
    ended, brought = [await server.deal(*bots) for _ in range(2)]
    tally = Tally()
    with ThreadPoolExecutor(1) as pool:
        async with asyncio.TaskGroup() as group, asyncio.timeout(30):
            desk = Desk(GreedyBot(), Crew(pool, asyncio.Semaphore(1)), group, tally)
            async with server.stream(bots[0]) as stream:
                desk.resume(stream.snapshot)
            missing = desk.resume(pb.Snapshot())
            assert missing == {ended, brought}
            finding = group.create_task(find_lost(server.channel, bots[0].metadata, desk, missing))

            async def both_go_on() -> bool:
                return caplog.text.count("goes on, and the server does not send it") == 2

            await until(both_go_on)
            await server.resign(bots[1], ended)
            desk.update(pb.MatchUpdate(match_id=brought, version=99))
            await finding
            assert (tally.matches, tally.live) == (1, 1)
            desk.close()


async def test_a_match_that_cannot_be_read_keeps_no_other_from_being_seated(
    server: Server, other: Server
) -> None:
    """A match whose fixed part is broken is left out of the snapshot, and nothing else."""
    bots = await server.team(2)
    broken, whole = await server.deal(*bots), await server.deal(*bots)
    await server.stores.pipe.command("HSET", keys.match(broken), "meta", b"{}")
    async with other.stream(bots[0]) as stream:
        assert [each.match_id for each in stream.snapshot.matches] == [whole]
    await lose(server, broken)


async def test_a_match_that_was_never_created_gives_its_place_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An id in a bot's list that no match has, is taken out once it is old enough."""
    monkeypatch.setattr(seats, "GHOST_MS", -1)
    bot = await server.register()
    ghost = new_id()
    await server.stores.bots.add_match([bot.bot_id], ghost)
    async with server.stream(bot):

        async def is_free() -> bool:
            return not await server.stores.bots.live_matches(bot.bot_id)

        await until(is_free)


async def test_a_match_that_is_just_being_created_keeps_its_place(server: Server) -> None:
    """The entry in a bot's list comes before the match, so a young one is left alone."""
    bot = await server.register()
    young = new_id()
    await server.stores.bots.add_match([bot.bot_id], young)
    async with server.stream(bot):
        assert await server.stores.bots.live_matches(bot.bot_id) == [young]


async def test_a_message_of_too_many_things_is_malformed(server: Server) -> None:
    """Thousands of moves in one message start no thousands of tasks; the match goes on without the stream."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.say(moves=[pb.Move() for _ in range(1001)])
        with pytest.raises(Ended):
            await question.stream.hear("stream_end")
        assert await question.stream.call.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert not (await server.play(question.asked, question.update)).already


async def test_as_many_things_as_a_message_may_have_are_all_answered(server: Server) -> None:
    """A thousand answers come, and the stream goes on."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.say(ready=[pb.ReadySignal(match_id=new_id()) for _ in range(1000)])
        async with asyncio.timeout(20):
            for _ in range(1000):
                await question.stream.hear("signal_refused")
        assert (await question.stream.move(question.update)).HasField("receipt")


async def test_a_bot_that_does_not_read_is_not_listened_to(server: Server) -> None:
    """What it sends beyond a bound of unread answers waits with it, and costs the server nothing."""
    bot = await server.register()
    session = Session(Guest(bot.bot_id, bot.name, ""), 1, follow=False)
    refusal = no_seat()
    for _ in range(MOST_UNWRITTEN + 1):
        session.answer(MoveResult("", "", refusal))
    waiting = asyncio.ensure_future(session.room())
    done, _ = await asyncio.wait([waiting], timeout=0.05)
    assert not done
    await session.marked()
    session.take_marks()
    await asyncio.wait_for(waiting, 5)


async def test_a_match_that_nobody_ends_is_void(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats that never end a round do not play for ever (T82)."""
    monkeypatch.setattr(sys.modules[replay.__module__], "LONGEST_LOG", 30)
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    async with server.stream(bots[0]) as one, server.stream(bots[1]) as two:
        await asyncio.gather(play_out(one, match_id), play_out(two, match_id))
    match = await server.match(match_id)
    assert match.version == 30
    assert match.result.termination == match_pb2.TERMINATION_VOID
