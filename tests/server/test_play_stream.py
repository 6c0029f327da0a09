"""What a bot is told on its stream while it plays."""

import asyncio

import pytest
from structlog.typing import EventDict

from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.streams import Stream, answer, play_out
from tests.server.support import Server


async def test_a_stream_begins_with_a_snapshot_of_the_bot(server: Server) -> None:
    """The first update says who the bot is and which kits the server speaks with."""
    bot = await server.register()
    async with server.stream(bot) as stream:
        assert stream.kinds() == ["snapshot"]
        snapshot = stream.snapshot
        assert (snapshot.bot_id, snapshot.bot_name) == (bot.bot_id, bot.name)
        assert all((snapshot.least_kit_version, snapshot.recommended_kit_version))
        assert snapshot.server_version
        assert not snapshot.matches


@pytest.mark.parametrize(
    ("hello", "rulesets", "sizes"),
    [
        ({}, ("base",), (2, 3, 4)),
        ({"rulesets": ["base-double", "base"], "table_sizes": [3]}, ("base", "base-double"), (3,)),
        ({"rulesets": ["base-double"]}, ("base-double",), (2, 3, 4)),
    ],
)
async def test_a_bot_is_offered_for_what_it_says_it_can_play(
    server: Server,
    hello: dict[str, list[object]],
    rulesets: tuple[str, ...],
    sizes: tuple[int, ...],
) -> None:
    """Without a word on rulesets that is the base game alone, without one on tables all sizes."""
    bot = await server.register()
    async with server.stream(bot, **hello):
        (presence,) = await server.stores.presences.get_many([bot.bot_id])
        assert presence is not None
        assert tuple(sorted(presence.rulesets)) == rulesets
        assert tuple(sorted(presence.seats)) == sizes


async def test_a_stream_that_opens_is_logged(server: Server, logs: list[EventDict]) -> None:
    """One line says which bot came, in which version, and by which kit."""
    bot = await server.register()
    metadata = (*bot.metadata, ("shoal-client", "shoal/python/1.2.3"))
    call = server.plays.Play(metadata=metadata)
    await call.write(pb.PlayRequest(hello=pb.Hello(bot_version="v7")))
    await call.read()
    (line,) = [each for each in logs if each["event"] == "stream_opened"]
    assert (line["bot"], line["bot_version"]) == (bot.bot_id, "v7")
    assert line["client"] == "shoal/python/1.2.3"
    call.cancel()


async def test_a_new_match_asks_every_seat_to_say_ready(server: Server) -> None:
    """Each seat is told of a match that waits for it, with seats and commitment, before any deal."""
    anna, bert = await server.team(2)
    async with server.stream(anna) as hers, server.stream(bert) as his:
        match_id = await server.create(anna, bert, move_ms=5_000)
        for seat, stream in enumerate((hers, his)):
            update = await stream.hear("match_update")
            assert (update.match_id, update.seat) == (match_id, seat)
            assert update.status == match_pb2.MATCH_STATUS_WAITING
            assert not update.HasField("observation")
            assert not update.HasField("decision")
            assert [each.bot_id for each in update.match.seats] == [anna.bot_id, bert.bot_id]
            assert len(update.match.seed_commitment) == 32
            assert update.match.time_control.move_ms == 5_000


async def test_the_deal_follows_when_every_seat_is_ready(server: Server) -> None:
    """One seat's readiness, said twice, deals nothing; the last seat's does."""
    anna, bert = await server.team(2)
    async with server.stream(anna) as hers, server.stream(bert) as his:
        match_id = await server.create(anna, bert)
        signal = pb.ReadySignal(match_id=match_id, nonce=b"mine")
        await hers.say(ready=[signal, signal])
        await server.ready(anna, match_id)
        assert (await server.match(match_id)).status == match_pb2.MATCH_STATUS_WAITING
        await his.say(ready=[pb.ReadySignal(match_id=match_id)])
        asked, update = await first_asked(hers, his)
        assert update.status == match_pb2.MATCH_STATUS_LIVE
        assert update.version == 2
        assert [event.WhichOneof("kind") for event in update.events] == ["round_started"]
        assert update.decision.seat == update.seat == update.observation.seat
        assert not update.HasField("match"), "what is fixed is told once"
        assert asked.kinds().count("match_update") == 2


