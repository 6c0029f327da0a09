"""A lean client for measurements: eight bots on eight streams that answer at once and at random.

It speaks protobuf without the client kit, keeps a number of matches going, and sends the moves that
are asked for in one message back in one message, as a sensible client does.
"""

import asyncio
import itertools
import random
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import final

import grpc

from shoal.server.bench.network import CLIENT_OPTIONS
from shoal.server.bench.posting import Poster
from shoal.v1 import bot_service_pb2, match_pb2, match_service_pb2, play_service_pb2
from shoal.v1.bot_service_pb2_grpc import BotServiceStub
from shoal.v1.match_service_pb2_grpc import MatchServiceStub
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

BOTS = 8
SAMPLE_EVERY = 50
CREATED_AT_ONCE = 32
SETTLING = 0.3
MOVE_MS = 600_000
"""So long that no pause of the driver is ever taken for silence."""


@dataclass(frozen=True, slots=True)
class Player:
    """A registered bot."""

    bot_id: str
    token: str


@dataclass(slots=True)
class Counts:
    """What happened since the counts were made."""

    moves: int = 0
    finished: int = 0
    messages: int = 0
    latencies: list[float] = field(default_factory=list)
    overheads: list[float] = field(default_factory=list)
    """Seconds from receiving a move to committing it, as its receipt says."""

    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Counts") -> None:
        """Add what happened at another time."""
        self.moves += other.moves
        self.finished += other.finished
        self.messages += other.messages
        self.latencies += other.latencies
        self.overheads += other.overheads
        self.refused += other.refused


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that a token travels in."""
    return (("authorization", f"Bearer {token}"),)


@asynccontextmanager
async def driving(address: str, admin_token: str) -> AsyncIterator["Driver"]:
    """Connect the bots, and let them play until the context ends."""
    async with (
        grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS) as channel,
        asyncio.TaskGroup() as tasks,
    ):
        driver = Driver(address, channel, admin_token, tasks)
        streams = await driver.connect()
        yield driver
        driver.stop()
        for stream in streams:
            stream.cancel()


@final
class Driver:
    """Bots that play each other, pair by pair, on a server.

    `counts` may be replaced at any time; `sizes` are the bytes of some updates, each alone in a message.
    `think_seconds` is how long the bots wait before they answer. Moves go by `poster` while there is one.
    """

    def __init__(
        self, address: str, channel: grpc.aio.Channel, admin_token: str, tasks: asyncio.TaskGroup
    ) -> None:
        """Prepare to play at `address`; matches are created over `channel`."""
        self.counts = Counts()
        self.sizes: list[int] = []
        self.think_seconds = 0.0
        self.poster: Poster | None = None
        self._address = address
        self._admin = bearer(admin_token)
        self._tasks = tasks
        self._live: set[str] = set()
        self._sent: dict[str, float] = {}
        self._dice = random.Random(1)
        self._pairs: Iterator[tuple[Player, ...]] = iter(())
        self._channel = channel
        self._asked = 0
        self._stopping = False
        self._few = asyncio.Semaphore(CREATED_AT_ONCE)
        self._playing = asyncio.Event()
        self._playing.set()

    async def connect(self) -> list[asyncio.Task[None]]:
        """Register the bots, open their streams, and return what plays on them."""
        bots = BotServiceStub(self._channel)
        players = []
        for number in range(BOTS):
            request = bot_service_pb2.RegisterBotRequest(name=f"bench-{number}")
            made = await bots.RegisterBot(request, metadata=self._admin)
            players.append(Player(made.bot.bot_id, made.token))
        self._pairs = itertools.cycle(itertools.permutations(players, 2))
        opened = [asyncio.Event() for _ in players]
        streams = [
            self._tasks.create_task(self._stream(player, is_open))
            for player, is_open in zip(players, opened, strict=True)
        ]
        for is_open in opened:
            await is_open.wait()
        return streams

    async def pause(self) -> None:
        """Answer nothing more, and return when the server has had time to come to rest."""
        self._playing.clear()
        await asyncio.sleep(SETTLING)

    def resume(self) -> None:
        """Answer again."""
        self._playing.set()

    def stop(self) -> None:
        """Create no more matches."""
        self._stopping = True

    async def raise_to(self, matches: int) -> None:
        """Create matches until so many are going on; from then on each is replaced at its end."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(matches - len(self._live)):
                tasks.create_task(self._create())

    async def _create(self) -> None:
        """Create one more match, of the next pair."""
        async with self._few:
            await self._create_now()

    async def _create_now(self) -> None:
        """Create the match."""
        pair = next(self._pairs)
        request = match_service_pb2.CreateMatchRequest(
            bot_ids=[player.bot_id for player in pair],
            time_control=match_pb2.TimeControl(move_ms=MOVE_MS),
            request_id=str(uuid.uuid4()),
        )
        made = await MatchServiceStub(self._channel).CreateMatch(request, metadata=self._admin)
        self._live.add(made.match.match_id)

    async def _stream(self, player: Player, is_open: asyncio.Event) -> None:
        """Play all matches of one bot, for ever."""
        async with grpc.aio.insecure_channel(self._address, options=CLIENT_OPTIONS) as channel:
            call = PlayServiceStub(channel).Play(metadata=bearer(player.token))
            hello = play_service_pb2.Hello(max_matches=1000)
            await call.write(play_service_pb2.PlayRequest(hello=hello))
            one_at_a_time = asyncio.Lock()

            async def send(response: play_service_pb2.PlayResponse) -> None:
                if self.think_seconds:
                    await asyncio.sleep(self.think_seconds)
                request = self._answers(response)
                if self.poster is not None:
                    for move in request.moves:
                        thoughts.create_task(self._post(self.poster, player.token, move))
                    del request.moves[:]
                if request.moves or request.ready:
                    async with one_at_a_time:
                        await call.write(request)

            async with asyncio.TaskGroup() as thoughts:
                async for response in call:
                    is_open.set()
                    self._take_in(response)
                    await self._playing.wait()
                    if self.think_seconds:
                        thoughts.create_task(send(response))
                    else:
                        await send(response)

    async def _post(self, poster: Poster, token: str, move: play_service_pb2.Move) -> None:
        """Make a move by HTTP, and count it."""
        self._note(await poster.play(token, move), time.perf_counter())

    def _take_in(self, response: play_service_pb2.PlayResponse) -> None:
        """Count what a message says has become of moves and matches."""
        self.counts.messages += 1
        now = time.perf_counter()
        for update in response.updates:
            match update.WhichOneof("kind"):
                case "move_result":
                    self._note(update.move_result, now)
                case "match_finished":
                    self._replace(update.match_finished.match_id)
                case _:
                    pass

    def _answers(self, response: play_service_pb2.PlayResponse) -> play_service_pb2.PlayRequest:
        """Return the answers to everything that a message asks."""
        request = play_service_pb2.PlayRequest()
        now = time.perf_counter()
        for update in response.updates:
            if update.HasField("match_update"):
                self._answer(update, request, now)
        return request

    def _answer(
        self, update: play_service_pb2.Update, request: play_service_pb2.PlayRequest, now: float
    ) -> None:
        """Add the answer to one match."""
        match = update.match_update
        if match.status == match_pb2.MATCH_STATUS_WAITING:
            request.ready.add(match_id=match.match_id)
        elif match.HasField("decision"):
            decision = match.decision
            option = self._dice.choice(decision.options).option_id
            request.moves.add(
                match_id=match.match_id, decision_id=decision.decision_id, option_id=option
            )
            self._sent[match.match_id + decision.decision_id] = now
            self._asked += 1
            if self._asked % SAMPLE_EVERY == 0:
                self.sizes.append(play_service_pb2.PlayResponse(updates=[update]).ByteSize())

    def _note(self, result: play_service_pb2.MoveResult, now: float) -> None:
        """Count an answered move."""
        sent = self._sent.pop(result.match_id + result.decision_id, None)
        if result.HasField("error"):
            self.counts.refused[result.error.message] += 1
        elif sent is not None:
            self.counts.moves += 1
            self.counts.overheads.append(result.receipt.overhead_us / 1e6)
            self.counts.latencies.append(now - sent)

    def _replace(self, match_id: str) -> None:
        """Create a match for one that is over; both seats report it, one counts."""
        if match_id in self._live:
            self._live.remove(match_id)
            self.counts.finished += 1
            if not self._stopping:
                self._tasks.create_task(self._create())
