"""The same answer to the same decision is the same success, whenever and by whichever way it comes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import grpc
import pytest

from shoal.match import LoggedEntry
from shoal.server.play.answered import SLICE, Answered
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import Refused, read_error, read_status
from tests.server.streams import answer, at_random
from tests.server.support import Question, Server

Way: TypeAlias = Callable[[Server, Question, int], Awaitable["pb.MoveReceipt | Refused"]]


async def on_a_stream(server: Server, question: Question, option: int) -> pb.MoveReceipt | Refused:
    """Answer on a new stream of the seat."""
    async with server.stream(question.asked) as stream:
        result = await stream.move(question.update, option)
        return result.receipt if result.HasField("receipt") else read_status(result.error)


async def by_a_call(server: Server, question: Question, option: int) -> pb.MoveReceipt | Refused:
    """Answer by PlayMove."""
    try:
        return await server.play(question.asked, question.update, option)
    except grpc.aio.AioRpcError as error:
        return read_error(error)


EITHER_WAY = pytest.mark.parametrize("way", [on_a_stream, by_a_call])


def same(receipt: pb.MoveReceipt, again: pb.MoveReceipt | Refused) -> bool:
    """Tell whether a receipt is a repetition with the numbers of the first."""
    assert isinstance(again, pb.MoveReceipt), again
    numbers = ("option_id", "version", "think_ms", "limit_ms")
    return again.already and all(getattr(again, n) == getattr(receipt, n) for n in numbers)


async def finish(server: Server, question: Question) -> None:
    """End the match by the other seat's resignation."""
    await server.resign(question.other, question.match_id)


@EITHER_WAY
async def test_a_repeated_move_has_the_receipt_of_the_first(server: Server, way: Way) -> None:
    """At once, after other moves, and after the end, the same numbers come again (T1, T3)."""
    async with server.asking(*await server.team(2)) as question:
        option = question.options[0]
        receipt = await way(server, question, option)
        assert isinstance(receipt, pb.MoveReceipt)
        assert not receipt.already
        assert same(receipt, await way(server, question, option))
        await move_on(server, question, 5)
        assert same(receipt, await way(server, question, option))
        await finish(server, question)
        version = (await server.match(question.match_id)).version
        assert same(receipt, await way(server, question, option))
        assert (await server.match(question.match_id)).version == version


async def move_on(server: Server, question: Question, moves: int) -> None:
    """Let both seats make some moves, by the answers that they are told to be legal."""
    choose = at_random()
    for _ in range(moves):
        for bot in (question.asked, question.other):
            update = await server.position(bot, question.match_id)
            if update.HasField("decision"):
                await server.play(bot, update, choose(update))
                break


@EITHER_WAY
async def test_another_answer_is_told_which_one_counted(server: Server, way: Way) -> None:
    """A second thought is DECISION_ALREADY_MADE with the option that counted, also after the end."""
    async with server.asking(*await server.team(2)) as question:
        counted, another = question.options[:2]
        await way(server, question, counted)
        refusals = [await way(server, question, another)]
        await finish(server, question)
        refusals.append(await way(server, question, another))
        for refused in refusals:
            assert isinstance(refused, Refused)
            assert refused.reason == "DECISION_ALREADY_MADE"
            assert refused.code == grpc.StatusCode.ABORTED
            assert refused.metadata == {"option_id": str(counted)}


@EITHER_WAY
async def test_an_older_decision_is_stale_and_the_open_one_is_named(
    server: Server, way: Way
) -> None:
    """An answer to a decision of another timeline is STALE_DECISION with the one that is open."""
    async with server.asking(*await server.team(2)) as question:
        open_id = question.update.decision.decision_id
        question.update.decision.decision_id = "1." + "0" * 12
        refused = await way(server, question, question.options[0])
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.code) == ("STALE_DECISION", grpc.StatusCode.ABORTED)
        assert refused.metadata == {"decision_id": open_id}


@EITHER_WAY
async def test_a_move_after_the_end_is_told_the_result(server: Server, way: Way) -> None:
    """An unanswered decision of a match that ended is MATCH_OVER with how it ended (T3)."""
    async with server.asking(*await server.team(2)) as question:
        await finish(server, question)
        refused = await way(server, question, question.options[0])
        assert isinstance(refused, Refused)
        assert refused.reason == "MATCH_OVER"
        assert refused.code == grpc.StatusCode.FAILED_PRECONDITION
        result = (await server.match(question.match_id)).result
        name = match_pb2.Termination.Name(result.termination)
        assert refused.metadata["termination"] == name == "TERMINATION_LAST_SEAT"
        assert refused.metadata["placements"] == ",".join(str(s.placement) for s in result.seats)


