"""PlayService on the wire."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from shoal.server.auth import current_caller
from shoal.server.errors import malformed
from shoal.server.play.playing import Playing
from shoal.server.services.arrival import arrival
from shoal.server.services.outgoing import Context, Outgoing
from shoal.server.services.play_stream import PlayStream, Requests
from shoal.server.services.polled import after_of, decisions_response
from shoal.server.services.requests import (
    client_of,
    offer_of,
    page_size_of,
    poller_of,
    wait_of,
)
from shoal.server.services.updates import receipt_message
from shoal.server.store.bots import BotStore
from shoal.server.streams.polls import Polls
from shoal.server.streams.resume import read_token
from shoal.server.streams.session import Guest, Session
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
        polls: Polls,
        bots: BotStore,
        *,
        version: str,
    ) -> None:
        """Serve with these; `version` is the server's own."""
        self._playing = playing
        self._sessions = sessions
        self._polls = polls
        self._bots = bots
        self._outgoing = Outgoing(sessions, version)

    # The generated base knows only generators; writing to the context is what grpc.aio has for the rest.
    async def Play(self, requests: Requests, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """Carry all matches of a bot on one stream."""
        current_caller().playing()
        hello = await _first_hello(requests)
        async with self._hosted(hello, context) as (session, tasks):
            stream = PlayStream(session, self._playing, tasks)
            reader = tasks.create_task(stream.read(requests))
            try:
                await self._outgoing.write_updates(session, context)
            finally:
                # Also when the client is gone: what is on its way to the store must find nobody to answer to.
                stream.close()
                reader.cancel()

    async def Watch(self, request: pb.WatchRequest, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """Tell a bot all that a Play stream would, and take nothing in."""
        async with self._hosted(request.hello, context) as (session, _):
            await self._outgoing.write_updates(session, context)

    async def PlayMove(self, request: pb.PlayMoveRequest, _: Context) -> pb.PlayMoveResponse:  # noqa: N802
        """Answer a decision."""
        receipt = await self._playing.play(
            current_caller().playing(),
            request.match_id,
            request.decision_id,
            request.option_id,
            arrival(),
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

    # What goes out is joined from bytes, as on a stream.
    async def ListDecisions(self, request: pb.ListDecisionsRequest, _: Context) -> bytes:  # type: ignore[override]  # noqa: N802
        """Return what is asked of a bot, and the ends that it has not heard of, when there is something."""
        caller = current_caller()
        guest = Guest(caller.playing(), "", caller.token_id)
        offer, before = poller_of(request), read_token(request.resume_token)
        wait, size = wait_of(request.wait), page_size_of(request.page_size)
        after = after_of(request.page_token)
        async with self._polls.look(guest, offer, before, 0 if after else wait) as poll:
            tables, last = poll.page(size, after)
            await self._polls.recall(poll, tables)
            return decisions_response(poll, tables, last)

    @asynccontextmanager
    async def _hosted(
        self, hello: pb.Hello, context: Context
    ) -> AsyncIterator[tuple[Session, asyncio.TaskGroup]]:
        """Open the caller's stream and keep it true to the store; the group ends with it.

        Raise Refusal for a caller that plays for no bot, and for a bad hello.
        """
        caller = current_caller()
        bot_id = caller.playing()
        offer = offer_of(hello)
        bot = await self._bots.get(bot_id)
        guest = Guest(bot_id, "" if bot is None else bot.name, caller.token_id)
        async with self._sessions.open(guest, offer) as session:
            log.info(
                "stream_opened",
                bot=bot_id,
                bot_version=hello.bot_version,
                client=client_of(context.invocation_metadata()),
            )
            async with asyncio.TaskGroup() as tasks:
                keeper = tasks.create_task(self._sessions.keep(session, offer))
                yield session, tasks
                keeper.cancel()


async def _first_hello(requests: Requests) -> pb.Hello:
    """Return what the first message of a stream says; raise Refusal, also when it does not come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await anext(aiter(requests), None)
    except TimeoutError:
        raise malformed("hello", f"did not come within {HELLO_SECONDS:.0f} s") from None
    if first is None or not first.HasField("hello"):
        raise malformed("hello", "the first message of a stream must have it")
    if first.moves or first.ready or first.resignations:
        raise malformed("hello", "the first message of a stream has nothing else")
    return first.hello
