"""Coming back to a stream: what was missed is brought, nothing is brought twice, no version is skipped."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from shoal.server.hub import table as hub_table
from shoal.server.hub.attention import Attention
from shoal.server.hub.table import Table
from shoal.server.store.partition_clock import PartitionClock
from shoal.server.streams import spectators
from shoal.server.streams.session import Guest, History, Session
from shoal.v1 import event_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from tests.server.matches import new_match
from tests.server.streams import PATIENCE, Stream, at_random, play_out
from tests.server.support import Bot, Server


async def play_some(server: Server, bots: list[Bot], match_id: str, moves: int) -> int:
    """Let both seats make moves by plain calls; return the version then."""
    choose = at_random()
    made = 0
    while made < moves:
        for bot in bots:
            update = await server.position(bot, match_id)
            if update.HasField("decision"):
                await server.play(bot, update, choose(update))
                made += 1
    return (await server.match(match_id)).version


def versions(events: list[event_pb2.Event]) -> list[int]:
    """Return the versions of events, each once."""
    return list(dict.fromkeys(event.version for event in events))


@pytest.mark.parametrize("kept", [128, 3], ids=["at hand", "from the log"])
async def test_reopening_with_since_brings_what_was_missed(
    server: Server, other: Server, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events after the version that the bot has seen come, all of them, on either server (T22, T24)."""
    monkeypatch.setattr(hub_table, "KEPT_VERSIONS", kept)
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    seen = await play_some(server, bots, match_id, 4)
    version = await play_some(server, bots, match_id, 10)
    for place in (server, other):
        async with place.stream(bots[0], since={match_id: seen}) as stream:
            update = stream.match(match_id)
            assert update.version == version
            assert versions(update.events) == list(range(seen + 1, version + 1))
        async with place.stream(bots[0], since={match_id: 0}) as stream:
            events = stream.match(match_id).events
            assert events[0].WhichOneof("kind") == "round_started"
            assert versions(events) == list(range(2, version + 1))


async def test_reopening_without_since_brings_no_events(server: Server) -> None:
    """A bot that does not say what it has seen gets the position alone, and the whole of it."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    version = await play_some(server, bots, match_id, 6)
    async with server.stream(bots[0]) as stream:
        update = stream.match(match_id)
        assert update.version == version
        assert not update.events
        assert update.HasField("observation")
        assert update.HasField("match")


@pytest.mark.parametrize("since", [999_999, 7], ids=["of the future", "of now"])
async def test_a_version_that_is_not_past_brings_no_events(server: Server, since: int) -> None:
    """Who has seen all, or claims to have seen more, is brought nothing, and no error."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    version = await play_some(server, bots, match_id, 5)
    assert version == 7
    async with server.stream(bots[0], since={match_id: since}) as stream:
        update = stream.match(match_id)
        assert (update.version, len(update.events)) == (version, 0)


