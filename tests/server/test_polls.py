"""ListDecisions: waiting, pages, and being told an end by servers that remember nothing."""

import asyncio
import time
from collections.abc import Collection

import pytest
from google.protobuf.duration_pb2 import Duration

from shoal.server.hub import hub
from shoal.server.store import BotStore
from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb
from tests.server.polling import LONG, by_polls, is_waiting, poll, waiting
from tests.server.streams import PATIENCE, play_out
from tests.server.support import Server
from tests.server.test_resuming import play_some, told_versions, versions


async def test_a_poll_that_may_not_wait_returns_at_once(server: Server) -> None:
    """Nothing is asked, and the answer says so, with a token for the next poll."""
    response = await poll(server, await server.register())
    assert not response.matches
    assert not response.finished
    assert not response.next_page_token
    assert response.resume_token


async def test_a_poll_returns_empty_at_the_end_of_its_wait(server: Server) -> None:
    """Not before, and not much later."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    await server.ready(bots[0], match_id)
    began = time.monotonic()
    response = await poll(server, bots[0], wait=Duration(nanos=300_000_000))
    assert time.monotonic() - began >= 0.3
    assert not response.matches


@pytest.fixture
def by_bells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers that start from now on look nothing up by themselves."""
    monkeypatch.setattr(hub, "RECONCILE_SECONDS", 3600)


@pytest.mark.usefixtures("by_bells_alone")
@pytest.mark.parametrize("place", ["the same server", "another server"])
async def test_a_poll_hears_at_once_what_is_done_anywhere(
    server: Server, other: Server, place: str
) -> None:
    """A new match, the deal, a move and an end wake it before anything is looked up by itself (T22)."""
    here, there = server, server if place == "the same server" else other
    bots = await server.team(2)
    token = ""

    async def woken() -> pb.ListDecisionsResponse:
        nonlocal token
        async with asyncio.timeout(PATIENCE):
            response = await call
        token = response.resume_token
        return response

    call = waiting(here, bots[0])
    await is_waiting(here, bots[0])
    match_id = await there.create(*bots)
    (update,) = (await woken()).matches
    assert (update.match_id, update.status) == (match_id, match_pb2.MATCH_STATUS_WAITING)
    assert update.match.match_id == match_id

    await here.ready(bots[0], match_id)
    call = waiting(here, bots[0], resume_token=token)
    await is_waiting(here, bots[0])
    await there.ready(bots[1], match_id)
    update = await there.position(bots[1], match_id)
    while update.HasField("decision"):
        await there.play(bots[1], update)
        update = await there.position(bots[1], match_id)
    (update,) = (await woken()).matches
    assert update.decision.options

    moved = update
    while moved.HasField("decision"):
        await here.play(bots[0], moved)
        moved = await here.position(bots[0], match_id)
    call = waiting(here, bots[0], resume_token=token)
    await is_waiting(here, bots[0])
    await there.resign(bots[1], match_id)
    response = await woken()
    (finished,) = response.finished
    assert (finished.match_id, finished.seat) == (match_id, 0)
    assert finished.events[0].version == update.version + 1
    assert finished.result == (await server.match(match_id)).result


async def test_what_is_asked_comes_again_until_it_is_answered(
    server: Server, other: Server
) -> None:
    """A question is in each poll, whatever was told before, and on any server; the answer ends that (T24)."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    token = ""
    for place in (server, other, server):
        response = await poll(place, bots[0], resume_token=token, wait=LONG)
        assert [each.match_id for each in response.matches] == [match_id]
        token = response.resume_token
    await server.ready(bots[0], match_id)
    for place in (server, other):
        assert not (await poll(place, bots[0], resume_token=token)).matches


async def test_an_end_comes_again_until_the_bot_says_that_it_was_told(
    server: Server, other: Server
) -> None:
    """A lost answer is no lost end: only the token of an answer that had it ends its coming (T1, T4)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    token = (await poll(server, bots[0])).resume_token
    await server.resign(bots[1], match_id)
    for place in (server, other):
        response = await poll(place, bots[0], resume_token=token, wait=LONG)
        assert [each.match_id for each in response.finished] == [match_id]
    for place in (server, other):
        again = await poll(place, bots[0], resume_token=response.resume_token)
        assert not again.finished


