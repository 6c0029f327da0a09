"""Matches that were taken out of Redis are read from the archive, or a typed error says where they are."""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from shoal.server.store import keys, launch_redis, new_id
from shoal.server.store.archive import Archive
from shoal.server.stores import Stores, open_stores
from shoal.v1 import match_service_pb2 as matches
from shoal.v1 import play_service_pb2 as plays
from tests.server.archiving import archiving, taken_out
from tests.server.polling import poll
from tests.server.rpcs import read_error
from tests.server.support import Server, serving, serving_on
from tests.server.test_records import play_to_the_end


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    """A Redis of its own, whose matches are read from an archive too."""
    with launch_redis(tmp_path / "redis") as redis:
        async with open_stores(redis.url, Archive(tmp_path / "archive")) as opened:
            yield opened


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
async def here(stores: Stores) -> AsyncIterator[Server]:
    """A server that can read the archive."""
    async with serving_on(stores) as running:
        yield running


async def watched(server: Server, match_id: str) -> matches.SpectateMatchResponse:
    """Return what a spectator is told who comes after the end."""
    request = matches.SpectateMatchRequest(match_id=match_id, since_version=1)
    return [answer async for answer in server.matches.SpectateMatch(request)][-1]


async def test_what_was_taken_out_is_told_as_before(
    here: Server, stores: Stores, archive: Archive
) -> None:
    """The match, its record, what a spectator saw; by the server that had it at hand, and another (T96)."""
    record = await play_to_the_end(here, resign=True)
    match_id = record.match.match_id
    match, seen = await here.match(match_id), await watched(here, match_id)
    async with archiving(stores, archive):
        await taken_out(stores, match_id)
    async with serving_on(stores) as fresh:
        for server in (here, fresh):
            assert await server.record(match_id) == record
            assert await server.match(match_id) == match
            assert (await watched(server, match_id)).events == seen.events
        assert not (await fresh.matches.ListMatches(matches.ListMatchesRequest())).matches
        seat = record.match.seats[0].bot_id
        of_bot = matches.ListMatchesRequest(bot_id=seat)
        assert not (await fresh.matches.ListMatches(of_bot)).matches


async def test_a_server_without_the_archive_says_where_it_is(
    here: Server, stores: Stores, archive: Archive, tmp_path: Path
) -> None:
    """Of whatever is as old as what was taken out; what is younger is not there."""
    match_id = (await play_to_the_end(here, resign=True)).match.match_id
    async with archiving(stores, archive):
        await taken_out(stores, match_id)
    async with serving(f"unix://{tmp_path}/redis/redis.sock") as blind:
        for ask in (blind.match, blind.record):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask(match_id)
            error = read_error(caught.value)
            assert (error.reason, error.code) == (
                "MATCH_ARCHIVED",
                grpc.StatusCode.FAILED_PRECONDITION,
            )
            assert error.metadata == {"place": archive.place}
            assert archive.place.endswith(f":{tmp_path}/archive")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await blind.match(new_id(keys.partition_of(match_id)))
        assert read_error(caught.value).reason == "NOT_FOUND"


async def test_a_file_that_is_broken_is_said_to_be(
    here: Server, stores: Stores, archive: Archive
) -> None:
    """And is no reason to say that there never was such a match."""
    match_id = (await play_to_the_end(here, resign=True)).match.match_id
    async with archiving(stores, archive):
        await taken_out(stores, match_id)
    path = archive.path(match_id)
    path.write_bytes(path.read_bytes()[:-20])
    async with serving_on(stores) as fresh:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await fresh.match(match_id)
        error = read_error(caught.value)
        assert error.reason == "MATCH_ARCHIVED"
        assert path.name in error.metadata["place"]


async def test_what_never_was_is_not_found(here: Server, stores: Stores, archive: Archive) -> None:
    """Also where it would be old enough to be in the archive."""
    never = new_id(7)
    bots = await here.team(2)
    ids = []
    for _ in range(200):  # until one is in the partition of that id
        ids.append(await here.create(*bots))
        await here.resign(bots[0], ids[-1])
        if keys.partition_of(ids[-1]) == 7:
            break
    async with archiving(stores, archive):
        await taken_out(stores, *ids)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await here.match(never)
    assert read_error(caught.value).reason == "NOT_FOUND"


async def test_a_request_that_is_sent_again_makes_no_second_match(
    here: Server, stores: Stores, archive: Archive
) -> None:
    """The same request_id leads to the match that was made, though the store knows nothing of it."""
    bots = await here.team(2)
    request_id = str(uuid.uuid4())
    match_id = await here.create(*bots, request_id=request_id)
    await here.resign(bots[0], match_id)
    async with archiving(stores, archive):
        await taken_out(stores, match_id)
    assert await here.create(*bots, request_id=request_id) == match_id
    assert not await stores.pipe.command("EXISTS", keys.match(match_id))


async def test_a_bot_that_polls_hears_an_end_that_is_in_the_archive(
    here: Server, stores: Stores, archive: Archive
) -> None:
    """However late it comes, if it has not heard it before (T4)."""
    bots = await here.team(2)
    match_id = await here.deal(*bots)
    token = (await poll(here, bots[0])).resume_token
    await here.resign(bots[1], match_id)
    async with archiving(stores, archive):
        await taken_out(stores, match_id)
    answer: plays.ListDecisionsResponse = await poll(here, bots[0], resume_token=token)
    assert [each.match_id for each in answer.finished] == [match_id]
    again = await poll(here, bots[0], resume_token=answer.resume_token)
    assert not again.finished
