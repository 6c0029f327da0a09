"""What a spectator is told of a match."""

import asyncio

import grpc
import pytest

from shoal.server.streams import spectators
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as pb
from tests.server.rpcs import read_error
from tests.server.streams import PATIENCE, play_out
from tests.server.support import Server

DEAL = 2
"""The version of the deal of a match of two: the first that has events."""


async def watch(server: Server, match_id: str, since: int = 0) -> list[pb.SpectateMatchResponse]:
    """Follow a match to its end, without a token."""
    request = pb.SpectateMatchRequest(match_id=match_id, since_version=since)
    call = server.matches.SpectateMatch(request)
    async with asyncio.timeout(3 * PATIENCE):
        messages = [message async for message in call]
    assert await call.code() == grpc.StatusCode.OK
    return messages


async def streamed(server: Server, match_id: str) -> match_pb2.Match:
    """Return a match as a stream tells of it: why it does not count is in plain answers alone."""
    match = await server.match(match_id)
    match.ClearField("unrated_reason")
    return match


async def test_a_spectator_sees_a_whole_match(server: Server, other: Server) -> None:
    """The position first, then every version once, and the result last; on another server too."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as hers, server.stream(bots[1]) as his:
        match_id = await server.create(*bots)
        watching = [asyncio.create_task(watch(place, match_id)) for place in (server, other)]
        await asyncio.gather(play_out(hers, match_id), play_out(his, match_id))
        match = await streamed(server, match_id)
        for task in watching:
            messages = await task
            assert messages[0].HasField("match")
            assert messages[-1].match == match
            assert not [each for each in messages[1:-1] if each.HasField("match")]
            assert [m.version for m in messages] == sorted(m.version for m in messages)
            told = list(dict.fromkeys(e.version for m in messages for e in m.events))
            assert told == list(range(max(DEAL, messages[0].version + 1), match.version + 1))


async def test_a_spectator_sees_no_hidden_card(server: Server) -> None:
    """No hand, no drawn card and no stolen card is in what a spectator is told before it is shown."""
    bots = await server.team(2)
    async with server.stream(bots[0]) as hers, server.stream(bots[1]) as his:
        match_id = await server.create(*bots)
        watching = asyncio.create_task(watch(server, match_id))
        await asyncio.gather(play_out(hers, match_id), play_out(his, match_id))
        for message in await watching:
            assert not message.observation.hand
            for own in ("seat", "points", "color_bonus", "call_points"):
                assert not message.observation.HasField(own)
            assert not message.observation.shown
            for event in message.events:
                from_deck = not event.cards_taken.HasField("pile")
                assert not (from_deck and event.cards_taken.cards)
                assert not event.card_kept.HasField("card")
                assert not event.cards_drawn.cards
                assert not event.card_stolen.HasField("card")
                assert not event.pile_searched.cards


async def test_the_first_message_is_whole(server: Server) -> None:
    """Who comes late gets the match, the position and the clock in one message, and no past events."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.move(question.update)
        call = server.matches.SpectateMatch(pb.SpectateMatchRequest(match_id=question.match_id))
        message = await call.read()
        assert message.version == question.update.version + 1
        assert message.match == await streamed(server, question.match_id)
        assert message.HasField("observation")
        assert 0 < message.remaining_ms <= 600_000
        assert not message.events
        call.cancel()


async def test_who_comes_late_may_have_the_past(server: Server) -> None:
    """The first message brings every event after the version that the spectator names, once."""
    async with server.asking(*await server.team(2)) as question:
        await question.stream.move(question.update)
        version = question.update.version + 1
        for since, first in ((1, DEAL), (DEAL, DEAL + 1), (version, None), (version + 9, None)):
            request = pb.SpectateMatchRequest(match_id=question.match_id, since_version=since)
            call = server.matches.SpectateMatch(request)
            message = await call.read()
            assert message.HasField("match")
            told = list(dict.fromkeys(event.version for event in message.events))
            assert told == ([] if first is None else list(range(first, version + 1)))
            call.cancel()


async def test_the_past_of_a_finished_match_is_there(server: Server) -> None:
    """A match that is over is told from its beginning in the one message that it has."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    await server.resign(bots[0], match_id)
    (message,) = await watch(server, match_id, since=1)
    kinds = [event.WhichOneof("kind") for event in message.events]
    assert (kinds[0], kinds[-1]) == ("round_started", "match_ended")


async def test_a_spectator_hears_signs_of_life(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While nothing happens, messages come that say so: no events, the same version."""
    monkeypatch.setattr(spectators, "BEAT_SECONDS", 0.05)
    async with server.asking(*await server.team(2)) as question:
        call = server.matches.SpectateMatch(pb.SpectateMatchRequest(match_id=question.match_id))
        messages = [await call.read() for _ in range(3)]
        assert {message.version for message in messages} == {question.update.version}
        assert [message.HasField("match") for message in messages] == [True, False, False]
        assert not [event for message in messages for event in message.events]
        assert all(message.HasField("observation") for message in messages)
        call.cancel()


async def test_a_finished_match_is_one_message(server: Server) -> None:
    """The stream of a match that is over has its result, and ends."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    await server.resign(bots[0], match_id)
    (message,) = await watch(server, match_id)
    assert message.match == await streamed(server, match_id)
    assert not message.remaining_ms


async def test_a_server_that_stops_tells_its_spectators(server: Server) -> None:
    """Draining ends a following with its typed error: the match is not over (T29)."""
    async with server.asking(*await server.team(2)) as question:
        call = server.matches.SpectateMatch(pb.SpectateMatchRequest(match_id=question.match_id))
        await call.read()
        server.app._spectators.drain()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call.read()
        refused = read_error(caught.value)
        assert (refused.reason, refused.code) == ("DRAINING", grpc.StatusCode.UNAVAILABLE)
        assert refused.retry_seconds