async def test_a_seat_that_left_is_told_so(server: Server) -> None:
    """A move of a seat that resigned from a table of three is SEAT_LEFT."""
    bots = await server.team(3)
    match_id = await server.deal(*bots)
    for bot in bots:
        update = await server.position(bot, match_id)
        if update.HasField("decision"):
            await server.resign(bot, match_id)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await server.play(bot, update)
            refused = read_error(caught.value)
            assert (refused.reason, refused.code) == (
                "SEAT_LEFT",
                grpc.StatusCode.FAILED_PRECONDITION,
            )
            return
    raise AssertionError("nobody was asked")


class Reads:
    """How many entries of logs a server has read from the store since this was made."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entries = 0
        real = server.stores.matches.entries

        async def counted(match_id: str, start: int = 0, stop: int | None = None) -> list[bytes]:
            found = await real(match_id, start, stop)
            self.entries += len(found)
            return found

        def counted_log(
            match_id: str, stop: int, *, read: Callable[[bytes], LoggedEntry]
        ) -> "asyncio.Future[list[LoggedEntry]]":
            self.entries += stop
            return real_log(match_id, stop, read=read)

        real_log = server.stores.matches.submit_log
        monkeypatch.setattr(server.stores.matches, "entries", counted)
        monkeypatch.setattr(server.stores.matches, "submit_log", counted_log)


@EITHER_WAY
async def test_an_id_that_no_server_gave_out_is_not_looked_for(
    server: Server, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the match is already: else a bot could let a server read whole logs with each message."""
    async with server.asking(*await server.team(2)) as question:
        await move_on(server, question, 3 * SLICE)
        question.update.decision.decision_id = "1." + "0" * 12
        reads = Reads(server, monkeypatch)
        refused = await way(server, question, question.options[0])
        assert isinstance(refused, Refused)
        assert reads.entries == 1


async def test_many_repeats_read_a_log_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a decision with a bank was allowed follows from the whole log, which is read for all of them."""
    async with server.asking(*await server.team(2), bank_ms=60_000) as question:
        await move_on(server, question, 4 * SLICE)
        for bot in (question.asked, question.other):
            update = await server.position(bot, question.match_id)
            if update.HasField("decision"):
                break
        await server.play(bot, update)
        reads = Reads(server, monkeypatch)
        async with server.stream(bot) as stream:
            reads.entries = 0
            await stream.say(moves=[answer(update)] * 20)
            for _ in range(20):
                assert (await stream.hear("move_result")).receipt.already
    assert 4 * SLICE <= reads.entries < 10 * SLICE


async def test_a_decision_that_was_never_answered_is_looked_for_up_to_the_next(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat left instead of answering, and the others have played on for long."""
    bots = await server.team(3)
    match_id = await server.deal(*bots)
    asked = {bot: await server.position(bot, match_id) for bot in bots}
    (leaver,) = [bot for bot, update in asked.items() if update.HasField("decision")]
    await server.resign(leaver, match_id)
    one, two = [bot for bot in bots if bot is not leaver]
    async with server.stream(one) as stream:
        await move_on(server, Question(asked[leaver], one, two, stream), 3 * SLICE)
    reads = Reads(server, monkeypatch)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.play(leaver, asked[leaver])
    assert read_error(caught.value).reason in {"SEAT_LEFT", "MATCH_OVER"}
    assert reads.entries <= 1 + SLICE


async def test_a_log_that_is_read_for_many_is_nobodys_task(server: Server) -> None:
    """Who asked first may go away: nothing is left running for it, and the others get the log."""
    table = await server.app._hub.table(await server.deal(*await server.team(2)))
    assert table is not None
    answered = Answered(server.stores.matches)
    before = asyncio.all_tasks()
    first, second = [asyncio.create_task(answered.whole(table.match)) for _ in range(2)]
    await asyncio.sleep(0)
    assert asyncio.all_tasks() - before == {first, second}
    first.cancel()
    assert len(await second) == table.match.version
    assert first.cancelled()
    assert await answered.whole(table.match) is second.result()
