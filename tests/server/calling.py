"""A bot that says everything by plain calls, heard as a Play stream is; and Watch, on which it hears."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager

import grpc
from google.rpc.status_pb2 import Status

from shoal.v1 import play_service_pb2 as pb
from tests.server.rpcs import status_in
from tests.server.streams import Stream
from tests.server.support import Bot, Fields, Server


class Calling(Stream):
    """What a bot hears that says everything by plain calls."""

    def __init__(self, server: Server, bot: Bot) -> None:
        super().__init__(None)
        self.server = server
        self.bot = bot

    async def finish(self) -> list[str]:
        """Supersede the stream, and hear it to its end; return the kinds of all that was ever heard."""
        async with by_watch(self.server, self.bot):
            return await self.rest()

    async def say(
        self,
        *,
        moves: Iterable[pb.Move] = (),
        ready: Iterable[pb.ReadySignal] = (),
        resignations: Iterable[pb.ResignSignal] = (),
    ) -> None:
        """Make the call for each of these; its answer is heard as on a stream."""
        for move in moves:
            await self._move(move)
        for signal in ready:
            error = await self._refused(self.server.ready(self.bot, signal.match_id, signal.nonce))
            if error is not None:
                self._put_refused(signal.match_id, pb.SIGNAL_READY, error)
        for leaving in resignations:
            error = await self._refused(self.server.resign(self.bot, leaving.match_id))
            if error is not None:
                self._put_refused(leaving.match_id, pb.SIGNAL_RESIGN, error)

    async def _move(self, move: pb.Move) -> None:
        request = pb.PlayMoveRequest(
            match_id=move.match_id, decision_id=move.decision_id, option_id=move.option_id
        )
        result = pb.MoveResult(match_id=move.match_id, decision_id=move.decision_id)
        try:
            made = await self.server.plays.PlayMove(request, metadata=self.bot.metadata)
            result.receipt.CopyFrom(made.receipt)
        except grpc.aio.AioRpcError as error:
            result.error.CopyFrom(status_in(error))
        self.put(move_result=result)

    async def _refused(self, work: Awaitable[None]) -> Status | None:
        try:
            await work
        except grpc.aio.AioRpcError as error:
            return status_in(error)
        return None

    def _put_refused(self, match_id: str, signal: pb.Signal, error: Status) -> None:
        self.put(signal_refused=pb.SignalRefused(match_id=match_id, signal=signal, error=error))


@asynccontextmanager
async def by_watch(server: Server, bot: Bot, **hello: Fields) -> AsyncIterator[Stream]:
    """Come in by Watch, and answer by plain calls."""
    stream = Calling(server, bot)
    request = pb.WatchRequest(hello=pb.Hello(**{"max_matches": 1000, **hello}))
    stream.call = server.plays.Watch(request, metadata=bot.metadata)
    async with heard(stream):
        stream.snapshot = await stream.hear("snapshot")
        yield stream


@asynccontextmanager
async def heard(stream: Stream) -> AsyncIterator[None]:
    """Listen to a way in until it is left."""
    pump = asyncio.create_task(stream.pump())
    try:
        yield
    finally:
        pump.cancel()
        stream.call.cancel()
        await asyncio.wait([pump])
