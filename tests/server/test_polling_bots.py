"""A bot that polls: when it is available, what a stream is to it, and how a poll is refused or given up."""

import asyncio

import grpc
import pytest

from shoal.server import auth
from shoal.server.streams import polls
from shoal.server.streams.polls import MOST_POLLS
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import is_waiting, poll, waiting
from tests.server.rpcs import Refused, read_error
from tests.server.support import Server, is_renewed, left_ms, until


async def refusal(call: "asyncio.Task[pb.ListDecisionsResponse]") -> Refused:
    """Return why a poll is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return read_error(caught.value)


async def test_a_poll_makes_the_bot_available_by_what_it_offers(server: Server) -> None:
    """At once, while it waits, and for 30 s; what it leaves out is as in a Hello (T28, T87)."""
    bot = await server.register()
    await poll(server, bot)
    (presence,) = await server.stores.presences.get_many([bot.bot_id])
    assert presence is not None
    assert (presence.max_matches, presence.rulesets, presence.seats) == (1, ("base",), (2, 3, 4))
    call = waiting(server, bot, max_matches=7, rulesets=["pepper", "base"], table_sizes=[3])
    await is_waiting(server, bot)
    (presence,) = await server.stores.presences.get_many([bot.bot_id])
    assert presence is not None
    assert (presence.max_matches, presence.rulesets, presence.seats) == (
        7,
        ("base", "pepper"),
        (3,),
    )
    assert 25_000 < await left_ms(server, bot) <= polls.AVAILABLE_MS
    call.cancel()


async def test_a_bot_that_waits_stays_available(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its offer outlasts the wait, and no longer than it says when the client is gone (T28)."""
    monkeypatch.setattr(polls, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(polls, "AVAILABLE_MS", 500)
    bot = await server.register()
    call = waiting(server, bot)
    await is_waiting(server, bot)
    for _ in range(3):
        await is_renewed(server, bot)
    call.cancel()

    async def away() -> bool:
        return (await server.stores.presences.get_many([bot.bot_id]))[0] is None

    await until(away)


async def test_a_poll_leaves_a_stream_alone(server: Server, other: Server) -> None:
    """On any server: the stream is not superseded, its offer counts, and both are told (T23)."""
    async with server.asking(*await server.team(2)) as question:
        before = await server.stores.presences.get_many([question.asked.bot_id])
        for place in (server, other):
            response = await poll(place, question.asked, max_matches=3, rulesets=["salt"])
            (update,) = response.matches
            assert update.decision.decision_id == question.update.decision.decision_id
        assert await server.stores.presences.get_many([question.asked.bot_id]) == before
        assert (await question.stream.move(question.update)).HasField("receipt")
        assert "stream_end" not in question.stream.kinds()


async def test_a_stream_takes_over_from_polls(server: Server, other: Server) -> None:
    """A poll that waits goes on beside it, and the bot is there by the stream's offer (T23)."""
    bots = await server.team(2)
    call = waiting(server, bots[0], max_matches=3)
    await is_waiting(server, bots[0])
    async with other.stream(bots[0], max_matches=9):
        (presence,) = await server.stores.presences.get_many([bots[0].bot_id])
        assert presence is not None
        assert (presence.max_matches, bool(presence.process)) == (9, True)
        match_id = await other.create(*bots)
        (update,) = (await call).matches
        assert update.match_id == match_id


async def test_only_so_many_polls_of_a_bot_wait_at_a_time(server: Server, other: Server) -> None:
    """One more is refused with the time to come back; another server and another bot have theirs (T7)."""
    bots = await server.team(2)
    calls = [waiting(server, bots[0]) for _ in range(MOST_POLLS)]
    await is_waiting(server, bots[0], MOST_POLLS)
    refused = await refusal(waiting(server, bots[0]))
    assert (refused.reason, refused.code) == (
        "CONCURRENCY_LIMIT",
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )
    assert refused.retry_seconds
    await poll(other, bots[0])
    await poll(server, bots[1])
    calls.pop().cancel()
    await is_waiting(server, bots[0], MOST_POLLS - 1)
    await poll(server, bots[0])
    match_id = await server.create(*bots)
    for call in calls:
        assert [each.match_id for each in (await call).matches] == [match_id]


async def test_a_poll_that_is_given_up_lets_go_of_everything(server: Server) -> None:
    """No reader, no bell and no place of a poll is left; the match is as it was (T27, T28)."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    await server.ready(bots[0], match_id)
    before = set(server.stores.bells._bells)
    call = waiting(server, bots[0])
    await is_waiting(server, bots[0])
    table = server.app._hub.at_hand(match_id)
    assert table is not None
    assert len(table.readers) == 1
    call.cancel()

    async def released() -> bool:
        return not (table.readers or server.app._polls._open)

    await until(released)
    assert set(server.stores.bells._bells) == before
    assert (await server.match(match_id)).version == 1


async def test_a_server_that_stops_ends_polls_and_takes_no_more(server: Server) -> None:
    """In the middle of the wait and after it a poll is refused with the time to come back (T7, T29)."""
    bot = await server.register()
    call = waiting(server, bot)
    await is_waiting(server, bot)
    server.app._polls.drain()
    for each in (call, waiting(server, bot)):
        refused = await refusal(each)
        assert (refused.reason, refused.code) == ("DRAINING", grpc.StatusCode.UNAVAILABLE)
        assert refused.retry_seconds


async def test_a_poll_of_a_revoked_token_ends(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a beat, and without being told anything (T30)."""
    monkeypatch.setattr(polls, "BEAT_SECONDS", 0.05)
    bot = await server.register()
    call = waiting(server, bot)
    await is_waiting(server, bot)
    await server.stores.tokens.revoke(bot.token.split("_")[1])
    assert (await refusal(call)).reason == "TOKEN_REVOKED"


async def test_a_token_that_was_revoked_before_waits_for_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may trust it for a while when the poll comes: it looks before it waits (T30)."""
    monkeypatch.setattr(auth, "CACHE_SECONDS", 600)
    monkeypatch.setattr(polls, "BEAT_SECONDS", 600)
    bot = await server.register()
    await poll(server, bot)
    await server.stores.tokens.revoke(bot.token.split("_")[1])
    assert (await refusal(waiting(server, bot))).reason == "TOKEN_REVOKED"


async def test_a_token_opens_no_way_into_a_match_of_others(server: Server) -> None:
    """The resume token of another bot brings nothing of its matches (T12)."""
    bots, stranger = await server.team(2), await server.register()
    await server.deal(*bots)
    token = (await poll(server, bots[0])).resume_token
    response = await poll(server, stranger, resume_token=token)
    assert not response.matches
    assert not response.finished
