"""One connection of a thin client: what is written and read there, and the tasks that live with it."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Coroutine
from contextlib import suppress
from enum import StrEnum, unique
from types import TracebackType
from typing import Any, Final, Self, TypeAlias, final

import grpc
from google.protobuf.duration_pb2 import Duration

from shoal.client import pb
from shoal.client.channel import metadata
from shoal.client.outbox import Outbox
from shoal.v1.match_service_pb2_grpc import MatchServiceStub
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

PlayCall: TypeAlias = "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"
WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[pb.WatchRequest, pb.WatchResponse]"

SILENCE: Final = 7.0
"""Seconds without a message after which a stream is dead: fewer than the limit of a decision, so that what
falls silent costs no strike."""

POLL_SECONDS: Final = 2.0
"""How long a poll waits for something."""

ONE_CALL: Final = 3.0
"""Seconds that a unary call may take beyond its waiting."""

THINKING_SECONDS: Final = 0.05
"""After so long a bot that still thinks polls all the same: others may ask it something too."""


@unique
class WayIn(StrEnum):
    """How a bot hears what it is asked, and how it answers."""

    PLAY = "Play"
    """All on one stream."""

    PLAY_MOVE = "Play and PlayMove"
    """The same, but moves are unary calls."""

    WATCH = "Watch and PlayMove"
    """A stream that only tells; all else are unary calls."""

    POLL = "ListDecisions and PlayMove"
    """Unary calls alone."""


@final
class Talk:
    """A channel and what goes on there; enter it, and leave it to end all of that.

    What one of its tasks raises interrupts whoever has entered it, and comes out of it in an ExceptionGroup:
    a bot that answers no more without a word would look like one that is prompt.
    """

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        """Talk on a channel as the bot of a token."""
        self.stub = PlayServiceStub(channel)
        self.matches = MatchServiceStub(channel)
        self.outbox = Outbox()
        self.metadata = metadata(token)
        self.tasks: set[asyncio.Task[None]] = set()
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        """Begin."""
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all tasks; raise an ExceptionGroup of what they raised, if they did."""
        for task in self.tasks:
            task.cancel()
        # A group is for tasks: what the reader itself raises, as when the connection ends, leaves as it is.
        if isinstance(error, asyncio.CancelledError):
            await self._group.__aexit__(kind, error, trace)
        else:
            await self._group.__aexit__(None, None, None)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the reading, for as long as the talk lasts."""
        task = self._group.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def play(self, hello: pb.Hello, stop: asyncio.Event) -> AsyncIterator[pb.Update]:
        """Yield what a Play stream says; close our side when `stop` is set."""
        call: PlayCall = self.stub.Play(metadata=self.metadata)
        try:
            self.start(self._write(call, hello))
            self.start(self._close(stop))
            async for update in _updates(call):
                yield update
        finally:
            call.cancel()

    async def watch(self, hello: pb.Hello, stop: asyncio.Event) -> AsyncIterator[pb.Update]:
        """Yield what Watch says until `stop` is set."""
        request = pb.WatchRequest(hello=hello)
        call: WatchCall = self.stub.Watch(request, metadata=self.metadata)
        updates = _updates(call)
        stopping = asyncio.ensure_future(stop.wait())
        try:
            while True:
                following = asyncio.ensure_future(anext(updates))
                await asyncio.wait({following, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    following.cancel()
                    await asyncio.gather(following, return_exceptions=True)
                    return
                try:
                    yield following.result()
                except StopAsyncIteration:
                    return
        finally:
            stopping.cancel()
            call.cancel()

    async def poll(self, max_matches: int, resume_token: str) -> pb.ListDecisionsResponse:
        """Make a poll, of one page: what does not fit is asked by the next."""
        request = pb.ListDecisionsRequest(
            wait=Duration(seconds=int(POLL_SECONDS)),
            max_matches=max_matches,
            resume_token=resume_token,
            page_size=500,
        )
        return await self.stub.ListDecisions(
            request, metadata=self.metadata, timeout=POLL_SECONDS + ONE_CALL
        )

    async def think(self) -> None:
        """Return when everything is answered, but soon."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=THINKING_SECONDS)

    async def leave(self) -> None:
        """Open a stream and close it: else a bot that polls is taken to be there for half a minute more."""
        left = asyncio.Event()
        left.set()
        async for _ in self.play(pb.Hello(max_matches=1), left):
            pass

    async def _write(self, call: PlayCall, hello: pb.Hello) -> None:
        """Say hello, then whatever becomes ready."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.write(pb.PlayRequest(hello=hello))
            while (request := await self.outbox.take()) is not None:
                await call.write(request)
            await call.done_writing()

    async def _close(self, stop: asyncio.Event) -> None:
        """Close our side when the bot shall stop."""
        await stop.wait()
        self.outbox.close()


async def _updates(
    call: AsyncIterable[pb.PlayResponse | pb.WatchResponse],
) -> AsyncIterator[pb.Update]:
    """Yield what the server says until it ends the stream; raise TimeoutError when it falls silent."""
    responses = aiter(call)
    while True:
        async with asyncio.timeout(SILENCE):
            try:
                response = await anext(responses)
            except StopAsyncIteration:
                return
        for update in response.updates:
            yield update
