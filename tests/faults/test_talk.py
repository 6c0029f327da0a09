"""A bot of the kit whose answering goes wrong says so, and takes nobody for a prompt bot."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from shoal.client import pb
from shoal.client.channel import Address, open_channel
from shoal.server.chaos.journal import Journal
from shoal.server.chaos.policy import Policy
from shoal.server.chaos.raw_bot import RawBot
from shoal.server.chaos.talk import Talk, WayIn
from shoal.v1.play_service_pb2_grpc import PlayServiceServicer, add_PlayServiceServicer_to_server
from tests.faults.cases import MATCH

TOKEN = "shoal_bot_" + "0" * 30


class Unanswerable(PlayServiceServicer):
    """Asks what has no answer, and is there for ever."""

    ASKS = pb.MatchUpdate(
        match_id=MATCH,
        version=1,
        status=pb.MATCH_STATUS_LIVE,
        decision=pb.Decision(decision_id="1.abc"),
    )

    async def Play(  # noqa: N802 - gRPC's name
        self, _requests: object, _context: object
    ) -> AsyncIterator[pb.PlayResponse]:
        yield pb.PlayResponse(updates=[pb.Update(match_update=self.ASKS)])
        await asyncio.Event().wait()

    async def Watch(  # noqa: N802
        self, _request: object, _context: object
    ) -> AsyncIterator[pb.WatchResponse]:
        yield pb.WatchResponse(updates=[pb.Update(match_update=self.ASKS)])
        await asyncio.Event().wait()

    async def ListDecisions(  # noqa: N802
        self, _request: object, _context: object
    ) -> pb.ListDecisionsResponse:
        return pb.ListDecisionsResponse(matches=[self.ASKS])


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """Such a server; gives its address."""
    server = grpc.aio.server()
    add_PlayServiceServicer_to_server(Unanswerable(), server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


@pytest.mark.parametrize("way", WayIn)
async def test_what_goes_wrong_in_an_answer_ends_the_bot(journal: Journal, way: WayIn) -> None:
    async with serving() as address:
        bot = RawBot(address, TOKEN, journal, Policy(seed=1), way)
        with pytest.raises(ExceptionGroup) as raised:
            await bot.run(1, asyncio.Event())
    assert raised.group_contains(ZeroDivisionError)


async def test_the_end_of_a_connection_is_no_failure_of_its_tasks() -> None:
    async def falls_silent(address: str) -> None:
        async with open_channel(Address.parse(address)) as channel, Talk(channel, TOKEN) as talk:
            talk.start(asyncio.sleep(600))
            raise TimeoutError

    async with serving() as address:
        with pytest.raises(TimeoutError):
            await falls_silent(address)
