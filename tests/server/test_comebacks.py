"""Bots that come back: what they were kept away for is given back, once and in full (T6, T21)."""

import asyncio
import time
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from shoal.server.store.commits import Guard
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.whereabouts import Polling, Whereabouts
from shoal.server.streams.seats import Seats
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import poll
from tests.server.support import Server, asked_ms, now_ms, until
from tests.server.test_credits import MOVE_MS, asked_on, kinds
from tests.server.test_free_time import STILL, listened_ms
from tests.server.test_killed_server import server_process
from tests.server.test_time import thought

LONG_MS = 60_000
"""Time for a decision that no sweeper gives more to: what is given is all for coming back."""

ROUNDING_MS = 20


async def credits_in(server: Server, match_id: str) -> list[int]:
    """Return what was given in a finished match, in milliseconds."""
    entries = (await server.record(match_id)).entries
    return [entry.credit_ms for entry in entries if entry.credit_ms]


async def test_who_was_on_a_server_that_drained_is_given_the_time_since(
    redis: PrivateRedis, server: Server
) -> None:
    """A planned stop charges nobody either: the time without a stream is given back (T21)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with doomed.asking(*bots, move_ms=LONG_MS) as question:
            bot, match_id = question.asked, question.match_id
            before = await asked_ms(server, match_id)
            process.terminate()
            await question.stream.rest()
        await process.wait()
    away = await now_ms(server, match_id)
    await asyncio.sleep(0.8)  # time itself is what is tested
    away_ms = await now_ms(server, match_id) - away
    async with server.stream(bot) as back:
        receipt = (await back.move(back.match(match_id))).receipt
    in_all_ms = await now_ms(server, match_id) - before
    await server.resign(bot, match_id)
    assert await kinds(server, match_id) == ["CREDIT", "MOVE", "RESIGN"]
    (credit_ms,) = await credits_in(server, match_id)
    assert away_ms - ROUNDING_MS < credit_ms < in_all_ms
    assert receipt.think_ms < in_all_ms - credit_ms + ROUNDING_MS


async def test_each_of_two_stops_in_a_row_is_made_good(redis: PrivateRedis, server: Server) -> None:
    """What was given for the first is no part of what the second one costs (T21)."""
    bots = await server.team(2)
    async with (
        server_process(redis, server) as (first, one),
        server_process(redis, server) as (second, two),
    ):
        async with one.asking(*bots, move_ms=LONG_MS) as question:
            bot, match_id = question.asked, question.match_id
            before = await asked_ms(server, match_id)
            first.terminate()
            await question.stream.rest()
        await first.wait()
        aways_ms = []
        for place, process in ((two, second), (server, None)):
            away = await now_ms(server, match_id)
            await asyncio.sleep(0.6)  # time itself is what is tested
            aways_ms.append(await now_ms(server, match_id) - away)
            async with place.stream(bot) as stream:
                if process is None:
                    receipt = (await stream.move(stream.match(match_id))).receipt
                else:
                    process.terminate()
                    await stream.rest()
                    await process.wait()
    in_all_ms = await now_ms(server, match_id) - before
    await server.resign(bot, match_id)
    assert await kinds(server, match_id) == ["CREDIT", "CREDIT", "MOVE", "RESIGN"]
    given_ms = await credits_in(server, match_id)
    for away_ms, credit_ms in zip(aways_ms, given_ms, strict=True):
        assert credit_ms > away_ms - ROUNDING_MS
    assert receipt.think_ms < in_all_ms - sum(given_ms) + ROUNDING_MS


async def test_who_is_back_before_its_server_is_known_to_be_dead_is_given_its_time_too(
    redis: PrivateRedis, server: Server
) -> None:
    """A bot that finds another server at once leaves no trace of the one that died: it is waited for (T6)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with asked_on(doomed, bots) as (bot, stream, match_id):
            process.kill()
            await stream.rest()
        async with server.stream(bot) as back:
            update = back.match(match_id)
            receipt = (await back.move(update)).receipt
        await process.wait()
    assert receipt.think_ms <= MOVE_MS
    assert update.decision.remaining_ms > MOVE_MS / 4
    await server.resign(bot, match_id)
    # A sweeper may have been before it, and gives in steps.
    assert [kind for kind, _ in groupby(await kinds(server, match_id))] == [
        *("CREDIT", "MOVE", "RESIGN")
    ]


