"""A request that is repeated creates once, and a secret is shown once."""

import asyncio
import uuid

import grpc
import pytest

from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import match_service_pb2 as matches_pb
from tests.server.rpcs import read_error
from tests.server.support import Metadata, Server, new_name


def new_request_id() -> str:
    """Return a request_id of nobody."""
    return str(uuid.uuid4())


@pytest.mark.parametrize("known", [True, False], ids=["of an owner", "of anybody"])
async def test_a_bot_that_is_registered_again_is_the_same(
    server: Server,
    other: Server,
    known: bool,  # noqa: FBT001
) -> None:
    """The repeat, on another server, returns the bot without its token."""
    metadata: Metadata = (await server.register()).metadata if known else ()
    request = bots_pb.RegisterBotRequest(name=new_name(), request_id=new_request_id())
    first = await server.bots.RegisterBot(request, metadata=metadata)
    again = await other.bots.RegisterBot(request, metadata=metadata)
    assert again.bot == first.bot
    assert first.token
    assert not again.token


async def test_a_match_that_is_created_again_is_the_same(server: Server, other: Server) -> None:
    """The repeat, on another server, returns the match, and no bot has one more."""
    bots = await server.team(2)
    request_id = new_request_id()
    match_id = await server.create(*bots, request_id=request_id)
    assert await other.create(*bots, request_id=request_id) == match_id
    assert await matches_of(server, bots[0].bot_id) == [match_id]


async def test_a_request_that_comes_many_times_at_once_creates_once(
    server: Server, other: Server
) -> None:
    """Twenty of the same request over two servers make one match."""
    bots = await server.team(2)
    request_id = new_request_id()
    made = await asyncio.gather(
        *((server, other)[n % 2].create(*bots, request_id=request_id) for n in range(20))
    )
    assert len(set(made)) == 1
    assert await matches_of(server, bots[0].bot_id) == [made[0]]


async def test_a_finished_match_that_is_created_again_takes_no_place(server: Server) -> None:
    """A repeat that comes after the end does not put the match among the bots' live ones again (T32)."""
    bots = await server.team(2)
    request_id = new_request_id()
    match_id = await server.create(*bots, request_id=request_id)
    await server.resign(bots[0], match_id)
    await server.stores.bots.end_match([bot.bot_id for bot in bots], match_id)
    assert await server.create(*bots, request_id=request_id) == match_id
    assert await server.stores.bots.live_matches(bots[0].bot_id) == []


async def test_request_ids_belong_to_their_caller(server: Server) -> None:
    """Two owners may use the same request_id, and each gets a match of its own."""
    request_id = new_request_id()
    teams = [await server.team(2), await server.team(2)]
    made = {await server.create(*team, request_id=request_id) for team in teams}
    assert len(made) == 2


async def test_another_body_under_the_same_id_is_refused(server: Server) -> None:
    """A request_id stands for one body: another one is REQUEST_ID_REUSED, and creates nothing."""
    bots = await server.team(3)
    request_id = new_request_id()
    match_id = await server.create(*bots[:2], request_id=request_id)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.create(*bots, request_id=request_id)
    refused = read_error(caught.value)
    assert (refused.reason, refused.code) == (
        "REQUEST_ID_REUSED",
        grpc.StatusCode.INVALID_ARGUMENT,
    )
    assert await matches_of(server, bots[0].bot_id) == [match_id]


async def test_a_name_is_taken_once(server: Server, other: Server) -> None:
    """Of many bots that want one name at once, one gets it (T9)."""
    request = bots_pb.RegisterBotRequest(name=new_name())

    async def register(place: Server) -> str:
        try:
            await place.bots.RegisterBot(request)
        except grpc.aio.AioRpcError as error:
            return read_error(error).reason
        return "registered"

    answers = await asyncio.gather(*(register((server, other)[n % 2]) for n in range(10)))
    assert sorted(answers) == [*["NAME_TAKEN"] * 9, "registered"]


async def matches_of(server: Server, bot_id: str) -> list[str]:
    """Return the ids of all matches of a bot."""
    request = matches_pb.ListMatchesRequest(bot_id=bot_id)
    return [match.match_id for match in (await server.matches.ListMatches(request)).matches]


async def test_a_request_id_is_a_uuid_however_it_is_written(server: Server) -> None:
    """The same UUID in capitals is the same request."""
    request = bots_pb.RegisterBotRequest(name=new_name(), request_id=new_request_id())
    first = await server.bots.RegisterBot(request)
    request.request_id = request.request_id.upper()
    assert (await server.bots.RegisterBot(request)).bot == first.bot
