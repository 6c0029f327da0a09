"""What comes in on a Play stream: moves and signals are played, and their answers marked."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from functools import partial
from typing import TypeAlias, final

from shoal.server.errors import Reason, Refusal, malformed
from shoal.server.play.playing import Playing, Sent, receipt_of
from shoal.server.play.receipts import Receipt
from shoal.server.status import refusal_of
from shoal.server.store.commits import Conflict, Outcome
from shoal.server.streams.session import End, MoveResult, Session, Signal, SignalRefused
from shoal.v1 import play_service_pb2 as pb

MOST_IN_A_ROW = 50
"""After so many moves of one message everybody else has a turn, so that nobody is kept waiting by a flood."""

MOST_AT_ONCE = 1000
"""How many moves and signals of one stream may wait for something at a time; more are refused."""

Requests: TypeAlias = AsyncIterator[pb.PlayRequest]


@final
class PlayStream:
    """What one bot process sends on its stream; `tasks` owns what it starts."""

    def __init__(self, session: Session, playing: Playing, tasks: asyncio.TaskGroup) -> None:
        """Play for `session`."""
        self._session = session
        self._playing = playing
        self._tasks = tasks
        self._later: set[asyncio.Task[None]] = set()
        self._closed = False

    async def read(self, requests: Requests) -> None:
        """Take in what the bot sends, until it closes its side."""
        async for request in requests:
            if request.HasField("hello"):
                raise malformed("hello", "only in the first message of a stream")
            items = len(request.moves) + len(request.ready) + len(request.resignations)
            if items > MOST_AT_ONCE:
                raise malformed(
                    "moves", f"at most {MOST_AT_ONCE} things in one message, not {items}"
                )
            await self._session.room()
            received = time.monotonic()
            for number, move in enumerate(request.moves, start=1):
                self._move(move, received)
                if number % MOST_IN_A_ROW == 0:
                    await asyncio.sleep(0)
            for signal in request.ready:
                self._signal(signal.match_id, Signal.READY, self._ready(signal))
            for leaving in request.resignations:
                match_id = leaving.match_id
                self._signal(match_id, Signal.RESIGN, self._resign(match_id))
        await self._all_answered()
        self._session.end(End.CLIENT_CLOSED)

    def _move(self, move: pb.Move, received: float) -> None:
        """Play a move at once if its table is ready for it, else in a task."""
        try:
            sent = self._playing.try_move(
                self._session.bot_id, move.match_id, move.decision_id, move.option_id, received
            )
            if sent is None:
                self._do(self._move_later(move, received))
        except Exception as error:  # noqa: BLE001 - a match that goes wrong never ends the stream of all
            self._answer(move, refusal_of(error))
            return
        if sent is not None:
            sent.outcome.add_done_callback(partial(self._moved, move, received, sent))

    def close(self) -> None:
        """Start nothing more: what is still on its way will be answered to nobody."""
        self._closed = True

    def _moved(
        self, move: pb.Move, received: float, sent: Sent, future: "asyncio.Future[Outcome]"
    ) -> None:
        """Answer a move that was sent at once; after a conflict it starts over, in a task."""
        if self._closed or future.cancelled():
            return
        try:
            if isinstance(future.result(), Conflict):
                self._do(self._move_later(move, received))
                return
            receipt = receipt_of(move.option_id, future.result(), sent, received)
            self._session.answer(MoveResult(move.match_id, move.decision_id, receipt))
        except Exception as failure:  # noqa: BLE001 - every error is answered
            self._answer(move, refusal_of(failure))

    def _signal(self, match_id: str, signal: Signal, work: Coroutine[object, object, None]) -> None:
        """Start what a signal asks for, or refuse it."""
        try:
            self._do(work)
        except Refusal as refusal:
            self._session.answer(SignalRefused(match_id, signal, refusal))

    def _do(self, work: Coroutine[object, object, None]) -> None:
        """Start a task for something that came in and cannot be done at once."""
        if len(self._later) >= MOST_AT_ONCE:
            work.close()
            raise Refusal(
                Reason.CONCURRENCY_LIMIT,
                f"more than {MOST_AT_ONCE} things of this stream are waiting",
                retry_after=0.1,
            )
        task = self._tasks.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _all_answered(self) -> None:
        """Wait until everything that came in is done and its answers are marked."""
        sent = [each.committing for each in self._session.tables.values() if each.committing]
        if sent:
            await asyncio.wait(sent)
        while self._later:
            await asyncio.wait(self._later)

    async def _move_later(self, move: pb.Move, received: float) -> None:
        """Play a move, whatever is in the way, and answer it."""
        try:
            receipt = await self._playing.play(
                self._session.bot_id, move.match_id, move.decision_id, move.option_id, received
            )
        except Exception as error:  # noqa: BLE001 - a refused move never ends the stream
            self._answer(move, refusal_of(error))
        else:
            self._session.answer(MoveResult(move.match_id, move.decision_id, receipt))

    async def _ready(self, signal: pb.ReadySignal) -> None:
        """Note a readiness; only a refusal is answered."""
        try:
            await self._playing.ready(self._session.bot_id, signal.match_id, signal.nonce)
        except Exception as error:  # noqa: BLE001 - a refused signal never ends the stream
            refused = SignalRefused(signal.match_id, Signal.READY, refusal_of(error))
            self._session.answer(refused)

    async def _resign(self, match_id: str) -> None:
        """Leave a match; only a refusal is answered."""
        try:
            await self._playing.resign(self._session.bot_id, match_id)
        except Exception as error:  # noqa: BLE001 - a refused signal never ends the stream
            self._session.answer(SignalRefused(match_id, Signal.RESIGN, refusal_of(error)))

    def _answer(self, move: pb.Move, outcome: Receipt | Refusal) -> None:
        """Mark the answer to a move."""
        self._session.answer(MoveResult(move.match_id, move.decision_id, outcome))