async def test_since_of_a_match_that_ended_brings_its_end(server: Server) -> None:
    """A bot that was away at the end gets the last events with MatchFinished."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    seen = await play_some(server, bots, match_id, 4)
    await server.resign(bots[1], match_id)
    async with server.stream(bots[0], since={match_id: seen}) as stream:
        finished = await stream.hear("match_finished", match_id)
        assert versions(finished.events) == [seen + 1]
        kinds = [event.WhichOneof("kind") for event in finished.events]
        assert kinds[0] == "seat_left"
        assert kinds[-1] == "match_ended"


async def test_since_of_a_match_of_others_brings_nothing(server: Server) -> None:
    """Naming a match in `since` opens no way into it (T88)."""
    bots, stranger = await server.team(2), await server.register()
    match_id = await server.deal(*bots)
    async with server.stream(stranger, since={match_id: 0, "x": 3}) as stream:
        assert not stream.snapshot.matches
        await stream.call.done_writing()
        assert await stream.rest() == ["snapshot", "stream_end"]


@pytest.mark.parametrize("follow", [False, True], ids=["", "following"])
async def test_no_version_is_skipped_and_none_comes_twice(
    server: Server,
    other: Server,
    follow: bool,  # noqa: FBT001
) -> None:
    """Over a whole match on two servers each stream brings the events of every version once (T22)."""
    bots = await server.team(2)
    async with AsyncExitStack() as opened:
        streams = [
            await opened.enter_async_context(place.stream(bot, follow=follow))
            for place, bot in zip((server, other), bots, strict=True)
        ]
        match_id = await server.create(*bots)
        async with asyncio.timeout(30):
            await asyncio.gather(*(play_out(stream, match_id) for stream in streams))
        version = (await server.match(match_id)).version
        for stream in streams:
            assert told_versions(stream) == list(range(3, version + 1))


def told_versions(stream: Stream) -> list[int]:
    """Return the versions of all events that a stream brought after the deal, in order."""
    told: list[pb.MatchUpdate | pb.MatchFinished] = [
        *stream.heard_of("match_update"),
        *stream.heard_of("match_finished"),
    ]
    events = [event for update in told for event in update.events]
    return [version for version in versions(events) if version > 2]


async def test_following_brings_every_move_of_the_others(server: Server) -> None:
    """With `follow` a seat that is not asked is told of a move when it is made."""
    async with (
        server.asking(*await server.team(2)) as question,
        server.stream(question.other, follow=True) as watching,
    ):
        receipt = (await question.stream.move(question.update)).receipt
        update = await watching.hear("match_update")
        assert update.version == receipt.version
        assert versions(update.events) == [receipt.version]


async def test_who_has_left_is_told_all_that_came_after(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat is told nothing between its leaving and the end, and then every version, however many (T22)."""
    monkeypatch.setattr(hub_table, "KEPT_VERSIONS", 3)
    bots = await server.team(3)
    async with server.stream(bots[2]) as stream:
        match_id = await server.deal(*bots)
        await server.resign(bots[2], match_id)
        await play_some(server, bots[:2], match_id, 10)
        await server.resign(bots[0], match_id)
        finished = await stream.hear("match_finished", match_id)
    heard = [event for each in stream.heard_of("match_update") for event in each.events]
    assert versions([*heard, *finished.events]) == list(range(3, finished.version + 1))


async def test_who_is_told_much_at_once_is_told_all_of_it(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server hears late, and keeps only the last of, it reads again for who is to be told (T22)."""
    monkeypatch.setattr(hub_table, "KEPT_VERSIONS", 3)
    monkeypatch.setattr(spectators, "match_bell", lambda _: "shoal:bell:nobody")
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    call = server.matches.SpectateMatch(matches_pb.SpectateMatchRequest(match_id=match_id))
    heard = [await call.read()]
    version = await play_some(other, bots, match_id, 10)
    table = server.app._hub.at_hand(match_id)
    assert table is not None
    await server.app._hub.refresh(table)
    async with asyncio.timeout(PATIENCE):
        while heard[-1].version < version:
            heard.append(await call.read())
    call.cancel()
    told = versions([event for each in heard for event in each.events])
    assert told == list(range(heard[0].version + 1, version + 1))
    assert [each.HasField("match") for each in heard] == [True] + [False] * (len(heard) - 1)


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "lost"])
def test_what_was_read_again_is_news_to_a_stream_that_follows(is_known: bool) -> None:  # noqa: FBT001
    """It waited for the next change, where nothing is asked of the seat before and after."""
    match = new_match(2, seed=1)
    session = Session(Guest(match.meta.seats[0].bot_id, "", ""), 1, follow=True)
    partition = PartitionClock()
    partition.saw(0, 0.0, 0.0)
    table = Table(match, partition, Attention())
    session.take(table, match.version, [])
    session.tell(table)
    assert not session.is_news(table)
    later = match.copy()
    later.version += 1
    table.replace(later, partition)
    assert session.behind({match.meta.match_id: table}) == [table]
    session.recall(table, [(later.version, [])] if is_known else [])
    assert session.is_news(table)
    session.tell(table)
    assert not session.is_news(table)


async def test_a_spectator_whose_past_is_read_while_the_match_goes_on_misses_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sight has all events since the last one, also of what was let go of while it was made (T22)."""
    monkeypatch.setattr(hub_table, "KEPT_VERSIONS", 1)
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    version = await play_some(server, bots, match_id, 4)
    hub = server.app._hub
    table = await hub.table(match_id)
    assert table is not None
    real, moves = hub.history, [3, 3]

    async def history(table: Table, seen: int) -> History:
        past = await real(table, seen)
        if moves:
            await play_some(server, bots, match_id, moves.pop())
        return past

    monkeypatch.setattr(hub, "history", history)
    sights = server.app._spectators.follow(table, 1)
    sight = await anext(sights)
    await sights.aclose()
    assert sight.table.match.version >= version + 6
    told = [each for each, _ in sight.history]
    assert told == list(range(2, sight.table.match.version + 1))
