"""A thin client that hides nothing: one bot, one connection after the other, every answer in its journal.

It answers what it is asked, again and again until it is told something definite. Asked once more for
what was acknowledged, it answers otherwise: a service that keeps its word refuses that.
"""

import asyncio
import random
from contextlib import suppress
from typing import Final, final

import grpc

from shoal.client import ShoalError, pb
from shoal.client.channel import Address, open_channel
from shoal.server.chaos.journal import Answer, Journal, Refused
from shoal.server.chaos.lookup import LookUp
from shoal.server.chaos.policy import Policy, otherwise
from shoal.server.chaos.resigning import resign
from shoal.server.chaos.talk import ONE_CALL, Talk, WayIn

LONGEST_PAUSE: Final = 0.5
"""Seconds before the next connection, at most."""

RECENT: Final = 12
"""How many of the last acknowledged answers may be repeated."""

FAREWELLS: Final = 5
"""How often a bot that polled tries to say that it goes."""


@final
class RawBot:
    """Plays until told to stop, by one of the ways in."""

    def __init__(
        self, address: str, token: str, journal: Journal, policy: Policy, way: WayIn = WayIn.PLAY
    ) -> None:
        """Prepare to play through the door at `address`."""
        self.journal = journal
        self.connections = 0
        self._door = address
        self._address = Address.parse(address)
        self._token = token
        self.policy = policy
        self._way = way
        self._dice = random.Random(policy.seed)
        self._since: dict[str, int] = {}
        self._lookup: LookUp
        self._resume_token = ""
        self._busy: set[str] = set()
        self._acknowledged: list[Answer] = []
        self._pauses: dict[str, float] = {}

    async def run(self, max_matches: int, stop: asyncio.Event) -> None:
        """Open connections until `stop` is set; raise an ExceptionGroup when answering went wrong."""
        while not stop.is_set():
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with open_channel(self._address) as channel:
                    await self._talk(channel, max_matches, stop)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._dice.uniform(0, LONGEST_PAUSE)):
                    await stop.wait()
        if self._way is WayIn.POLL:
            await self._leave()

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
            talk = Talk(channel, self._token)
            done = await asyncio.gather(*(self._call(talk, *move) for move in moves))
        return sum(done)

    async def _talk(self, channel: grpc.aio.Channel, max_matches: int, stop: asyncio.Event) -> None:
        """Play on one connection until it ends, falls silent, or shall stop."""
        self.connections += 1
        self._busy.clear()
        hello = pb.Hello(max_matches=max_matches, since=self._since)
        async with Talk(channel, self._token) as talk:
            self._lookup = LookUp(self.journal, talk)
            if self._way is WayIn.POLL:
                while not stop.is_set():
                    self._read(await talk.poll(max_matches, self._resume_token), talk)
                    await talk.think()
                return
            updates = (talk.watch if self._way is WayIn.WATCH else talk.play)(hello, stop)
            async for update in updates:
                self._hear(update, talk)

    def _read(self, response: pb.ListDecisionsResponse, talk: Talk) -> None:
        """Take in the answer to a poll."""
        self._resume_token = response.resume_token
        for update in response.matches:
            self._stand(update, talk)
        for finished in response.finished:
            self.journal.ends_with(finished.match_id, finished.result)
        self._lookup.polled()

    def _hear(self, update: pb.Update, talk: Talk) -> None:
        """Take in one update."""
        match update.WhichOneof("kind"):
            case "snapshot":
                for each in update.snapshot.matches:
                    self._stand(each, talk)
                self._lookup.brought(update.snapshot)
            case "match_update":
                self._stand(update.match_update, talk)
            case "match_finished":
                self._since.pop(update.match_finished.match_id, None)
                self.journal.ends_with(update.match_finished.match_id, update.match_finished.result)
            case "move_result":
                self._result(update.move_result, talk)
            case "signal_refused":
                talk.start(self._begin_again(update.signal_refused, talk))
            case _:
                pass

    def _stand(self, update: pb.MatchUpdate, talk: Talk) -> None:
        """Take in where a match stands, and do what it asks, unless that is being done already."""
        self.journal.begins(update.match_id)
        self._since[update.match_id] = update.version
        self._lookup.hears(update.match_id)
        if update.status == pb.MATCH_STATUS_WAITING:
            self._begin(update.match_id, talk)
        decision_id = update.decision.decision_id
        if not update.HasField("decision") or decision_id in self._busy:
            return
        talk.start(self._answer(self.journal.sees(update.match_id, update.decision), talk))

    def _begin(self, match_id: str, talk: Talk) -> None:
        """Say that the bot will play."""
        nonce = self._dice.randbytes(8)
        if self._way in {WayIn.PLAY, WayIn.PLAY_MOVE}:
            talk.outbox.add_ready(pb.ReadySignal(match_id=match_id, nonce=nonce))
        elif match_id not in self._busy:
            talk.start(self._ready(match_id, nonce, talk))

    async def _begin_again(self, refused: pb.SignalRefused, talk: Talk) -> None:
        """Say once more that the bot will play, unless the service said something definite."""
        error = ShoalError.from_status(refused.error)
        if error.transient:
            await asyncio.sleep(error.retry_after or LONGEST_PAUSE)
            self._begin(refused.match_id, talk)

    def _result(self, result: pb.MoveResult, talk: Talk) -> None:
        """Take in the answer to a move; send it again if that is what it says."""
        if result.WhichOneof("outcome") == "receipt":
            self._counts(result.match_id, result.decision_id, result.receipt)
            return
        answer = self.journal.answers[result.match_id, result.decision_id]
        error = ShoalError.from_status(result.error)
        assert answer.option is not None
        self.journal.refuses(answer, Refused(answer.option, error.reason, error.metadata))
        if error.transient:
            self._pauses[answer.decision.decision_id] = error.retry_after or LONGEST_PAUSE
            talk.start(self._answer(answer, talk))

    def _counts(self, match_id: str, decision_id: str, receipt: pb.MoveReceipt) -> None:
        """Note a receipt."""
        answer = self.journal.hears(match_id, decision_id, receipt)
        if answer is not None and len(answer.acks) == 1:
            self._acknowledged = [*self._acknowledged[-RECENT:], answer]

    async def _answer(self, answer: Answer, talk: Talk) -> None:
        """Think, and answer a decision, or leave the match."""
        decision_id = answer.decision.decision_id
        self._busy.add(decision_id)
        try:
            if answer.option is None and self.policy.resigns(answer.decision):
                await resign(self._door, self._token, self.journal, answer.match_id)
            else:
                await self._choose(answer, talk)
        finally:
            self._busy.discard(decision_id)

    async def _choose(self, answer: Answer, talk: Talk) -> None:
        """Answer as the policy says, or otherwise than was acknowledged."""
        decision_id = answer.decision.decision_id
        option = self.policy.choice(answer.decision) if answer.option is None else answer.option
        if answer.acks:
            option = otherwise(answer.acks[0].option, answer.decision)
        await asyncio.sleep(self.policy.thought(answer.decision))
        await asyncio.sleep(self._pauses.pop(decision_id, 0))
        if self._way is not WayIn.PLAY or answer.acks:
            await self._insist(talk, answer, option)
            return
        self.journal.says(answer, option)
        talk.outbox.add_move(
            pb.Move(match_id=answer.match_id, decision_id=decision_id, option_id=option)
        )

    async def _insist(self, talk: Talk, answer: Answer, option: int) -> None:
        """Answer with unary calls until the service says something definite."""
        done = await self._call(talk, answer, option)
        while not done:
            await asyncio.sleep(self._dice.uniform(0, LONGEST_PAUSE))
            done = await self._call(talk, answer, option)

    async def _call(self, talk: Talk, answer: Answer, option: int) -> bool:
        """Answer with a unary call; tell whether the service said anything definite."""
        self.journal.says(answer, option)
        request = pb.PlayMoveRequest(
            match_id=answer.match_id, decision_id=answer.decision.decision_id, option_id=option
        )
        try:
            response = await talk.stub.PlayMove(request, metadata=talk.metadata, timeout=ONE_CALL)
        except grpc.aio.AioRpcError as failure:
            error = ShoalError.from_rpc(failure)
            if error.reason:
                self.journal.refuses(answer, Refused(option, error.reason, error.metadata))
            return bool(error.reason) and not error.transient
        self._counts(answer.match_id, answer.decision.decision_id, response.receipt)
        return True

    async def _ready(self, match_id: str, nonce: bytes, talk: Talk) -> None:
        """Say by a unary call that the bot will play, until the service says something definite."""
        self._busy.add(match_id)
        request = pb.ReadyRequest(match_id=match_id, nonce=nonce)
        while True:
            try:
                await talk.stub.Ready(request, metadata=talk.metadata, timeout=ONE_CALL)
            except grpc.aio.AioRpcError as failure:
                error = ShoalError.from_rpc(failure)
                if not error.reason or error.transient:
                    await asyncio.sleep(self._dice.uniform(0, LONGEST_PAUSE))
                    continue
            self._busy.discard(match_id)
            return

    async def _leave(self) -> None:
        """Say that the bot goes, which a poll cannot."""
        for _ in range(FAREWELLS):
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with (
                    open_channel(self._address) as channel,
                    Talk(channel, self._token) as talk,
                ):
                    await talk.leave()
                    return