async def test_who_waits_for_that_to_be_known_looks_rarely(
    redis: PrivateRedis, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bots of a server that died wait at once, and the store has the matches of others to serve (T6)."""
    whereabouts = server.stores.presences.whereabouts
    looked: list[str] = []

    async def counted(bot_ids: Sequence[str]) -> list[Whereabouts]:
        looked.extend(bot_ids)
        return await whereabouts(bot_ids)

    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with doomed.asking(*bots, move_ms=LONG_MS) as question:
            process.kill()
            await question.stream.rest()
        monkeypatch.setattr(server.stores.presences, "whereabouts", counted)
        async with server.stream(question.asked):
            # At first, when a sign was due, when none has come; and its claim. The sweeper looks for others.
            assert 1 <= looked.count(question.asked.bot_id) <= 4
        await process.wait()
    await server.resign(question.asked, question.match_id)
    assert await kinds(server, question.match_id) == ["CREDIT", "RESIGN"]


async def test_who_polls_after_its_server_was_killed_is_given_its_time_once(
    redis: PrivateRedis, server: Server
) -> None:
    """A poll that was answered ends the absence of a bot that had a stream; then it is its turn (T6)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with doomed.asking(*bots, move_ms=LONG_MS) as question:
            process.kill()
            await question.stream.rest()
        bot, match_id = question.asked, question.match_id

        async def given() -> bool:
            await poll(server, bot)
            return (await server.match(match_id)).version > question.update.version

        await until(given)
        thinks = time.monotonic()
        for _ in range(4):
            await asyncio.sleep(0.25)  # time itself is what is tested
            await poll(server, bot)
        await asyncio.sleep(STILL)
        thought_ms = listened_ms(server, thinks)
        receipt = await server.play(bot, question.update)
        await process.wait()
    assert receipt.think_ms >= thought_ms - ROUNDING_MS
    await server.resign(bot, match_id)
    assert await kinds(server, match_id) == ["CREDIT", "MOVE", "RESIGN"]


async def test_who_leaves_a_living_server_for_another_is_given_nothing(
    server: Server, other: Server
) -> None:
    """It is known to live by its next sign of life, and its bot has gone by itself (T23, T28)."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        async with other.stream(question.asked) as newer:
            assert newer.match(question.match_id).HasField("decision")
        await server.resign(question.asked, question.match_id)
        assert await kinds(server, question.match_id) == ["RESIGN"]


async def test_whose_poll_waited_at_a_killed_server_is_given_time_to_poll_again(
    redis: PrivateRedis, server: Server
) -> None:
    """A poll that nobody answers any more costs no decision that came meanwhile (T6)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        request = pb.ListDecisionsRequest(wait=Duration(seconds=30))
        calls = [
            asyncio.ensure_future(doomed.plays.ListDecisions(request, metadata=bot.metadata))
            for bot in bots
        ]

        async def waits() -> bool:
            found = await server.stores.presences.whereabouts([bot.bot_id for bot in bots])
            return all(isinstance(where.place, Polling) and where.place.waits_at for where in found)

        await until(waits)
        process.kill()
        await asyncio.gather(*calls, return_exceptions=True)
        await process.wait()
        match_id = await server.create_waiting(*bots, ready_ms=MOVE_MS)
        await asyncio.sleep(4)  # time itself is what is tested
        for bot in bots:
            await server.ready(bot, match_id)
    assert (await server.match(match_id)).status == match_pb2.MATCH_STATUS_LIVE


async def test_who_polls_after_its_streams_server_died_is_there_by_its_polls(
    redis: PrivateRedis, server: Server
) -> None:
    """The claim of a dead process would keep a bot free of charge that plays on (T28)."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with asked_on(doomed, bots) as (bot, stream, match_id):
            process.kill()
            await stream.rest()
        await process.wait()

        async def polls() -> bool:
            await server.plays.ListDecisions(pb.ListDecisionsRequest(), metadata=bot.metadata)
            (where,) = await server.stores.presences.whereabouts([bot.bot_id])
            return isinstance(where.place, Polling)

        await until(polls)
        await server.resign(bot, match_id)


@pytest.fixture
def slow_to_find(monkeypatch: pytest.MonkeyPatch) -> float:
    """For how many seconds every server of these tests looks for a bot's matches."""
    find = Seats.fill
    seconds = 2.5

    async def find_late(*args: Any, **kwargs: Any) -> set[str]:
        for _ in range(50):  # in which a server that stands still is slow once
            await asyncio.sleep(seconds / 50)
        return await find(*args, **kwargs)

    monkeypatch.setattr(Seats, "fill", find_late)
    return seconds


@pytest.mark.parametrize("polls", [False, True], ids=["stream", "poll"])
async def test_what_it_takes_to_find_a_bots_matches_is_no_time_of_the_bot(
    redis: PrivateRedis, server: Server, slow_to_find: float, *, polls: bool
) -> None:
    """A server to which all bots come at once reads for long before it says a word to the last (T21).

    Longer than a decision may last, in which nobody acts for the seat either.
    """
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with asked_on(doomed, bots) as (bot, stream, match_id):
            process.kill()
            await stream.rest()
        await process.wait()
    assert slow_to_find * 1000 > MOVE_MS
    if polls:
        found = await server.plays.ListDecisions(pb.ListDecisionsRequest(), metadata=bot.metadata)
        assert [each.match_id for each in found.matches if each.HasField("decision")] == [match_id]
        await server.resign(bot, match_id)
    else:
        async with server.stream(bot) as back:
            assert back.match(match_id).HasField("decision")
            await server.resign(bot, match_id)
    assert set(await kinds(server, match_id)) == {"CREDIT", "RESIGN"}


@pytest.mark.usefixtures("slow_to_find")
async def test_who_was_not_kept_away_is_given_nothing_for_a_slow_beginning(
    server: Server, other: Server
) -> None:
    """Else a bot makes its beginnings slow, and thinks meanwhile (T47)."""
    async with server.asking(*await server.team(2), move_ms=LONG_MS) as question:
        bot, match_id = question.asked, question.match_id
        await other.plays.ListDecisions(pb.ListDecisionsRequest(), metadata=bot.metadata)
        async with other.stream(bot) as stream:
            assert stream.match(match_id).HasField("decision")
        await server.resign(bot, match_id)
    assert await kinds(server, match_id) == ["RESIGN"]


async def test_a_poll_beside_a_stream_elsewhere_waits_for_nothing(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes no stream's place, so it matters to nobody yet whether the stream's server lives (T28)."""

    async def never(*_: Any) -> None:
        raise AssertionError("it waited")

    monkeypatch.setattr(other.app._sessions._comebacks, "_decided", never)
    async with server.asking(*await server.team(2), move_ms=LONG_MS) as question:
        await other.plays.ListDecisions(pb.ListDecisionsRequest(), metadata=question.asked.metadata)
        await server.resign(question.asked, question.match_id)


async def test_time_for_a_decision_is_not_given_to_the_next(server: Server) -> None:
    """What was judged is the decision of before: whoever is asked meanwhile has lost nothing (T48)."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        table = server.app._hub.at_hand(question.match_id)
        assert table is not None
        judged = table.match
        await question.stream.move(question.update)
        assert await server.app._sweeper._overdue._credits.give(table, judged, 5_000, Guard.NONE)
        assert table.match.credited_ms == 0
        assert table.match.version == judged.version + 1


async def test_who_comes_back_in_many_ways_at_once_is_given_its_time_once(
    server: Server, other: Server
) -> None:
    """Each call reads what was given before it gives: on one server and on two (T6)."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        await thought(server, question.match_id, 1)
        places = [server, other] * 6
        tables = [await place.app._hub.table(question.match_id) for place in places]
        await asyncio.gather(
            *(
                place.app._sweeper._overdue._credits.make_good([table], question.asked.bot_id, 900)
                for place, table in zip(places, tables, strict=True)
                if table is not None
            )
        )
        await server.resign(question.asked, question.match_id)
    entries = (await server.record(question.match_id)).entries
    assert 850 < sum(entry.credit_ms for entry in entries) <= 900


async def test_a_match_that_is_about_to_be_void_keeps_nobody_from_the_others(
    server: Server, other: Server
) -> None:
    """It takes no time any more, and that is no reason to refuse a bot its stream (T74)."""
    async with server.asking(*await server.team(2), move_ms=60_000) as question:
        table = await other.app._hub.table(question.match_id)
        assert table is not None
        assert await server.stores.matches.condemn(question.match_id, "lost_moves")
        credit = other.app._sweeper._overdue._credits
        assert await credit.give(table, table.match, 5_000, Guard.NONE)


async def test_what_the_sweeper_gave_is_part_of_what_is_made_good(
    redis: PrivateRedis, server: Server
) -> None:
    """Nobody gains by coming back late: in all no more is given than the bot was away."""
    bots = await server.team(2)
    async with server_process(redis, server) as (process, doomed):
        async with asked_on(doomed, bots) as (bot, stream, match_id):
            process.kill()
            began = await now_ms(server, match_id)
            await stream.rest()
        await process.wait()
        await asyncio.sleep(4)  # time itself is what is tested
        async with server.stream(bot):
            away_ms = await now_ms(server, match_id) - began
    await server.resign(bot, match_id)
    entries = (await server.record(match_id)).entries
    assert away_ms - 1_500 < sum(entry.credit_ms for entry in entries) < away_ms + 1_500
