"""A live match that a bot's list lost with the master of its partition: the bot hears of it, and may play."""

import pytest

from shoal.server.play import overdue, sweeper
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.support import Bot, Server, until

SHORT_MS = 200
CREDIT = matches_pb.LOG_ENTRY_KIND_CREDIT


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep often."""
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.05)


async def lose(server: Server, bots: list[Bot], match_id: str) -> None:
    """Take a match out of the lists of these bots, as a failover of their partitions does."""
    await server.stores.bots.forget_match([bot.bot_id for bot in bots], match_id)


async def test_a_match_that_waits_for_a_bot_that_lost_it_is_told_and_waits_longer(
    server: Server, other: Server
) -> None:
    """A bot that never heard of a match does not fail to show up in it (T6)."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as one, other.stream(bots[1]) as two:
        match_id = await server.create_waiting(*bots, ready_ms=SHORT_MS)
        await lose(server, bots, match_id)
    async with server.stream(bots[0]) as one, other.stream(bots[1]) as two:
        for stream, bot in ((one, bots[0]), (two, bots[1])):
            assert not stream.snapshot.matches
            update = await stream.hear("match_update", match_id)
            assert update.status == match_pb2.MATCH_STATUS_WAITING
            await server.ready(bot, match_id)
    assert (await server.match(match_id)).status == match_pb2.MATCH_STATUS_LIVE
    for bot in bots:
        assert await server.stores.bots.live_matches(bot.bot_id) == [match_id]
        assert (await server.stores.bots.history(bot.bot_id, 10)).ids == (match_id,)


async def test_a_decision_of_a_bot_that_lost_the_match_is_asked_again(server: Server) -> None:
    """It is given time instead of the default, and its answer counts."""
    bots = await server.team(2)
    async with server.asking(*bots, move_ms=SHORT_MS, max_strikes=1) as question:
        match_id, bot = question.match_id, question.asked
        await lose(server, [bot], match_id)
    async with server.stream(bot) as stream:
        update = await stream.hear("match_update", match_id)
        assert update.decision.decision_id == question.update.decision.decision_id
        assert (await stream.move(update)).HasField("receipt")


async def test_it_is_given_all_the_time_that_it_could_not_know_of(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late that is found out: a step of a cut that is seen would not make up for it."""
    monkeypatch.setattr(overdue, "CREDIT_STEP_MS", 1)
    bots = await server.team(2)
    async with server.asking(*bots, move_ms=SHORT_MS) as question:
        match_id, bot = question.match_id, question.asked
        await lose(server, [bot], match_id)
    async with server.stream(bot) as stream:
        update = await stream.hear("match_update", match_id)
        receipt = (await stream.move(update)).receipt
        assert receipt.think_ms <= SHORT_MS
    await server.resign(bot, match_id)
    credit = [each for each in (await server.record(match_id)).entries if each.kind == CREDIT]
    assert len(credit) == 1
    assert credit[0].credit_ms > SHORT_MS


async def test_it_is_given_time_once(server: Server) -> None:
    """A bot that has the match in its list again and does not come is absent, as any other."""
    bots = await server.team(2)
    match_id = await server.create_waiting(*bots, ready_ms=SHORT_MS)
    await lose(server, bots, match_id)

    async def is_over() -> bool:
        return (await server.match(match_id)).status == match_pb2.MATCH_STATUS_FINISHED

    await until(is_over)
    entries = (await server.record(match_id)).entries
    assert [each.kind for each in entries] == [CREDIT, matches_pb.LOG_ENTRY_KIND_NO_SHOW]
