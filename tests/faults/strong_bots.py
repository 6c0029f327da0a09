"""Bots whose matches do not depend on the cards: the weaker of two plays some moves, and resigns."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

import grpc

from shoal.client import Bot, ShoalError, pb, run_bot
from shoal.client.backoff import Backoff
from shoal.client.channel import Address, metadata, open_channel
from shoal.v1.play_service_pb2_grpc import PlayServiceStub

T = TypeVar("T")

MOVES_BEFORE_RESIGNING: Final = 4

AWAY: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@dataclass(frozen=True)
class Player:
    """A registered bot, and its token."""

    bot_id: str
    token: str


class Tickets:
    """How many more resignations there may be: by them a test says how far a tournament may come."""

    def __init__(self) -> None:
        self._left = 0
        self._changed = asyncio.Condition()

    async def give(self, number: int) -> None:
        """Let so many more matches end."""
        async with self._changed:
            self._left += number
            self._changed.notify_all()

    async def take(self) -> None:
        """Wait until another match may end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._left > 0)
            self._left -= 1
            self._changed.notify_all()

    async def are_down_to(self, number: int) -> None:
        """Return as soon as there are no more than so many."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._left <= number)


class StrongBot(Bot):
    """Plays the first option, until it resigns to a stronger one, with a ticket."""

    max_matches = 2
    table_sizes = (2,)

    def __init__(
        self, player: Player, stronger: frozenset[str], play: PlayServiceStub, tickets: Tickets
    ) -> None:
        """Resign to those who are `stronger`, by the stub."""
        self._player = player
        self._stronger = stronger
        self._play = play
        self._tickets = tickets
        self._match_id = ""
        self._left = 0
        self._has_ticket = False

    def for_match(self, match: pb.Match) -> "StrongBot":
        """Return a bot that remembers how many moves it has left."""
        bot = StrongBot(self._player, self._stronger, self._play, self._tickets)
        bot._match_id = match.match_id
        meets_stronger = any(seat.bot_id in self._stronger for seat in match.seats)
        bot._left = MOVES_BEFORE_RESIGNING if meets_stronger else 1_000_000
        return bot

    async def choose(self, _: pb.Observation, decision: pb.Decision) -> pb.Option:
        """Return the first option."""
        self._left -= 1
        if self._left < 0:
            if not self._has_ticket:  # it is asked again where it resigned, and no answer came
                await self._tickets.take()
                self._has_ticket = True
            await patiently(self._resign)
        return decision.options[0]

    async def _resign(self) -> None:
        request = pb.ResignRequest(match_id=self._match_id)
        try:
            await self._play.Resign(request, metadata=metadata(self._player.token), timeout=3)
        except grpc.aio.AioRpcError as error:
            raise ShoalError.from_rpc(error) from None


@asynccontextmanager
async def playing(address: str, players: Sequence[Player], tickets: Tickets) -> AsyncIterator[None]:
    """Let these bots play, the strongest first, until the context ends."""
    stop = asyncio.Event()
    async with open_channel(Address.parse(address)) as channel, asyncio.TaskGroup() as tasks:
        for place, player in enumerate(players):
            stronger = frozenset(other.bot_id for other in players[:place])
            bot = StrongBot(player, stronger, PlayServiceStub(channel), tickets)
            quick = Backoff(least=0.1, most=0.5)
            tasks.create_task(run_bot(bot, address, player.token, stop=stop, backoff=quick))
        try:
            yield
        finally:
            stop.set()


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Return what a call returns, as soon as there is a server that answers it."""
    while True:
        try:
            return await call()
        except ShoalError as error:
            if error.code not in AWAY:
                raise
            await asyncio.sleep(0.1)
