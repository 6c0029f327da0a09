"""One stream of a bot, from Hello to its end. Connecting again is the business of `runner`."""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import TypeAlias

import grpc

from shoal.client import pb
from shoal.client.backoff import Backoff
from shoal.client.channel import metadata
from shoal.client.desk import Desk
from shoal.client.errors import ShoalError, StreamRefused, Superseded, TokenRefused
from shoal.client.kit import warn_if_old
from shoal.client.lost import find_lost
from shoal.client.servers import PATIENCE, first_answer
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

log = logging.getLogger("shoal.client")

Call: TypeAlias = "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"

_STOPPING = "the server is about to stop"

_GOODBYE = 2.0
"""Seconds that the server has to end a stream that we closed."""


@dataclass(frozen=True, slots=True)
class Broken:
    """How a stream ended that may be opened again.

    `after` are the seconds that the server asked us to stay away, if it did; `error` is what gRPC
    said.
    """

    why: str
    after: float | None = None
    error: ShoalError | None = None


class Stream:
    """A stream that carries all matches of the bot."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        token: str,
        desk: Desk,
        silence: float,
        *,
        elsewhere: bool = False,
    ) -> None:
        """Prepare; after `silence` seconds without any message the stream counts as dead.

        `elsewhere` says that another server can be asked: one that is about to stop is left at once, and one
        that takes no connection is not waited for.
        """
        self._elsewhere = elsewhere
        self._channel = channel
        self._metadata = metadata(token)
        self._desk = desk
        self._silence = silence
        self._clock = asyncio.get_running_loop().time
        self._limit = asyncio.timeout(silence)
        self._leave_at: float | None = None
        self._latest = float("inf")
        self._snapshot = asyncio.Event()
        self._missing: set[str] = set()

    async def run(self, hello: pb.Hello, stop: asyncio.Event) -> Broken | None:
        """Play until the stream ends; None when it did because of `stop`.

        Raises StreamRefused where opening it again would be of no use.
        """
        call: Call = PlayServiceStub(self._channel).Play(metadata=self._metadata)
        try:
            async with self._limit:
                outcome = await self._converse(call, hello, stop)
        except TimeoutError:
            outcome = Broken(f"no sign of life for {self._silence:g} s")
        finally:
            call.cancel()
        if stop.is_set():
            return None
        if isinstance(outcome, StreamRefused):
            raise outcome
        if self._leave_at is not None:
            return Broken(_STOPPING, max(0.0, self._leave_at - self._clock()))
        return outcome

    async def _converse(
        self, call: Call, hello: pb.Hello, stop: asyncio.Event
    ) -> Broken | StreamRefused:
        """Read and write until the stream ends, and return why it did."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._write(call, hello)),
                group.create_task(self._stop(stop)),
                group.create_task(self._ask_for_missing()),
            ]
            try:
                # A refused connection is left to the call, which says what was wrong.
                if self._elsewhere and await first_answer(self._channel) is None:
                    return Broken(f"no connection within {PATIENCE:g} s")
                return await self._read(call)
            except grpc.aio.AioRpcError as error:
                return _judge(ShoalError.from_rpc(error))
            finally:
                for task in tasks:
                    task.cancel()

    async def _read(self, call: Call) -> Broken | StreamRefused:
        # Not by `async for`: an iterator that is left before its end keeps call and connection alive until
        # the garbage collector finds them.
        while isinstance(response := await call.read(), pb.PlayResponse):
            self._limit.reschedule(min(self._clock() + self._silence, self._latest))
            for update in response.updates:
                end = self._hear(update)
                if end is not None:
                    return end
        return Broken("the stream ended without a StreamEnd")

    async def _write(self, call: Call, hello: pb.Hello) -> None:
        """Say hello; once the snapshot has said what is open, send whatever becomes ready."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.write(pb.PlayRequest(hello=hello))
            await self._snapshot.wait()
            while (request := await self._desk.outbox.take()) is not None:
                await call.write(request)
            await call.done_writing()

    async def _stop(self, stop: asyncio.Event) -> None:
        """When the run shall stop, close our side once everything has been sent."""
        await stop.wait()
        self._leave_by(self._clock() + _GOODBYE)
        self._desk.outbox.close()
        self._snapshot.set()

    async def _ask_for_missing(self) -> None:
        """Look for the matches that were ours and are not in the snapshot."""
        await self._snapshot.wait()
        await find_lost(self._channel, self._metadata, self._desk, self._missing)

    def _leave_by(self, moment: float) -> None:
        """Let the stream end at a moment at the latest, unless it is ending already."""
        self._latest = min(self._latest, moment)
        when = self._limit.when()
        if when is not None and not self._limit.expired():
            self._limit.reschedule(min(when, self._latest))

    def _hear(self, update: pb.Update) -> Broken | StreamRefused | None:
        """Take in one update; return why the stream ends if it says so."""
        match update.WhichOneof("kind"):
            case "snapshot":
                warn_if_old(update.snapshot)
                self._missing = self._desk.resume(update.snapshot)
                self._snapshot.set()
            case "match_update":
                self._desk.update(update.match_update)
            case "match_finished":
                self._desk.finish(update.match_finished)
            case "move_result":
                self._desk.note(update.move_result)
            case "signal_refused":
                self._desk.refuse(update.signal_refused)
            case "draining":
                after = update.draining.reconnect_after
                delay = Backoff().jitter(after.seconds + after.nanos / 1e9)
                if self._elsewhere:
                    return Broken(_STOPPING, delay)
                self._leave_at = self._clock() + delay
                self._leave_by(self._leave_at)
            case "stream_end":
                return _judge_end(update.stream_end.reason)
            case _:
                pass  # a heartbeat, or something newer than this kit
        return None


def _judge(error: ShoalError) -> Broken | StreamRefused:
    """Return whether a stream that ended with this error is worth opening again."""
    kinds: dict[grpc.StatusCode, type[StreamRefused]] = {
        grpc.StatusCode.UNAUTHENTICATED: TokenRefused,
        grpc.StatusCode.PERMISSION_DENIED: StreamRefused,
    }
    kind = kinds.get(error.code)
    if kind is None:
        return Broken(str(error), error.retry_after, error)
    return kind(error.code, error.reason, error.metadata, error.message)


def _judge_end(reason: pb.StreamEndReason.ValueType) -> Broken | StreamRefused:
    """Return whether a stream that ended for this reason is worth opening again."""
    if reason == pb.STREAM_END_REASON_SUPERSEDED:
        text = "another process plays as this bot now"
        return Superseded(grpc.StatusCode.ABORTED, "SUPERSEDED", {}, text)
    if reason == pb.STREAM_END_REASON_TOKEN_REVOKED:
        text = "the token was revoked"
        return TokenRefused(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED", {}, text)
    return Broken(f"the server ended the stream: {pb.StreamEndReason.Name(reason)}")
