"""An answer counts, and is refused, in the same way by whatever way it comes in."""

import asyncio
from itertools import product

import pytest

from shoal.server.play import committer, sweeper
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import read_status
from tests.server.support import Server, until
from tests.server.ways import ANY_WAY, WAYS, Way, asked, asked_of

CHANGES = pytest.mark.parametrize(("first", "second"), list(product(WAYS.values(), repeat=2)))


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
        refused = read_status((await stream.move(question)).error)
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
