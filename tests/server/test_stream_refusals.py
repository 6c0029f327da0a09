"""What is refused on a stream, and that the stream goes on."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from shoal.server.services.play_stream import MOST_AT_ONCE, MOST_IN_A_ROW, PlayStream
from shoal.server.store import new_id
from shoal.server.store.launcher import launch_redis
from shoal.server.streams.session import Guest, Session
from shoal.v1 import play_service_pb2 as pb
from tests.server.dump import dump
from tests.server.rpcs import METHODS, read_status, refused
from tests.server.streams import answer
from tests.server.support import Question, Server, serving

HELLO = pb.PlayRequest(hello=pb.Hello()).SerializeToString()


async def refusal_of(question: Question, **fields: object) -> pb.MoveResult:
    """Send a move that must be refused, and then see that the right one still counts."""
    move = answer(question.update)
    move.MergeFrom(pb.Move(**fields))
    await question.stream.say(moves=[move])
    result = await question.stream.hear("move_result")
    assert (result.match_id, result.decision_id) == (move.match_id, move.decision_id)
    return result


async def test_an_illegal_option_is_refused_and_the_stream_goes_on(server: Server) -> None:
    """The refusal names the open decision and its clock, which still takes an answer (T2)."""
    async with server.asking(*await server.team(2)) as question:
        result = await refusal_of(question, option_id=999_999)
        why = read_status(result.error)
        assert (why.reason, why.code) == ("ILLEGAL_OPTION", grpc.StatusCode.INVALID_ARGUMENT)
        assert why.fields == ("option_id",)
        assert why.metadata["decision_id"] == question.update.decision.decision_id
        assert 0 < int(why.metadata["remaining_ms"]) <= 600_000
        assert why.metadata["illegal_left"] == "9"
        assert (await question.stream.move(question.update)).HasField("receipt")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"match_id": new_id()}, "SEAT_NOT_YOURS"),
        ({"match_id": "../x"}, "SEAT_NOT_YOURS"),
        ({"decision_id": "x"}, "MALFORMED"),
        ({"decision_id": "2." + "0" * 12}, "STALE_DECISION"),
        ({"option_id": -1}, "ILLEGAL_OPTION"),
    ],
    ids=["no match", "no id", "no decision", "stale", "no option"],
)
async def test_a_bad_move_is_answered_in_the_stream(
    server: Server, fields: dict[str, object], reason: str
) -> None:
    """Whatever is wrong with a move, the answer is in the stream, and the right move counts after it."""
    async with server.asking(*await server.team(2)) as question:
        result = await refusal_of(question, **fields)
        assert read_status(result.error).reason == reason
        assert (await question.stream.move(question.update)).HasField("receipt")


async def test_of_two_answers_in_one_message_the_first_counts(server: Server) -> None:
    """Second thoughts in the same message are told which answer counted, in the order of sending."""
    async with server.asking(*await server.team(2)) as question:
        first, second = question.options[:2]
        moves = [answer(question.update, option) for option in (first, second, first)]
        await question.stream.say(moves=moves)
        results = [await question.stream.hear("move_result") for _ in moves]
        receipts = [each.receipt for each in results if each.HasField("receipt")]
        (why,) = [read_status(each.error) for each in results if each.HasField("error")]
        assert [(each.option_id, each.already) for each in receipts] == [
            (first, False),
            (first, True),
        ]
        assert why.reason == "DECISION_ALREADY_MADE"
        assert why.metadata == {"option_id": str(first)}


async def test_a_move_in_a_match_of_others_is_refused(server: Server) -> None:
    """A bot without a seat learns nothing of a match, whether it exists or not (T12)."""
    stranger = await server.register()
    async with (
        server.asking(*await server.team(2)) as question,
        server.stream(stranger) as stream,
    ):
        results = [
            await stream.move(question.update),
            await stream.move(pb.MatchUpdate(match_id=new_id(), decision=question.update.decision)),
        ]
        first, second = (each.error for each in results)
        assert read_status(first).reason == "SEAT_NOT_YOURS"
        assert first == second


async def test_a_bad_signal_is_answered_in_the_stream(server: Server) -> None:
    """A refused readiness or resignation is told, and the stream goes on."""
    async with server.asking(*await server.team(2)) as question:
        stream, unknown = question.stream, new_id()
        bad = [
            ({"resignations": [pb.ResignSignal(match_id=unknown)]}, "SEAT_NOT_YOURS"),
            ({"ready": [pb.ReadySignal(match_id=unknown)]}, "SEAT_NOT_YOURS"),
            ({"ready": [pb.ReadySignal(match_id=question.match_id, nonce=bytes(33))]}, "MALFORMED"),
        ]
        for fields, reason in bad:
            await stream.say(**fields)
            told = await stream.hear("signal_refused")
            assert read_status(told.error).reason == reason
            which = pb.SIGNAL_READY if "ready" in fields else pb.SIGNAL_RESIGN
            assert told.signal == which
            assert told.match_id in {unknown, question.match_id}
        assert (await stream.move(question.update)).HasField("receipt")


@pytest.mark.parametrize(
    ("data", "reason", "code"),
    [
        (b"\xff\xff\xff", "MALFORMED", grpc.StatusCode.INVALID_ARGUMENT),
        (bytes(256 * 1024 + 1), "MESSAGE_TOO_LARGE", grpc.StatusCode.RESOURCE_EXHAUSTED),
    ],
    ids=["undecodable", "too large"],
)
async def test_a_stream_that_says_nonsense_is_ended(
    tmp_path: Path, data: bytes, reason: str, code: grpc.StatusCode
) -> None:
    """Bytes that are no message end a stream with their typed error, and change nothing."""
    # Where other tests have left something a server may act for it meanwhile.
    with launch_redis(tmp_path) as redis:
        async with serving(redis.url) as server:
            bot = await server.register()
            before = await dump(server.stores.pipe)
            answer = await refused(
                server.channel, METHODS["PlayService.Play"], [HELLO, data], bot.metadata
            )
            assert (answer.reason, answer.code) == (reason, code)
            assert await dump(server.stores.pipe) == before


async def test_a_stream_without_a_word_is_malformed(server: Server) -> None:
    """A client that closes its side before it said hello is told what was missing."""
    bot = await server.register()
    answer = await refused(server.channel, METHODS["PlayService.Play"], [], bot.metadata)
    assert (answer.reason, answer.fields) == ("MALFORMED", ("hello",))


async def test_in_a_flood_of_moves_everybody_else_has_a_turn(server: Server) -> None:
    """A message of the most moves there may be is not worked off in one go."""
    flood = pb.PlayRequest(moves=[pb.Move(match_id="../x")] * MOST_AT_ONCE)
    session = Session(Guest("bot", "bot", "token"), 1, follow=False)
    turns = 0

    async def requests() -> AsyncIterator[pb.PlayRequest]:
        yield flood

    async def wait_in_line() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(wait_in_line())
        stream = PlayStream(session, server.app._playing, tasks)
        await stream.read(requests())
        waiting.cancel()
    assert turns >= MOST_AT_ONCE // MOST_IN_A_ROW
    assert len(session.take_marks().answers) == MOST_AT_ONCE
