"""A live match that a bot's list lost with the master of its partition: the bot hears of it, and may play."""

import asyncio
import time

import pytest
from structlog.typing import EventDict

from shoal.server.play import credits as giving
from shoal.server.play import lost_places, sweeper
from shoal.server.store import keys
from shoal.server.store.commits import Guard
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.support import Bot, Server, until
from tests.server.test_time import thought

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
    monkeypatch.setattr(giving, "CREDIT_STEP_MS", 1)
    bots = await server.team(2)
    async with server.asking(*bots, move_ms=1_000) as question:
        match_id, bot = question.match_id, question.asked
        await lose(server, [bot], match_id)
    async with server.stream(bot) as stream:
        update = await stream.hear("match_update", match_id)
        receipt = (await stream.move(update)).receipt
        assert receipt.think_ms <= 1_000
    await server.resign(bot, match_id)
    credit = [each for each in (await server.record(match_id)).entries if each.kind == CREDIT]
    assert len(credit) == 1
    assert credit[0].credit_ms > 1_000


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


@pytest.mark.parametrize("bank_ms", [0, 60_000])
async def test_what_was_lost_for_longer_than_ten_minutes_does_not_end_the_match(
    server: Server, other: Server, bank_ms: int
) -> None:
    """A decision may be allowed more than a match is credited: then it is given as much as there is (T6)."""
    bots = await server.team(2)
    async with server.asking(*bots, move_ms=600_000, bank_ms=bank_ms) as question:
        match_id, bot = question.match_id, question.asked
    await lose(server, [bot], match_id)
    await age(server, match_id, 601_000 + bank_ms)
    async with other.stream(bot) as stream:
        update = await stream.hear("match_update", match_id)
        receipt = (await stream.move(update)).receipt
    assert receipt.think_ms < 10_000 + bank_ms
    assert await credits_of(server, bot, match_id) == [600_000]


async def test_more_is_given_than_a_cut_off_bot_has_to_come_back(
    server: Server, other: Server
) -> None:
    """Who does not know of a match does not look for another server: all of its time is given (T6)."""
    bots = await server.team(2)
    async with server.asking(*bots, move_ms=60_000) as question:
        match_id, bot = question.match_id, question.asked
    await lose(server, [bot], match_id)
    await age(server, match_id, 61_000)
    async with other.stream(bot) as stream:
        update = await stream.hear("match_update", match_id)
        assert (await stream.move(update)).receipt.think_ms < 60_000 / 2
    assert await credits_of(server, bot, match_id) >= [61_000]


@pytest.mark.parametrize("before_ms", [0, 9_000])
async def test_what_it_is_given_leaves_all_there_is_for_a_cut(
    server: Server, other: Server, before_ms: int
) -> None:
    """A bot whose server dies on that decision, or has died before, may come back as late as any other."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        match_id, bot = question.match_id, question.asked
        await age(server, match_id, 27_000)
        credit = other.app._sweeper._overdue._credits
        table = await other.app._hub.table(match_id)
        assert table is not None
        assert await credit.give_all(table, table.match, Guard.NONE)
        await thought(other, match_id, 1)
        cut_ms = before_ms + 900
        await credit.make_good([table], bot.bot_id, cut_ms)
        assert await credit.give(table, table.match, cut_ms, Guard.NONE)
    all_ms, good_ms, step_ms = await credits_of(server, bot, match_id)
    assert all_ms >= 27_000
    assert 850 < good_ms < 9_000
    assert step_ms == giving.CREDIT_STEP_MS


async def test_a_lost_place_is_found_before_the_deadline(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where another seat has its stream nobody waits for the deadline, and the time is given too."""
    monkeypatch.setattr(giving, "CREDIT_STEP_MS", 1)
    monkeypatch.setattr(lost_places, "OPEN_MS", 1)
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        match_id, bot = question.match_id, question.asked
        began = time.monotonic()
        async with server.stream(question.other):
            await lose(server, [bot], match_id)
            async with server.stream(bot) as stream:
                assert not stream.snapshot.matches
                least_ms = int((time.monotonic() - began) * 1000)
                await server.app._lost_places.look()
                update = await stream.hear("match_update", match_id)
                assert update.decision.decision_id == question.update.decision.decision_id
    (given_ms,) = await credits_of(server, bot, match_id)
    assert given_ms >= least_ms


async def test_two_servers_that_find_it_give_its_time_once(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is slower sees that it has been given."""
    monkeypatch.setattr(giving, "CREDIT_STEP_MS", 1)
    monkeypatch.setattr(lost_places, "OPEN_MS", 1_000)
    bots = await server.team(2)
    async with server.asking(*bots) as question:
        match_id, bot = question.match_id, question.asked
        tables = [await each.app._hub.table(match_id) for each in (server, other)]
        for each in (server, other):
            await thought(each, match_id, 1.1)
        await lose(server, [bot], match_id)
        places = [each.app._lost_places for each in (server, other)]
        await asyncio.gather(
            *(
                place._look_at(table)
                for _ in range(3)
                for place, table in zip(places, tables, strict=True)
                if table is not None
            )
        )
        assert await server.stores.bots.live_matches(bot.bot_id) == [match_id]
    assert len(await credits_of(server, bot, match_id)) == 1


async def age(server: Server, match_id: str, open_ms: int) -> None:
    """Let what a match asks be open for so long, and be due.

    Only a server that comes fresh reads this: where the match is at hand it is as it was.
    """
    partition = keys.partition_of(match_id)
    now_ms = (await server.stores.matches.submit_tick(partition)).now_ms
    pipe = server.stores.pipe
    await pipe.command("HSET", keys.match(match_id), "asked_ms", now_ms - open_ms)
    await pipe.command("ZADD", keys.DEADLINES[partition], now_ms, match_id)


async def test_a_look_that_fails_is_logged_as_what_it_is(
    server: Server, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    """No match is void by it, as one is that could not be swept; all others are looked at."""
    monkeypatch.setattr(lost_places, "OPEN_MS", 0)

    async def broken(*_: object) -> list[str]:
        raise ValueError("no list of matches")

    async with server.asking(*await server.team(2)) as question:
        monkeypatch.setattr(server.stores.bots, "without_match", broken)
        await server.app._lost_places.look()
        match = await server.match(question.match_id)
    assert match.status == match_pb2.MATCH_STATUS_LIVE
    assert ("lost_place_not_made_good", question.match_id) in {
        (line["event"], line.get("match")) for line in logs
    }
    assert not [line for line in logs if line["event"] == "match_not_swept"]


async def credits_of(server: Server, bot: Bot, match_id: str) -> list[int]:
    """Let a bot leave, and return what was given in the match."""
    await server.resign(bot, match_id)
    entries = (await server.record(match_id)).entries
    return [entry.credit_ms for entry in entries if entry.kind == CREDIT]
