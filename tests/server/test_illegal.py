"""Answers that are no options: refused, counted once each, and at last the end of the seat."""

import asyncio

import grpc
import pytest

from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.rpcs import read_error
from tests.server.support import Question, Server

NO_OPTIONS = range(-1, -100, -1)


async def give(server: Server, question: Question, option: int) -> str:
    """Give an illegal answer; return how many more are borne."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.play(question.asked, question.update, option)
    refused = read_error(caught.value)
    assert refused.reason == "ILLEGAL_OPTION"
    last = refused.metadata["illegal_left"] == "0"
    assert ({"decision_id", "remaining_ms"} & set(refused.metadata) == set()) is last
    assert ("the seat has left the match" in (caught.value.details() or "")) is last
    return refused.metadata["illegal_left"]


async def test_each_illegal_answer_counts_once_and_the_last_one_is_the_end(server: Server) -> None:
    """Repeating one changes nothing (T1), a legal answer still counts (T2), and the limit is the limit."""
    async with server.asking(*await server.team(2), max_illegal=3) as question:
        assert await give(server, question, -1) == "2"
        assert await give(server, question, -1) == "2"
        assert await give(server, question, -2) == "1"
        assert await give(server, question, -1) == "1"
        assert await give(server, question, -3) == "0"
        finished = await question.stream.hear("match_finished", question.match_id)
    (left,) = [seat.left for seat in finished.result.seats if seat.left]
    assert left == match_pb2.LEAVE_REASON_ILLEGAL
    assert finished.result.termination == match_pb2.TERMINATION_LAST_SEAT
    entries = (await server.record(question.match_id)).entries[2:]
    assert [entry.kind for entry in entries] == [matches_pb.LOG_ENTRY_KIND_ILLEGAL] * 3
    assert [entry.option_id for entry in entries] == [-1, -2, -3]
    assert [entry.left for entry in entries] == [False, False, True]


async def test_after_the_end_only_who_resigned_may_resign_again(server: Server) -> None:
    """A seat that illegal answers took out of a match never resigned: it is told that the match is over."""
    async with server.asking(*await server.team(2), max_illegal=1) as question:
        assert await give(server, question, -1) == "0"
        await question.stream.hear("match_finished", question.match_id)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.resign(question.asked, question.match_id)
        assert read_error(caught.value).reason == "MATCH_OVER"
    async with server.asking(*await server.team(2)) as question:
        await server.resign(question.asked, question.match_id)
        await question.stream.hear("match_finished", question.match_id)
        await server.resign(question.asked, question.match_id)


async def test_in_a_match_that_goes_on_a_seat_that_left_may_resign(server: Server) -> None:
    """Whatever took it out, it is where it wants to be."""
    bots = await server.team(3)
    match_id = await server.deal(*bots, max_illegal=1)
    for bot in bots:
        update = await server.position(bot, match_id)
        if update.HasField("decision"):
            with pytest.raises(grpc.aio.AioRpcError):
                await server.play(bot, update, -1)
            await server.resign(bot, match_id)
            break
    else:
        pytest.fail("no seat was asked")
    assert (await server.match(match_id)).status == match_pb2.MATCH_STATUS_LIVE


async def test_a_legal_answer_after_illegal_ones_counts(server: Server) -> None:
    """The decision stays open under its id, and its clock runs on (T2, T10)."""
    async with server.asking(*await server.team(2)) as question:
        await give(server, question, -1)
        receipt = (await question.stream.move(question.update)).receipt
        assert receipt.version == question.update.version + 2


async def test_a_flood_of_illegal_answers_is_as_many_entries_as_are_borne(server: Server) -> None:
    """However many come at once, over stream and calls, the log grows by no more than the limit."""
    async with server.asking(*await server.team(2), max_illegal=5) as question:

        async def try_one(option: int) -> None:
            with pytest.raises(grpc.aio.AioRpcError):
                await server.play(question.asked, question.update, option)

        async with asyncio.TaskGroup() as tasks:
            for option in NO_OPTIONS:
                tasks.create_task(try_one(option))
        await question.stream.hear("match_finished", question.match_id)
    kinds = [entry.kind for entry in (await server.record(question.match_id)).entries]
    assert kinds.count(matches_pb.LOG_ENTRY_KIND_ILLEGAL) == 5
