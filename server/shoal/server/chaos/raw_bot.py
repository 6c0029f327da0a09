"""A thin client that hides nothing: one bot, its streams one after the other, every answer in its journal.

It answers what it is asked, again and again until it is told something definite. Asked once more for
what was acknowledged, it answers otherwise: a service that keeps its word refuses that.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, TypeAlias, final

import grpc

from shoal.client import ShoalError, pb
from shoal.client.channel import Address, metadata, open_channel
from shoal.client.outbox import Outbox
from shoal.server.chaos.journal import Answer, Journal, Refused
from shoal.server.chaos.policy import SELDOM, choice, otherwise, resigns, thought
from shoal.server.chaos.resigning import resign
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

Call: TypeAlias = "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]"

SILENCE: Final = 7.0
"""Seconds without a message after which a stream is dead: fewer than the limit of a decision, so that what
falls silent costs no strike."""

LONGEST_PAUSE: Final = 0.5
"""Seconds before the next stream, at most."""

ONE_CALL: Final = 3.0
"""Seconds that a unary call may take before it is sent again."""

RECENT: Final = 12
"""How many of the last acknowledged answers may be repeated."""


@final
class RawBot:
    """Plays until told to stop; `unary` answers with PlayMove instead of on the stream.

    `leaves_one_of` says how seldom it resigns.
    """

    def __init__(
        self, address: str, token: str, journal: Journal, seed: int, *, unary: bool
    ) -> None:
        """Prepare to play through the door at `address`."""
        self.journal = journal
        self.streams = 0
        self.leaves_one_of = SELDOM
        self._door = address
        self._address = Address.parse(address)
        self._token = token
        self._seed = seed
        self._unary = unary
        self._dice = random.Random(seed)
        self._since: dict[str, int] = {}
        self._acknowledged: list[Answer] = []
        self._pauses: dict[str, float] = {}

    async def run(self, max_matches: int, stop: asyncio.Event) -> None:
        """Open streams until `stop` is set."""
        while not stop.is_set():
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with open_channel(self._address) as channel:
                    await self._stream(channel, max_matches, stop)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._dice.uniform(0, LONGEST_PAUSE)):
                    await stop.wait()

    async def repeat(self) -> int:
        """Send old answers again: the last one twice at once, another option for it, and a stale one.

        Return how many were answered.
        """
        recent = self._acknowledged[-RECENT:]
        if not recent:
            return 0
        last, stale = recent[-1], recent[0]
        assert last.option is not None
        assert stale.option is not None
        moves = [
            (last, last.option),
            (last, last.option),
            (last, otherwise(last.option, last.decision)),
            (stale, stale.option),
        ]
        async with open_channel(self._address) as channel:
            done = await asyncio.gather(*(self._call(channel, *move) for move in moves))
        return sum(done)

    async def _stream(
        self, channel: grpc.aio.Channel, max_matches: int, stop: asyncio.Event
    ) -> None:
        """Play on one stream until it ends, falls silent, or shall stop."""
        self.streams += 1
        call: Call = PlayServiceStub(channel).Play(metadata=metadata(self._token))
        outbox = Outbox()
        tasks: set[asyncio.Task[None]] = set()

        def start(work: asyncio.Task[None]) -> None:
            tasks.add(work)
            work.add_done_callback(tasks.discard)

        try:
            hello = pb.Hello(max_matches=max_matches, since=self._since)
            start(asyncio.create_task(_write(call, hello, outbox)))
            start(asyncio.create_task(_close(outbox, stop)))
            async for update in _updates(call):
                for answer in self._hear(update, outbox):
                    start(asyncio.create_task(self._answer(answer, channel, outbox)))
        finally:
            call.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self, update: pb.Update, outbox: Outbox) -> list[Answer]:
        """Take in one update; return what it asks."""
        match update.WhichOneof("kind"):
            case "snapshot":
                asked = [self._stand(each, outbox) for each in update.snapshot.matches]
                return [answer for answer in asked if answer is not None]
            case "match_update":
                answer = self._stand(update.match_update, outbox)
                return [] if answer is None else [answer]
            case "match_finished":
                self._since.pop(update.match_finished.match_id, None)
                self.journal.ends_with(update.match_finished.match_id, update.match_finished.result)
            case "move_result":
                return self._result(update.move_result)
            case _:
                pass
        return []

    def _stand(self, update: pb.MatchUpdate, outbox: Outbox) -> Answer | None:
        """Take in where a match stands; return what it asks."""
        self.journal.begins(update.match_id)
        self._since[update.match_id] = update.version
        if update.status == pb.MATCH_STATUS_WAITING:
            nonce = self._dice.randbytes(8)
            outbox.add_ready(pb.ReadySignal(match_id=update.match_id, nonce=nonce))
        if not update.HasField("decision"):
            return None
        return self.journal.sees(update.match_id, update.decision)

    def _result(self, result: pb.MoveResult) -> list[Answer]:
        """Take in the answer to a move; return the decision if it has to be sent again."""
        if result.WhichOneof("outcome") == "receipt":
            self._counts(result.match_id, result.decision_id, result.receipt)
            return []
        answer = self.journal.answers[result.match_id, result.decision_id]
        error = ShoalError.from_status(result.error)
        assert answer.option is not None
        self.journal.refuses(answer, Refused(answer.option, error.reason, error.metadata))
        if not error.transient:
            return []
        self._pauses[answer.decision.decision_id] = error.retry_after or LONGEST_PAUSE
        return [answer]

    def _counts(self, match_id: str, decision_id: str, receipt: pb.MoveReceipt) -> None:
        """Note a receipt."""
        answer = self.journal.hears(match_id, decision_id, receipt)
        if answer is not None and len(answer.acks) == 1:
            self._acknowledged = [*self._acknowledged[-RECENT:], answer]

    async def _answer(self, answer: Answer, channel: grpc.aio.Channel, outbox: Outbox) -> None:
        """Think, and answer a decision."""
        if answer.option is None and resigns(self._seed, answer.decision, self.leaves_one_of):
            await resign(self._door, self._token, self.journal, answer.match_id)
            return
        option = choice(self._seed, answer.decision) if answer.option is None else answer.option
        if answer.acks:
            option = otherwise(answer.acks[0].option, answer.decision)
        await asyncio.sleep(thought(self._seed, answer.decision))
        await asyncio.sleep(self._pauses.pop(answer.decision.decision_id, 0))
        if self._unary or answer.acks:
            await self._insist(channel, answer, option)
            return
        self.journal.says(answer, option)
        outbox.add_move(
            pb.Move(
                match_id=answer.match_id,
                decision_id=answer.decision.decision_id,
                option_id=option,
            )
        )

    async def _insist(self, channel: grpc.aio.Channel, answer: Answer, option: int) -> None:
        """Answer with unary calls until the service says something definite."""
        done = await self._call(channel, answer, option)
        while not done:
            await asyncio.sleep(self._dice.uniform(0, LONGEST_PAUSE))
            done = await self._call(channel, answer, option)

    async def _call(self, channel: grpc.aio.Channel, answer: Answer, option: int) -> bool:
        """Answer with a unary call; tell whether the service said anything definite."""
        self.journal.says(answer, option)
        request = pb.PlayMoveRequest(
            match_id=answer.match_id, decision_id=answer.decision.decision_id, option_id=option
        )
        try:
            response = await PlayServiceStub(channel).PlayMove(
                request, metadata=metadata(self._token), timeout=ONE_CALL
            )
        except grpc.aio.AioRpcError as failure:
            error = ShoalError.from_rpc(failure)
            if error.reason:
                self.journal.refuses(answer, Refused(option, error.reason, error.metadata))
            return bool(error.reason) and not error.transient
        self._counts(answer.match_id, answer.decision.decision_id, response.receipt)
        return True


async def _write(call: Call, hello: pb.Hello, outbox: Outbox) -> None:
    """Say hello, then whatever becomes ready."""
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(pb.PlayRequest(hello=hello))
        while (request := await outbox.take()) is not None:
            await call.write(request)
        await call.done_writing()


async def _close(outbox: Outbox, stop: asyncio.Event) -> None:
    """Close our side when the bot shall stop."""
    await stop.wait()
    outbox.close()


async def _updates(call: Call) -> AsyncIterator[pb.Update]:
    """Yield what the server says until it ends the stream; raise TimeoutError when it falls silent."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SILENCE) as limit:
        async for response in call:
            limit.reschedule(loop.time() + SILENCE)
            for update in response.updates:
                yield update