async def first_asked(*streams: Stream) -> tuple[Stream, pb.MatchUpdate]:
    """Return the stream that is told of the first decision, and what it is told."""

    async def heard(stream: Stream) -> tuple[Stream, pb.MatchUpdate]:
        while not (update := await stream.hear("match_update")).HasField("decision"):
            pass
        return stream, update

    tasks = [asyncio.create_task(heard(stream)) for stream in streams]
    done, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    return done.pop().result()


async def test_only_the_seat_that_is_asked_is_told_of_the_decision(server: Server) -> None:
    """Decision and options reach the seat that is asked; the other sees only whom the game waits for."""
    async with server.asking(*await server.team(2)) as question:
        decision = question.update.decision
        assert decision.seat == question.update.seat
        assert question.options
        assert decision.default_option_id in question.options
        assert decision.limit_ms == 600_000
        assert 0 < decision.remaining_ms <= 600_000
        async with server.stream(question.other) as other:
            seen = other.match(question.match_id)
            assert not seen.HasField("decision")
            assert seen.observation.pending_seat == decision.seat
            assert seen.observation.pending_kind == decision.kind
            assert not seen.observation.shown


async def test_a_move_is_answered_with_what_the_log_says_of_it(server: Server) -> None:
    """The receipt has the option, the new version, and times within the limit (T41, T42)."""
    async with server.asking(*await server.team(2)) as question:
        result = await question.stream.move(question.update)
        decision, receipt = question.update.decision, result.receipt
        assert (result.match_id, result.decision_id) == (question.match_id, decision.decision_id)
        assert receipt.option_id == decision.default_option_id
        assert receipt.version == question.update.version + 1
        assert 0 <= receipt.think_ms < receipt.limit_ms == decision.limit_ms
        assert receipt.overhead_us > 0
        assert not receipt.already
        assert (await server.match(question.match_id)).version == receipt.version


async def test_many_moves_travel_in_one_message(server: Server) -> None:
    """Answers to decisions of several matches, in one message, are each answered once."""
    anna, bert = await server.team(2)
    match_ids = [await server.deal(anna, bert) for _ in range(12)]
    moved = []
    for bot in (anna, bert):
        async with server.stream(bot) as stream:
            asked = [each for each in stream.snapshot.matches if each.decision.decision_id]
            asked = [each for each in asked if each.match_id not in moved]
            await stream.say(moves=[answer(each) for each in asked])
            results = [await stream.hear("move_result") for _ in asked]
            assert all(each.receipt.version == 3 for each in results)
            moved += [each.match_id for each in results]
    assert sorted(moved) == sorted(match_ids)


async def test_a_bot_may_resign_on_its_stream(server: Server) -> None:
    """A resignation ends a match of two, and is no error the second time."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.say(resignations=[pb.ResignSignal(match_id=question.match_id)])
        finished = await question.stream.hear("match_finished")
        assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT
        left = [each.left for each in finished.result.seats]
        assert left[finished.seat] == match_pb2.LEAVE_REASON_RESIGNED
        await question.stream.say(resignations=[pb.ResignSignal(match_id=question.match_id)])
        await server.resign(question.asked, question.match_id)
        assert (await server.match(question.match_id)).version == finished.version


async def test_a_whole_match_is_played_on_two_streams(server: Server) -> None:
    """Two bots that throw dice play to the target, and are told the same result."""
    anna, bert = await server.team(2)
    async with server.stream(anna) as hers, server.stream(bert) as his:
        match_id = await server.create(anna, bert)
        ends = await asyncio.gather(play_out(hers, match_id), play_out(his, match_id))
        assert ends[0].result == ends[1].result == (await server.match(match_id)).result
        for stream in (hers, his):
            assert not [each for each in stream.heard_of("move_result") if each.HasField("error")]
