"""One Play stream as a test hears it, and bots that play on it."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import grpc

from shoal.v1 import match_pb2
from shoal.v1 import play_service_pb2 as pb

PATIENCE = 30.0
"""Seconds after which a test stops waiting for what must come: only what is broken takes so long."""

Choose: TypeAlias = Callable[[pb.MatchUpdate], int]
Heard: TypeAlias = Any
"""An update of whatever kind was waited for."""


class Ended(Exception):
    """The stream has ended, so what was waited for will not come."""


class Stream:
    """One Play stream of a bot; `heard` has every update that the test has taken from it."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]") -> None:
        self.heard: list[pb.Update] = []
        self.snapshot = pb.Snapshot()
        self.call = call
        self._updates: asyncio.Queue[pb.Update | None] = asyncio.Queue()

    async def pump(self) -> None:
        """Take in all messages until the end of the stream."""
        try:
            async for response in self.call:
                for update in response.updates:
                    self._updates.put_nowait(update)
        except grpc.aio.AioRpcError:
            pass  # the code of the call says it
        finally:
            self._updates.put_nowait(None)

    def put(self, **kind: object) -> None:
        """Hear an update that did not come on a stream."""
        self._updates.put_nowait(pb.Update(**kind))

    async def say(self, **fields: object) -> None:
        """Send one message."""
        await self.call.write(pb.PlayRequest(**fields))

    async def move(self, update: pb.MatchUpdate, option_id: int | None = None) -> pb.MoveResult:
        """Answer a decision, with its default unless an option is given; return what came of it."""
        await self.say(moves=[answer(update, option_id)])
        return await self.hear("move_result")

    async def hear(self, kind: str, match_id: str = "") -> Heard:
        """Wait for the next update of a kind, of one match or of any; others remain in `heard`."""
        async with asyncio.timeout(PATIENCE):
            while True:
                update = await self.next()
                found = getattr(update, kind)
                if update.WhichOneof("kind") == kind and match_id in {
                    "",
                    getattr(found, "match_id", ""),
                }:
                    return found

    async def rest(self) -> list[str]:
        """Hear everything until the end of the stream; return the kinds of all updates ever heard."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.next()
                except Ended:
                    return self.kinds()

    async def finish(self) -> list[str]:
        """End the stream, and hear it to its end; return the kinds of all updates ever heard."""
        await self.call.done_writing()
        return await self.rest()

    def match(self, match_id: str) -> pb.MatchUpdate:
        """Return a match as the snapshot had it."""
        (found,) = [each for each in self.snapshot.matches if each.match_id == match_id]
        return found

    def kinds(self) -> list[str]:
        """Return the kinds of all updates heard so far."""
        return [str(update.WhichOneof("kind")) for update in self.heard]

    def heard_of(self, kind: str) -> list[Any]:
        """Return the updates of a kind heard so far."""
        return [getattr(each, kind) for each in self.heard if each.WhichOneof("kind") == kind]

    async def next(self) -> pb.Update:
        """Return the next update; raise Ended at the end of the stream."""
        update = await self._updates.get()
        if update is None:
            self._updates.put_nowait(None)
            raise Ended(await self.call.code())
        self.heard.append(update)
        return update


def answer(update: pb.MatchUpdate, option_id: int | None = None) -> pb.Move:
    """Return the answer to a decision: its default, unless an option is given."""
    chosen = update.decision.default_option_id if option_id is None else option_id
    return pb.Move(
        match_id=update.match_id, decision_id=update.decision.decision_id, option_id=chosen
    )


def at_random(seed: int = 1) -> Choose:
    """Return a chooser that throws dice."""
    dice = random.Random(seed)
    return lambda update: dice.choice(update.decision.options).option_id


async def play_out(stream: Stream, match_id: str, choose: Choose | None = None) -> pb.MatchFinished:
    """Say ready, answer whatever is asked from here on, and return the end of the match."""
    choose = choose or at_random()
    open_now = [each for each in stream.snapshot.matches if each.match_id == match_id]
    for update in open_now:
        await respond(stream, update, choose)
    while True:
        async with asyncio.timeout(3 * PATIENCE):  # anew each time: a busy machine plays slowly
            update = await stream.next()
            match update.WhichOneof("kind"):
                case "match_update" if update.match_update.match_id == match_id:
                    await respond(stream, update.match_update, choose)
                case "match_finished" if update.match_finished.match_id == match_id:
                    return update.match_finished


async def respond(stream: Stream, update: pb.MatchUpdate, choose: Choose) -> None:
    """Say ready or move, if the match asks for it."""
    if update.status == match_pb2.MATCH_STATUS_WAITING:
        await stream.say(ready=[pb.ReadySignal(match_id=update.match_id)])
    elif update.HasField("decision"):
        await stream.say(moves=[answer(update, choose(update))])


async def play_some(streams: Sequence[Stream], moves: int) -> None:
    """Answer on all streams until so many moves have been acknowledged; the next question stays open."""
    enough = asyncio.Event()
    stopping = asyncio.create_task(enough.wait())

    async def play(stream: Stream) -> None:
        for update in stream.snapshot.matches:
            await respond(stream, update, at_random())
        while not enough.is_set():
            hearing = asyncio.create_task(stream.next())
            await asyncio.wait({hearing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                hearing.cancel()  # and nothing else: a write that is cancelled ends its call
                return
            update = hearing.result()
            if update.WhichOneof("kind") == "match_update":
                await respond(stream, update.match_update, at_random())
            if sum(len(each.heard_of("move_result")) for each in streams) >= moves:
                enough.set()

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(play, streams))
    await stopping
