"""Whatever comes at the same time, one counts."""

import asyncio

import grpc
import pytest

from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import Refused, read_error
from tests.server.support import Question, Server, move_request


async def outcome(server: Server, question: Question, option: int) -> pb.MoveReceipt | Refused:
    """Answer the decision; return the receipt or the refusal."""
    try:
        return await server.play(question.asked, question.update, option)
    except grpc.aio.AioRpcError as error:
        return read_error(error)


@pytest.mark.parametrize("_", range(3))
async def test_of_fifty_simultaneous_answers_over_two_servers_one_counts(
    server: Server, other: Server, _: int
) -> None:
    """Fifty answers to one decision on two servers: one option counts, and all are told which (T9, T10)."""
    async with server.asking(*await server.team(2)) as question:
        options = [question.options[n % len(question.options)] for n in range(50)]
        outcomes = await asyncio.gather(
            *(outcome((server, other)[n % 2], question, option) for n, option in enumerate(options))
        )
        receipts = [each for each in outcomes if isinstance(each, pb.MoveReceipt)]
        (counted,) = {each.option_id for each in receipts}
        assert {each.version for each in receipts} == {question.update.version + 1}
        assert [each.already for each in receipts].count(False) == 1
        for option, each in zip(options, outcomes, strict=True):
            if option != counted:
                assert isinstance(each, Refused)
                assert each.reason in {"DECISION_ALREADY_MADE", "STALE_DECISION"}
        for place in (server, other):
            assert (await place.match(question.match_id)).version == question.update.version + 1


async def test_a_caller_that_goes_away_has_moved_once_or_not_at_all(server: Server) -> None:
    """Cancelling PlayMove at any moment never makes two moves, and asking again tells what became of it."""
    async with server.asking(*await server.team(2)) as question:
        calls = []
        for turns in range(20):
            request = move_request(question.update)
            call = server.plays.PlayMove(request, metadata=question.asked.metadata)
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            calls.append(call)
        await asyncio.wait([asyncio.ensure_future(call.code()) for call in calls])
        receipt = await server.play(question.asked, question.update)
        assert receipt.version == question.update.version + 1
        assert (await server.match(question.match_id)).version == receipt.version


async def test_all_seats_may_resign_at_once(server: Server, other: Server) -> None:
    """Four resignations at once over two servers end the match by its last seat, three seats having left."""
    bots = await server.team(4)
    match_id = await server.deal(*bots)

    async def resign(number: int) -> str:
        try:
            await (server, other)[number % 2].resign(bots[number], match_id)
        except grpc.aio.AioRpcError as error:
            return read_error(error).reason
        return ""

    answers = await asyncio.gather(*map(resign, range(4)))
    assert sorted(answers) == ["", "", "", "MATCH_OVER"]
    match = await other.match(match_id)
    assert match.result.termination == match_pb2.TERMINATION_LAST_SEAT
    left = [seat.left for seat in match.result.seats]
    assert left.count(match_pb2.LEAVE_REASON_RESIGNED) == 3
    assert match.version == 4 + 3
    assert match.result.seats[answers.index("MATCH_OVER")].placement == 1
