"""A thin client asks for a match of which nobody speaks any more, and takes one that is gone for void."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from shoal.client import pb
from shoal.client.channel import Address, open_channel
from shoal.server.chaos import lookup
from shoal.server.chaos.journal import End, Journal
from shoal.server.chaos.lookup import LookUp
from shoal.server.chaos.policy import Policy
from shoal.server.chaos.raw_bot import RawBot
from shoal.server.chaos.talk import Talk, WayIn
from shoal.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)
from shoal.v1.play_service_pb2_grpc import PlayServiceServicer, add_PlayServiceServicer_to_server
from tests.faults.cases import MATCH

TOKEN = "shoal_bot_" + "0" * 30
PATIENCE: Final = 60.0
NOT_FOUND: Final = grpc.StatusCode.NOT_FOUND


class Forgetful(PlayServiceServicer):
    """Has no match for anybody, and is there for ever."""

    NOTHING = (pb.Update(snapshot=pb.Snapshot()),)

    async def Play(  # noqa: N802 - gRPC's name
        self, _requests: object, _context: object
    ) -> AsyncIterator[pb.PlayResponse]:
        yield pb.PlayResponse(updates=self.NOTHING)
        await asyncio.Event().wait()

    async def Watch(  # noqa: N802
        self, _request: object, _context: object
    ) -> AsyncIterator[pb.WatchResponse]:
        yield pb.WatchResponse(updates=self.NOTHING)
        await asyncio.Event().wait()

    async def ListDecisions(  # noqa: N802
        self, _request: object, _context: object
    ) -> pb.ListDecisionsResponse:
        return pb.ListDecisionsResponse()


class Archive(MatchServiceServicer):
    """Answers GetMatch with these in turn, and then again and again with the last of them."""

    def __init__(self, *answers: tuple[grpc.StatusCode, str] | pb.MatchStatus.ValueType) -> None:
        self.answers = [*answers]
        self.asked = 0

    async def GetMatch(  # noqa: N802
        self, request: pb.GetMatchRequest, context: grpc.aio.ServicerContext
    ) -> pb.GetMatchResponse:
        self.asked += 1
        told = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(told, tuple):
            code, reason = told
            status = Status(code=code.value[0])
            if reason:
                status.details.add().Pack(ErrorInfo(reason=reason, domain="shoal"))
            trailer = ("grpc-status-details-bin", status.SerializeToString())
            await context.abort(code, "no", (trailer,))
        match = pb.Match(match_id=request.match_id, status=told)
        match.result.termination = pb.TERMINATION_TARGET
        return pb.GetMatchResponse(match=match)


@asynccontextmanager
async def serving(archive: Archive) -> AsyncIterator[str]:
    """A server that has no matches but those of the archive; gives its address."""
    server = grpc.aio.server()
    add_PlayServiceServicer_to_server(Forgetful(), server)  # type: ignore[no-untyped-call]
    add_MatchServiceServicer_to_server(archive, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what does not come."""
    monkeypatch.setattr(lookup, "PATIENCE", 0.01)
    monkeypatch.setattr(lookup, "QUIET", 0.0)


async def ended(journal: Journal) -> None:
    """Return when the match has an end."""
    async with asyncio.timeout(PATIENCE):
        while MATCH not in journal.ends:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("way", WayIn)
async def test_a_match_that_the_service_has_no_more_is_void(journal: Journal, way: WayIn) -> None:
    """It went while the bot had no connection: docs/api.md, Endings."""
    journal.begins(MATCH)
    async with serving(Archive((NOT_FOUND, "NOT_FOUND"))) as address:
        bot = RawBot(address, TOKEN, journal, Policy(seed=1), way)
        running = asyncio.create_task(bot.run(1, asyncio.Event()))
        await ended(journal)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    void = End(pb.TERMINATION_VOID, (), pb.VOID_REASON_LOST_MOVES)
    assert journal.ends[MATCH] == [void]
    assert MATCH in journal.voided


async def test_only_the_service_itself_says_that_a_match_is_gone(journal: Journal) -> None:
    """Nor a server without its store, nor whoever else is on the way: it is asked again."""
    unsure = (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    archive = Archive(unsure, (NOT_FOUND, ""), (NOT_FOUND, "NOT_FOUND"))
    await looked_up(journal, archive)
    assert archive.asked == 3
    assert [each.termination for each in journal.ends[MATCH]] == [pb.TERMINATION_VOID]


@pytest.mark.parametrize("status", [pb.MATCH_STATUS_LIVE, pb.MATCH_STATUS_FINISHED])
async def test_an_end_that_was_looked_up_was_not_told(
    journal: Journal, status: pb.MatchStatus.ValueType
) -> None:
    """The service has to tell it, and is found out if it does not."""
    archive = Archive(status)
    await looked_up(journal, archive)
    assert archive.asked == 1
    assert not journal.ends


async def test_nobody_asks_for_what_a_stream_brings_or_what_is_over(journal: Journal) -> None:
    archive = Archive((NOT_FOUND, "NOT_FOUND"))
    await looked_up(journal, archive, MATCH)
    assert not journal.ends
    journal.ends_with(MATCH, pb.MatchResult(termination=pb.TERMINATION_TARGET))
    await looked_up(journal, archive)
    assert archive.asked == 0


async def looked_up(journal: Journal, archive: Archive, *brought: str) -> None:
    """Let a bot that has a match get a snapshot with these, and do all that comes of it."""
    journal.begins(MATCH)
    snapshot = pb.Snapshot(matches=[pb.MatchUpdate(match_id=each) for each in brought])
    async with (
        serving(archive) as address,
        open_channel(Address.parse(address)) as channel,
        Talk(channel, TOKEN) as talk,
    ):
        LookUp(journal, talk).brought(snapshot)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*talk.tasks)
