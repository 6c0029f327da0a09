"""How these tests run servers, and what they ask of them: over real sockets, on a real Redis."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import grpc

from shoal.cli.main import run
from shoal.competition.specification import RoundRobin, Specification
from shoal.match import SeatMeta, TimeControl
from shoal.server.app import App, Ports
from shoal.server.director import ladder
from shoal.server.play.creation import Creation, MatchSpec
from shoal.server.settings import Settings
from shoal.server.store import keys, new_id
from shoal.server.store.competition_nouns import Note, State
from shoal.server.stores import Stores, open_stores
from shoal.v1 import bot_service_pb2 as bots_pb
from shoal.v1 import match_pb2
from shoal.v1 import match_service_pb2 as matches_pb
from shoal.v1 import play_service_pb2 as pb
from shoal.v1.bot_service_pb2_grpc import BotServiceStub
from shoal.v1.challenge_service_pb2_grpc import ChallengeServiceStub
from shoal.v1.competition_service_pb2_grpc import CompetitionServiceStub
from shoal.v1.export_service_pb2_grpc import ExportServiceStub
from shoal.v1.ladder_service_pb2_grpc import LadderServiceStub
from shoal.v1.match_service_pb2_grpc import MatchServiceStub
from shoal.v1.play_service_pb2_grpc import PlayServiceStub
from shoal.v1.tournament_service_pb2_grpc import TournamentServiceStub
from tests.server.streams import PATIENCE, Stream, answer

Metadata: TypeAlias = tuple[tuple[str, str], ...]
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


class Server:
    """A running server, and a connection to it."""

    def __init__(self, app: App, stores: Stores, ports: Ports, channel: grpc.aio.Channel) -> None:
        self.app = app
        self.stores = stores
        self.port = ports.grpc
        self.http = f"http://127.0.0.1:{ports.http}"
        self.channel = channel
        self.bots = BotServiceStub(channel)
        self.matches = MatchServiceStub(channel)
        self.plays = PlayServiceStub(channel)
        self.challenges = ChallengeServiceStub(channel)
        self.ladders = LadderServiceStub(channel)
        self.tournaments = TournamentServiceStub(channel)
        self.competitions = CompetitionServiceStub(channel)
        self.exports = ExportServiceStub(channel)

    async def admin(self) -> Metadata:
        """Return the metadata of a new admin token."""
        return bearer(await self.stores.tokens.issue("operator", admin=True))

    async def make_ladder(
        self,
        name: str,
        ruleset: str = "base",
        seats: tuple[int, ...] = (2, 3, 4),
        *,
        names_hidden: bool = False,
    ) -> None:
        """Make a ladder of this name."""
        note = Note(0, "test", "create")
        made = replace(ladder(name, ruleset, seats), names_hidden=names_hidden)
        await self.stores.competitions.create(name, made, State.RUNNING, note)

    async def make_tournament(self, state: State = State.OPEN, **fields: object) -> str:
        """Make a tournament, a round robin but for what is given, and return its id."""
        specification = Specification("cup", RoundRobin())
        made = replace(specification, **fields)  # type: ignore[arg-type]
        tournament_id = new_id()
        note = Note(0, "test", "create")
        await self.stores.competitions.create(tournament_id, made, state, note)
        return tournament_id

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
        self, *seats: Bot, move_ms: int = 600_000, request_id: str = "", **time: int
    ) -> str:
        """Create a match as the owner of the first seat; return its id."""
        request = matches_pb.CreateMatchRequest(
            bot_ids=[bot.bot_id for bot in seats],
            time_control=match_pb2.TimeControl(move_ms=move_ms, **time),
            request_id=request_id,
        )
        made = await self.matches.CreateMatch(request, metadata=seats[0].metadata)
        return str(made.match.match_id)

    async def create_waiting(self, *seats: Bot, ready_ms: int) -> str:
        """Create a match that waits so long for its seats, which no call can ask for."""
        match_id = new_id()
        spec = MatchSpec(
            seats=tuple(SeatMeta(bot.bot_id, bot.name) for bot in seats),
            time=TimeControl(move_ms=600_000, max_strikes=0, ready_ms=ready_ms),
        )
        await Creation(
            self.stores.matches, self.stores.bots, self.stores.competitions, "0.0"
        ).create(match_id, spec)
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

    async def record(self, match_id: str) -> matches_pb.MatchRecord:
        """Return the record of a finished match."""
        request = matches_pb.GetMatchRecordRequest(match_id=match_id)
        return (await self.matches.GetMatchRecord(request)).record

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
    async with app.serve() as ports, connected(app, stores, ports) as server:
        yield server


def make_app(stores: Stores, **settings: Fields) -> App:
    """Return a server on open stores that listens on free ports and stops quickly."""
    chosen = Settings(**{"host": "127.0.0.1", "port": 0, "grace_seconds": 1.0, **settings})
    return App(chosen, stores)


@asynccontextmanager
async def connected(app: App, stores: Stores, ports: Ports) -> AsyncIterator[Server]:
    """Connect to a server."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{ports.grpc}") as channel:
        yield Server(app, stores, ports, channel)


def new_name() -> str:
    """Return a name that no bot has."""
    return f"bot-{uuid.uuid4().hex[:20]}"


def move_request(update: pb.MatchUpdate, option_id: int | None = None) -> pb.PlayMoveRequest:
    """Return the same answer as the request of a plain call."""
    move = answer(update, option_id)
    return pb.PlayMoveRequest(
        match_id=move.match_id, decision_id=move.decision_id, option_id=move.option_id
    )


async def until(holds: Callable[[], Awaitable[bool]], patience: float = PATIENCE) -> None:
    """Return when it holds; for what nothing rings a bell about."""
    async with asyncio.timeout(patience):
        while not await holds():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def now_ms(server: Server, match_id: str) -> int:
    """Return the time of a match's partition: it stands still while no server asks for it."""
    return (await server.stores.matches.submit_tick(keys.partition_of(match_id))).now_ms


async def asked_ms(server: Server, match_id: str) -> int:
    """Return when a match asked what it asks now, in that time."""
    return int(await server.stores.pipe.command("HGET", keys.match(match_id), "asked_ms"))


async def left_ms(server: Server, bot: Bot) -> int:
    """Return for how long a bot is still present, if nothing more is heard of it."""
    key = f"shoal:{{p{bot.bot_id[:2]}}}:stream:{bot.bot_id}"
    return int(await server.stores.pipe.command("PTTL", key))


async def is_renewed(server: Server, bot: Bot) -> None:
    """Return when a bot has become present for longer than it was shortly before."""
    seen = [await left_ms(server, bot)]

    async def has_risen() -> bool:
        seen.append(await left_ms(server, bot))
        return seen[-1] > seen[-2]

    await until(has_risen)


async def shoal(server: Server, *arguments: str) -> int:
    """Run the command against a server, and return its exit code."""
    where = ["--server", f"127.0.0.1:{server.port}"]
    return await asyncio.to_thread(run, [*arguments, *where])
