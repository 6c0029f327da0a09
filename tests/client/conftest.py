"""A scripted server: a real grpc.aio server on a real socket that says what a test tells it to."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from shoal.client import pb
from shoal.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)
from shoal.v1.play_service_pb2_grpc import (
    PlayServiceServicer,
    add_PlayServiceServicer_to_server,
)


class Line:
    """The server's end of one stream."""

    def __init__(
        self, requests: AsyncIterator[pb.PlayRequest], context: grpc.aio.ServicerContext
    ) -> None:
        self.requests = requests
        self.context = context
        self.hello = pb.Hello()
        self.moves: list[pb.Move] = []
        self.ready: list[pb.ReadySignal] = []
        self.resignations: list[pb.ResignSignal] = []
        self.messages = 0

    async def say(self, **update: object) -> None:
        """Send one update, such as `heartbeat=pb.Heartbeat()`."""
        await self.context.write(pb.PlayResponse(updates=[pb.Update(**update)]))

    async def snapshot(self, *matches: pb.MatchUpdate) -> None:
        """Send the snapshot with these matches."""
        snapshot = pb.Snapshot(bot_id="b1", bot_name="tester", matches=matches)
        await self.say(snapshot=snapshot)

    async def hear(self) -> pb.PlayRequest:
        """Wait for the next message; raise StopAsyncIteration when the bot closed its side."""
        request = await anext(self.requests)
        self.messages += 1
        self.moves.extend(request.moves)
        self.ready.extend(request.ready)
        self.resignations.extend(request.resignations)
        return request

    async def hear_moves(self, count: int = 1) -> list[pb.Move]:
        """Wait until there were so many moves on this line."""
        while len(self.moves) < count:
            await self.hear()
        return self.moves

    async def accept(self, move: pb.Move) -> None:
        """Say that a move counts."""
        receipt = pb.MoveReceipt(option_id=move.option_id)
        result = pb.MoveResult(
            match_id=move.match_id, decision_id=move.decision_id, receipt=receipt
        )
        await self.say(move_result=result)

    async def finish(self, match_id: str = "m1", placement: int = 1) -> None:
        """Say that a match is over, with our seat at this place."""
        seats = [
            pb.SeatResult(seat=0, placement=placement),
            pb.SeatResult(seat=1, placement=3 - placement),
        ]
        result = pb.MatchResult(termination=pb.TERMINATION_TARGET, seats=seats)
        await self.say(match_finished=pb.MatchFinished(match_id=match_id, seat=0, result=result))

    async def until_closed(self) -> None:
        """Wait until the bot closes its side, and say goodbye."""
        async for request in self.requests:
            self.moves.extend(request.moves)
            self.ready.extend(request.ready)
        end = pb.StreamEnd(reason=pb.STREAM_END_REASON_CLIENT_CLOSED)
        await self.say(stream_end=end)


class Archive(MatchServiceServicer):
    """Says of every match that it is over, and that seat 0 won, once the `refusals` are used up."""

    def __init__(self) -> None:
        self.refusals: list[Status] = []

    async def GetMatch(  # noqa: N802
        self, request: pb.GetMatchRequest, context: grpc.aio.ServicerContext
    ) -> pb.GetMatchResponse:
        if self.refusals:
            await refuse(context, self.refusals.pop(0))
        match = pb.Match(match_id=request.match_id, status=pb.MATCH_STATUS_FINISHED)
        match.result.seats.add(seat=0, placement=1)
        return pb.GetMatchResponse(match=match)


NOTHING: Mapping[str, str] = MappingProxyType({})

Script: TypeAlias = Callable[[Line], Awaitable[None]]


class Scripted(PlayServiceServicer):
    """Plays one script for each stream, the last of them again and again."""

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        self.lines: list[Line] = []
        self.metadata: list[dict[str, str]] = []
        self.address = ""
        self.archive = Archive()

    async def Play(  # noqa: N802
        self,
        request_iterator: AsyncIterator[pb.PlayRequest],
        context: grpc.aio.ServicerContext,
    ) -> None:
        self.metadata.append(dict(context.invocation_metadata()))
        line = Line(aiter(request_iterator), context)
        script = self.scripts[min(len(self.lines), len(self.scripts) - 1)]
        self.lines.append(line)
        line.hello = (await anext(line.requests)).hello
        await script(line)


def status_of(
    code: grpc.StatusCode, reason: str = "", metadata: Mapping[str, str] = NOTHING
) -> Status:
    """Return a refusal as the server makes it; without a reason it is one of somebody else."""
    status = Status(code=code.value[0], message="no")
    if reason:
        status.details.add().Pack(ErrorInfo(reason=reason, domain="shoal", metadata=metadata))
    return status


async def refuse(context: grpc.aio.ServicerContext, status: Status) -> None:
    """End a call with a refusal."""
    trailer = ("grpc-status-details-bin", status.SerializeToString())
    context.set_trailing_metadata((trailer,))
    code = next(each for each in grpc.StatusCode if each.value[0] == status.code)
    await context.abort(code, status.message)


@pytest.fixture
async def server() -> AsyncIterator[Scripted]:
    """A scripted server on a free port."""
    scripted = Scripted()
    grpc_server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    add_PlayServiceServicer_to_server(scripted, grpc_server)
    add_MatchServiceServicer_to_server(scripted.archive, grpc_server)
    scripted.address = f"127.0.0.1:{grpc_server.add_insecure_port('127.0.0.1:0')}"
    await grpc_server.start()
    yield scripted
    await grpc_server.stop(0)


def match_update(
    match_id: str = "m1",
    *,
    version: int = 1,
    decision_id: str | None = "d1",
    status: pb.MatchStatus.ValueType = pb.MATCH_STATUS_LIVE,
) -> pb.MatchUpdate:
    """Return a match that asks for one of the options 1, 2, 3, of which 1 is the default."""
    update = pb.MatchUpdate(match_id=match_id, version=version, status=status, seat=0)
    update.match.match_id = match_id
    update.match.seats.extend([pb.Seat(seat=0), pb.Seat(seat=1)])
    if decision_id is not None:
        update.observation.seat = 0
        update.decision.decision_id = decision_id
        update.decision.default_option_id = 1
        update.decision.options.extend(
            pb.Option(option_id=option_id, end_turn=pb.EndTurn()) for option_id in (1, 2, 3)
        )
    return update
