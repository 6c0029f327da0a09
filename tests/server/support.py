"""How these tests run servers, register bots and play on streams: over real sockets, on a real Redis."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc

from shoal.server.app import App
from shoal.server.match import SeatMeta
from shoal.server.play.creation import Creation, MatchSpec
from shoal.server.settings import Settings
from shoal.server.store import new_id
from shoal.server.stores import Stores, open_stores
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from shoal.v1.bot_service_pb2_grpc import BotServiceStub
from shoal.v1.ladder_service_pb2_grpc import LadderServiceStub
from shoal.v1.match_service_pb2_grpc import MatchServiceStub
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

PATIENCE = 10.0
"""Seconds after which a test stops waiting for what must come."""

Choose: TypeAlias = Callable[[pb.MatchUpdate], int]
Metadata: TypeAlias = tuple[tuple[str, str], ...]
Heard: TypeAlias = Any
"""An update of whatever kind was waited for."""

Fields: TypeAlias = Any
"""The value of a field of a request, or of a setting."""


@dataclass(frozen=True)
class Bot:
    """A registered bot, as its owner knows it."""

    bot_id: str
    name: str
    owner: str
    token: str

    @property
    def metadata(self) -> Metadata:
        return bearer(self.token)


def bearer(token: str) -> Metadata:
    """Return the metadata that a token travels in."""
    return (("authorization", f"Bearer {token}"),)


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


class Server:
    """A running server, and a connection to it."""

    def __init__(self, app: App, stores: Stores, port: int, channel: grpc.aio.Channel) -> None:
        self.app = app
        self.stores = stores
        self.port = port
        self.channel = channel
        self.bots = BotServiceStub(channel)
        self.matches = MatchServiceStub(channel)
        self.plays = PlayServiceStub(channel)
        self.ladders = LadderServiceStub(channel)

    async def admin(self) -> Metadata:
        """Return the metadata of a new admin token."""
        return bearer(await self.stores.tokens.issue("operator", admin=True))

    async def register(self, *, metadata: Metadata = (), **fields: object) -> Bot:
        """Register a bot, of a new owner without metadata."""
        request = bots_pb.RegisterBotRequest(name=new_name(), **fields)
        made = await self.bots.RegisterBot(request, metadata=metadata)
        return Bot(made.bot.bot_id, made.bot.name, made.bot.owner_id, made.token)

    async def team(self, count: int) -> list[Bot]:
        """Register bots of one owner."""
        first = await self.register()
        return [first, *[await self.register(metadata=first.metadata) for _ in range(count - 1)]]

    async def create(
        self, *seats: Bot, move_ms: int = 600_000, max_strikes: int = 0, request_id: str = ""
    ) -> str:
        """Create a match as the owner of the first seat; return its id."""
        request = matches_pb.CreateMatchRequest(
            bot_ids=[bot.bot_id for bot in seats],
            time_control=match_pb2.TimeControl(move_ms=move_ms, max_strikes=max_strikes),
            request_id=request_id,
        )
        made = await self.matches.CreateMatch(request, metadata=seats[0].metadata)
        return str(made.match.match_id)

    async def create_waiting(self, *seats: Bot, ready_ms: int) -> str:
        """Create a match that waits so long for its seats, which no call can ask for."""
        match_id = new_id()
        spec = MatchSpec(
            seats=tuple(SeatMeta(bot.bot_id, bot.name) for bot in seats),
            move_ms=600_000,
            ready_ms=ready_ms,
        )
        await Creation(self.stores.matches, self.stores.bots).create(match_id, spec)
        return match_id

    async def deal(self, *seats: Bot, **fields: Fields) -> str:
        """Create a match, and say ready for every seat."""
        match_id = await self.create(*seats, **fields)
        for bot in seats:
            await self.ready(bot, match_id)
        return match_id

    async def ready(self, bot: Bot, match_id: str, nonce: bytes = b"") -> None:
        """Say ready for a seat."""
        request = pb.ReadyRequest(match_id=match_id, nonce=nonce)
        await self.plays.Ready(request, metadata=bot.metadata)

    async def resign(self, bot: Bot, match_id: str) -> None:
        """Let a seat leave."""
        await self.plays.Resign(pb.ResignRequest(match_id=match_id), metadata=bot.metadata)

    async def play(
        self, bot: Bot, update: pb.MatchUpdate, option_id: int | None = None
    ) -> pb.MoveReceipt:
        """Answer a decision by a plain call; return the receipt."""
        request = move_request(update, option_id)
        return (await self.plays.PlayMove(request, metadata=bot.metadata)).receipt

    async def position(self, bot: Bot, match_id: str) -> pb.MatchUpdate:
        """Return a live match as a new stream of a seat is told it."""
        async with self.stream(bot) as stream:
            return stream.match(match_id)

    async def match(self, match_id: str) -> match_pb2.Match:
        """Return a match as anybody may see it."""
        return (await self.matches.GetMatch(matches_pb.GetMatchRequest(match_id=match_id))).match

    async def record(self, match_id: str) -> matches_pb.GetMatchRecordResponse:
        """Return the record of a finished match."""
        request = matches_pb.GetMatchRecordRequest(match_id=match_id)
        return await self.matches.GetMatchRecord(request)

    @asynccontextmanager
    async def stream(self, bot: Bot, **hello: object) -> AsyncIterator[Stream]:
        """Open a stream for a bot, and hear its snapshot."""
        call = self.plays.Play(metadata=bot.metadata)
        stream = Stream(call)
        pump = asyncio.create_task(stream.pump())
        try:
            await stream.say(hello=pb.Hello(**{"max_matches": 1000, **hello}))
            stream.snapshot = await stream.hear("snapshot")
            yield stream
        finally:
            call.cancel()
            await asyncio.wait([pump])

    @asynccontextmanager
    async def asking(self, *seats: Bot, **fields: Fields) -> AsyncIterator["Question"]:
        """Deal a match, and open the stream of the seat that is asked."""
        match_id = await self.deal(*seats, **fields)
        for seat, bot in enumerate(seats):
            async with self.stream(bot) as stream:
                update = stream.match(match_id)
                if update.HasField("decision"):
                    yield Question(update, bot, seats[1 - seat], stream)
                    return
        raise AssertionError("no seat was asked")


@dataclass(frozen=True)
class Question:
    """A match of two, its open decision as the seat that is asked was told it, and both seats."""

    update: pb.MatchUpdate
    asked: Bot
    other: Bot
    stream: Stream

    @property
    def match_id(self) -> str:
        return str(self.update.match_id)

    @property
    def options(self) -> list[int]:
        return [option.option_id for option in self.update.decision.options]


@asynccontextmanager
async def serving(url: str, **settings: Fields) -> AsyncIterator[Server]:
    """Run a server on the store at `url`."""
    async with open_stores(url) as stores, serving_on(stores, **settings) as server:
        yield server


@asynccontextmanager
async def serving_on(stores: Stores, **settings: Fields) -> AsyncIterator[Server]:
    """Run a server on open stores."""
    app = make_app(stores, **settings)
    async with app.serve() as port, connected(app, stores, port) as server:
        yield server


def make_app(stores: Stores, **settings: Fields) -> App:
    """Return a server on open stores that listens on a free port and stops quickly."""
    chosen = Settings(**{"host": "127.0.0.1", "port": 0, "grace_seconds": 1.0, **settings})
    return App(chosen, stores)


@asynccontextmanager
async def connected(app: App, stores: Stores, port: int) -> AsyncIterator[Server]:
    """Connect to a server."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Server(app, stores, port, channel)


def new_name() -> str:
    """Return a name that no bot has."""
    return f"bot-{uuid.uuid4().hex[:20]}"


def answer(update: pb.MatchUpdate, option_id: int | None = None) -> pb.Move:
    """Return the answer to a decision: its default, unless an option is given."""
    chosen = update.decision.default_option_id if option_id is None else option_id
    return pb.Move(
        match_id=update.match_id, decision_id=update.decision.decision_id, option_id=chosen
    )


def move_request(update: pb.MatchUpdate, option_id: int | None = None) -> pb.PlayMoveRequest:
    """Return the same answer as the request of a plain call."""
    move = answer(update, option_id)
    return pb.PlayMoveRequest(
        match_id=move.match_id, decision_id=move.decision_id, option_id=move.option_id
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
    async with asyncio.timeout(3 * PATIENCE):
        while True:
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


async def until(holds: Callable[[], Awaitable[bool]], patience: float = PATIENCE) -> None:
    """Return when it holds; for what nothing rings a bell about."""
    async with asyncio.timeout(patience):
        while not await holds():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
