"""PlayService on the wire."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import NoReturn

import structlog

from shoal.server.auth import current_caller
from shoal.server.errors import Reason, Refusal, malformed
from shoal.server.play.credits import Credits
from shoal.server.play.playing import Playing
from shoal.server.services.play_stream import Context, PlayStream, Requests
from shoal.server.services.requests import client_of, offer_of
from shoal.server.services.updates import receipt_message, snapshot_response
from shoal.server.store.bots import BotStore
from shoal.server.streams.session import Guest
from shoal.server.streams.sessions import Sessions
from shoal.v1 import play_service_pb2 as pb
from shoal.v1 import play_service_pb2_grpc

log = structlog.get_logger()

HELLO_SECONDS = 10.0
"""How long a stream may be open before it says who it is."""


class PlayService(play_service_pb2_grpc.PlayServiceServicer):
    """Playing, as the bot that the token belongs to."""

    def __init__(
        self,
        playing: Playing,
        sessions: Sessions,
        credit: Credits,
        bots: BotStore,
        version: str,
    ) -> None:
        """Serve with these; `version` is the server's own."""
        self._credits = credit
        self._playing = playing
        self._sessions = sessions
        self._bots = bots
        self._version = version

    # The generated base knows only generators; writing to the context is what grpc.aio has for the rest.
    async def Play(self, requests: Requests, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """Carry all matches of a bot on one stream."""
        caller = current_caller()
        bot_id = caller.playing()
        first = await _first_message(requests)
        if first is None or not first.HasField("hello"):
            raise malformed("hello", "the first message of a stream must have it")
        if first.moves or first.ready or first.resignations:
            raise malformed("hello", "the first message of a stream has nothing else")
        offer = offer_of(first.hello)
        bot = await self._bots.get(bot_id)
        name = "" if bot is None else bot.name
        guest = Guest(bot_id, name, caller.token_id)
        async with self._sessions.open(guest, offer) as session:
            log.info(
                "stream_opened",
                bot=bot_id,
                bot_version=first.hello.bot_version,
                client=client_of(context.invocation_metadata()),
            )
            await self._credits.make_good(session.tables.values(), bot_id, session.away_ms)
            await context.write(snapshot_response(session, self._version))
            async with asyncio.TaskGroup() as tasks:
                stream = PlayStream(session, self._sessions, self._playing, tasks)
                keeper = tasks.create_task(self._sessions.keep(session, offer))
                reader = tasks.create_task(stream.read(requests))
                await stream.write(context)
                stream.close()
                keeper.cancel()
                reader.cancel()

    async def PlayMove(self, request: pb.PlayMoveRequest, _: Context) -> pb.PlayMoveResponse:  # noqa: N802
        """Answer a decision."""
        receipt = await self._playing.play(
            current_caller().playing(),
            request.match_id,
            request.decision_id,
            request.option_id,
            time.monotonic(),
        )
        return pb.PlayMoveResponse(receipt=receipt_message(receipt))

    async def Ready(self, request: pb.ReadyRequest, _: Context) -> pb.ReadyResponse:  # noqa: N802
        """Say that the bot will play."""
        await self._playing.ready(current_caller().playing(), request.match_id, request.nonce)
        return pb.ReadyResponse()

    async def Resign(self, request: pb.ResignRequest, _: Context) -> pb.ResignResponse:  # noqa: N802
        """Leave a match."""
        await self._playing.resign(current_caller().playing(), request.match_id)
        return pb.ResignResponse()

    async def Watch(  # noqa: N802
        self,
        request: pb.WatchRequest,  # noqa: ARG002 - the generated names
        context: Context,  # noqa: ARG002
    ) -> AsyncIterator[pb.WatchResponse]:
        """Declared; follows."""
        raise Refusal(Reason.NOT_IMPLEMENTED, "Watch is not there yet: use Play")
        yield pb.WatchResponse()  # makes this the generator that it will be

    async def ListDecisions(  # noqa: N802
        self,
        request: pb.ListDecisionsRequest,  # noqa: ARG002 - the generated names
        _: Context,
    ) -> NoReturn:
        """Declared; follows."""
        raise Refusal(Reason.NOT_IMPLEMENTED, "ListDecisions is not there yet: use Play")


async def _first_message(requests: Requests) -> pb.PlayRequest | None:
    """Return the first message of a stream, None when it is closed before; raise Refusal in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            return await anext(aiter(requests), None)
    except TimeoutError:
        raise malformed("hello", f"did not come within {HELLO_SECONDS:.0f} s") from None
