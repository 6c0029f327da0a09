"""Bad input on every rpc is answered with its typed error, and changes nothing."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import MethodDescriptor

from shoal.competition.specification import Entry
from shoal.server.store import new_id
from shoal.server.store.competition_nouns import State
from shoal.server.store.launcher import launch_redis
from shoal.v1 import bot_service_pb2 as bots
from shoal.v1 import challenge_service_pb2 as challenges
from tests.server.dump import dump
from tests.server.refusals import CASES, CODES, METADATA, Case, World
from tests.server.refusals.ladders import LADDER
from tests.server.rpcs import METHODS, Refused, refused
from tests.server.support import Bot, Server, bearer, new_name, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANY_RPC = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A server on a Redis of its own, with bots, and with matches in every phase."""
    with launch_redis(tmp_path_factory.mktemp("refusals")) as redis:
        async with serving(redis.url) as server:
            yield await make_world(server)


async def make_world(server: Server) -> World:
    """Make the bots and matches that the bad calls are about."""
    anna, bert = await server.team(2)
    used = str(uuid.uuid4())
    await server.make_ladder(LADDER, seats=(2, 3, 4))
    await server.resign(anna, await server.create(anna, bert, request_id=used))
    async with server.asking(anna, bert) as question:
        mover = question.asked
        await question.stream.move(question.update)
        asked, live = mover, await server.position(mover, question.match_id)
        if not live.HasField("decision"):
            asked, live = question.other, await server.position(question.other, question.match_id)
    waiter = bert if asked is anna else anna
    finished = await server.deal(anna, bert)
    await server.resign(asked, finished)
    return World(
        server=server,
        asked=asked,
        waiter=waiter,
        mover=mover,
        stranger=await server.register(),
        live=live,
        first=question.update,
        waiting=await server.create_waiting(anna, bert, ready_ms=600_000),
        finished=finished,
        used=used,
        admin=await server.admin(),
        cup=await server.make_tournament(entry=Entry(invited=(new_id(), new_id()))),
        over=await server.make_tournament(state=State.FINISHED),
        pending=await challenged(server, anna, bert),
        declined=await challenged(server, anna, await server.register()),
    )


async def challenged(server: Server, bot: Bot, other: Bot) -> str:
    """Challenge a bot with another."""
    request = challenges.CreateChallengeRequest(bot_ids=[bot.bot_id, other.bot_id])
    made = await server.challenges.CreateChallenge(request, metadata=bot.metadata)
    return str(made.challenge.challenge_id)


async def changing_nothing(world: World, call: Callable[[], Awaitable[Refused]]) -> Refused:
    """Make a call that must leave the store as it is."""
    pipe = world.server.stores.pipe
    before = await dump(pipe)
    answer = await call()
    assert await dump(pipe) == before
    return answer


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_bad_call_gets_its_typed_error(world: World, case: Case) -> None:
    """Code, reason, metadata and the offending field are those of the table; nothing changes (T2).

    But for an illegal option, which is counted: tests/server/test_illegal.py.
    """
    data = case.make(world).SerializeToString()

    async def call() -> Refused:
        metadata = world.metadata(case.caller)
        return await refused(world.server.channel, METHODS[case.rpc], [data], metadata)

    answer = await (call() if case.reason == "ILLEGAL_OPTION" else changing_nothing(world, call))
    assert (answer.reason, answer.code) == (case.reason, CODES[case.reason])
    assert METADATA.get(case.reason, set()) <= answer.metadata.keys()
    assert answer.fields == ((case.field,) if case.field else ())
    assert answer.retry_seconds is None
    assert not answer.request_id


@ANY_RPC
async def test_every_rpc_is_in_the_table(method: MethodDescriptor) -> None:
    """An rpc whose bad calls nobody has thought about fails here."""
    assert f"{method.containing_service.name}.{method.name}" in {case.rpc for case in CASES}


@ANY_RPC
@pytest.mark.parametrize(
    "header",
    [
        "Bearer shoal",
        "Bearer ",
        "Bearer shoal_" + "0" * 30 + "_" + "0" * 64,
        "Basic YTpi",
        "",
    ],
    ids=["nonsense", "empty", "unknown", "another scheme", "no scheme"],
)
async def test_a_bad_token_is_refused_whatever_is_called(
    world: World, method: MethodDescriptor, header: str
) -> None:
    """A token that is not good is worse than none, even where none is needed (T30)."""
    answer = await changing_nothing(
        world,
        lambda: refused(world.server.channel, method, [b""], (("authorization", header),)),
    )
    assert (answer.reason, answer.code) == ("TOKEN_INVALID", grpc.StatusCode.UNAUTHENTICATED)


@ANY_RPC
async def test_the_token_of_another_secret_is_refused(
    world: World, method: MethodDescriptor
) -> None:
    """The id of a real token with another secret is no token."""
    token = world.asked.token[:-1] + ("0" if world.asked.token[-1] != "0" else "1")
    answer = await refused(world.server.channel, method, [b""], bearer(token))
    assert answer.reason == "TOKEN_INVALID"


@ANY_RPC
async def test_bytes_that_are_no_message_are_malformed(
    world: World, method: MethodDescriptor
) -> None:
    """Undecodable bytes are the caller's fault and not UNKNOWN."""
    answer = await changing_nothing(
        world,
        lambda: refused(world.server.channel, method, [b"\xff\xff\xff"], world.asked.metadata),
    )
    assert (answer.reason, answer.code) == ("MALFORMED", grpc.StatusCode.INVALID_ARGUMENT)


@ANY_RPC
async def test_a_message_that_is_too_large_is_refused(
    world: World, method: MethodDescriptor
) -> None:
    """More than 256 KiB are not taken in, even if they would decode, and the answer says why."""
    unknown_field = b"\xfa\x3f" + b"\x80\x80\x10" + bytes(256 * 1024)
    answer = await changing_nothing(
        world,
        lambda: refused(world.server.channel, method, [unknown_field], world.asked.metadata),
    )
    assert (answer.reason, answer.code) == (
        "MESSAGE_TOO_LARGE",
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )


async def test_a_huge_message_is_refused_unread(world: World) -> None:
    """What is larger than even a refusal is worth is RESOURCE_EXHAUSTED all the same."""
    path = "/shoal.v1.BotService/GetBot"
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await world.server.channel.unary_unary(path)(bytes(5 * 1024 * 1024))
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_revoked_token_is_told_so(world: World) -> None:
    """A token that was revoked gets an answer of its own, so that a kit stops trying."""
    server = world.server
    bot = await server.register()
    await server.stores.tokens.revoke(bot.token.split("_")[1])
    request = bots.RegisterBotRequest(name=new_name()).SerializeToString()
    answer = await refused(
        server.channel, METHODS["BotService.RegisterBot"], [request], bot.metadata
    )
    assert (answer.reason, answer.code) == ("TOKEN_REVOKED", grpc.StatusCode.UNAUTHENTICATED)