async def test_a_poll_that_is_answered_while_the_server_stops_forgets_no_end(
    server: Server, other: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it could not look at any more is told by the next poll, at another server (T4, T21)."""
    bots = await server.team(2)
    over = await server.deal(*bots)
    token = (await poll(server, bots[0])).resume_token
    await server.resign(bots[1], over)
    await server.stores.bots.end_match([bot.bot_id for bot in bots], over)
    asked = await server.create(*bots)
    played = BotStore.played

    async def drained(store: BotStore, bot_id: str, match_ids: Collection[str]) -> set[str]:
        found = await played(store, bot_id, match_ids)
        if store is server.stores.bots:
            server.app._polls.drain()
        return found

    monkeypatch.setattr(BotStore, "played", drained)
    response = await poll(server, bots[0], resume_token=token, wait=LONG)
    assert [each.match_id for each in response.matches] == [asked]
    again = await poll(other, bots[0], resume_token=response.resume_token)
    told = [*response.finished, *again.finished]
    assert [each.match_id for each in told] == [over]


@pytest.mark.parametrize("counted", [False, True], ids=["", "counted"])
async def test_an_end_that_was_counted_meanwhile_is_told_all_the_same(
    server: Server,
    other: Server,
    counted: bool,  # noqa: FBT001
) -> None:
    """A match that has left the bot's live ones is known by the token alone, and forgotten once told (T4)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    token = (await poll(server, bots[0])).resume_token
    await server.resign(bots[1], match_id)
    if counted:
        await server.stores.bots.end_match([bot.bot_id for bot in bots], match_id)
    response = await poll(other, bots[0], resume_token=token, wait=LONG)
    assert [each.match_id for each in response.finished] == [match_id]
    for _ in range(3):
        response = await poll(server, bots[0], resume_token=response.resume_token)
        assert not response.finished
    await server.stores.bots.end_match([bot.bot_id for bot in bots], match_id)
    for _ in range(2):
        response = await poll(server, bots[0], resume_token=response.resume_token)
        assert not response.finished
    assert response.resume_token == (await poll(server, await server.register())).resume_token


async def test_old_ends_keep_nobody_from_waiting_who_brings_no_token(server: Server) -> None:
    """Who ignores the token still waits for what comes, and is told ends while matches are live ones."""
    bots = await server.team(2)
    old, match_id = await server.deal(*bots), await server.create(*bots)
    await server.ready(bots[0], match_id)
    await server.resign(bots[1], old)
    call = waiting(server, bots[0])
    await is_waiting(server, bots[0])
    assert not call.done()
    await server.resign(bots[1], match_id)
    assert {each.match_id for each in (await call).finished} == {old, match_id}


async def test_a_poll_brings_the_events_since_the_last_one(server: Server, other: Server) -> None:
    """Without a token there are none; with one all since it, on any server (T22, T24)."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    seen = await play_some(server, bots, match_id, 3)
    first = await poll(server, bots[0])
    assert not [event for update in first.matches for event in update.events]
    version = await play_some(server, bots, match_id, 6)
    while not (await server.position(bots[0], match_id)).HasField("decision"):
        version = await play_some(server, bots, match_id, 1)
    for place in (server, other):
        (update,) = (await poll(place, bots[0], resume_token=first.resume_token)).matches
        assert update.version == version
        assert versions(update.events) == list(range(seen + 1, version + 1))


async def test_a_bot_may_poll_another_server_each_time(server: Server, other: Server) -> None:
    """A whole match over polls of two servers in turn: no version is missed, none comes twice (T22, T31)."""
    bots = await server.team(2)
    async with (
        by_polls(server, bots[0], places=(server, other)) as hers,
        by_polls(other, bots[1], places=(other, server)) as his,
    ):
        match_id = await server.create(*bots)
        async with asyncio.timeout(60):
            await asyncio.gather(play_out(hers, match_id), play_out(his, match_id))
        version = (await server.match(match_id)).version
        for stream in (hers, his):
            assert told_versions(stream) == list(range(3, version + 1))
            assert (await stream.finish()).count("match_finished") == 1


async def test_a_long_list_comes_in_pages(server: Server) -> None:
    """Questions and ends together, each once, and every page but the last names the next one (T18)."""
    bots = await server.team(2)
    ended = {await server.create(*bots) for _ in range(3)}
    open_ = {await server.create(*bots) for _ in range(4)}
    for match_id in ended:
        await server.resign(bots[1], match_id)
    pages = [await poll(server, bots[0], page_size=2)]
    while pages[-1].next_page_token:
        last = pages[-1]
        page = await poll(
            *(server, bots[0]),
            wait=LONG,
            page_size=2,
            page_token=last.next_page_token,
            resume_token=last.resume_token,
        )
        pages.append(page)
    assert [len(page.matches) + len(page.finished) for page in pages] == [2, 2, 2, 1]
    assert sorted(each.match_id for page in pages for each in page.matches) == sorted(open_)
    assert sorted(each.match_id for page in pages for each in page.finished) == sorted(ended)
    assert not (await poll(server, bots[0], resume_token=pages[-1].resume_token)).finished


async def test_the_page_after_the_last_does_not_wait(server: Server) -> None:
    """A page whose matches were answered meanwhile is empty and comes at once."""
    bots = await server.team(2)
    match_ids = [await server.create(*bots) for _ in range(2)]
    first = await poll(server, bots[0], page_size=1)
    for match_id in match_ids:
        await server.ready(bots[0], match_id)
    page = await poll(server, bots[0], page_token=first.next_page_token, wait=LONG)
    assert not page.matches
    assert not page.next_page_token
