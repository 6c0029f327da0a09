"""Polls, one by one; and a bot that polls, heard as a Play stream is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from google.protobuf.duration_pb2 import Duration

from shoal.v1 import play_service_pb2 as pb
from tests.server.calling import Calling, heard
from tests.server.streams import PATIENCE
from tests.server.support import Bot, Fields, Server, until

LONG = Duration(seconds=30)
"""The longest wait that there is."""

POLL_SECONDS = 0.5
"""How long each poll waits."""

THINKING_SECONDS = 0.05
"""After so long a bot that still thinks about something polls all the same: others may ask it too."""


class Polling(Calling):
    """What a bot hears that polls: each question once, until it answers it or it is another one.

    `token` is the resume token of the last response; `places` are the servers that it asks in turn.
    """

    def __init__(
        self, server: Server, bot: Bot, places: tuple[Server, ...], token: str, fields: Fields
    ) -> None:
        super().__init__(server, bot)
        self.places = places
        self.token = token
        self.polls = 0
        self._fields = fields
        self._asked: dict[str, str] = {}
        self._open: set[str] = set()
        self._answered = asyncio.Event()
        self._finishing = False

    async def pump(self) -> None:
        """Poll until a poll is refused, or nobody listens any more."""
        try:
            while not self._finishing:
                await self.poll(POLL_SECONDS)
                await self._think()
            await self.poll(0)
        except grpc.aio.AioRpcError:
            pass  # the code of the call says it
        finally:
            self._updates.put_nowait(None)

    async def finish(self) -> list[str]:
        """Poll twice more, and no more then; return the kinds of all that was ever heard."""
        self._finishing = True
        return await self.rest()

    async def poll(self, wait: float) -> None:
        """Make one poll, of all its pages, and hear what is new in it."""
        page = ""
        open_now: set[str] = set()
        while True:
            place = self.places[self.polls % len(self.places)]
            self.polls += 1
            request = pb.ListDecisionsRequest(
                wait=Duration(nanos=int(wait * 1e9)),
                page_token=page,
                resume_token=self.token,
                **self._fields,
            )
            self.call = place.plays.ListDecisions(request, metadata=self.bot.metadata)
            response = await self.call
            self.token = response.resume_token
            for update in response.matches:
                question = update.decision.decision_id or "ready?"
                open_now.add(update.match_id)
                # The same question again may bring what happened to it meanwhile, as a credit.
                if self._asked.get(update.match_id) != question or update.events:
                    self._asked[update.match_id] = question
                    self.put(match_update=update)
            for finished in response.finished:
                self.put(match_finished=finished)
            page = response.next_page_token
            if not page:
                self._open = open_now
                return

    async def say(self, **fields: Fields) -> None:
        """Make the calls, and note what is answered with them."""
        await super().say(**fields)
        for said in fields.values():
            self._open -= {each.match_id for each in said}
        self._answered.set()

    async def _think(self) -> None:
        """Wait until everything that was asked is answered, but not for long."""
        try:
            async with asyncio.timeout(THINKING_SECONDS):
                while self._open:
                    self._answered.clear()
                    await self._answered.wait()
        except TimeoutError:
            pass


async def poll(server: Server, bot: Bot, **fields: Fields) -> pb.ListDecisionsResponse:
    """Make one poll."""
    async with asyncio.timeout(PATIENCE):
        request = pb.ListDecisionsRequest(**fields)
        return await server.plays.ListDecisions(request, metadata=bot.metadata)


def waiting(server: Server, bot: Bot, **fields: Fields) -> "asyncio.Task[pb.ListDecisionsResponse]":
    """Start a poll that waits."""
    return asyncio.create_task(poll(server, bot, wait=LONG, **fields))


async def is_waiting(server: Server, bot: Bot, count: int = 1) -> None:
    """Return when so many polls of a bot listen to its bell."""

    async def listening() -> bool:
        bell = server.stores.bells._bells.get(f"shoal:bell:bot:{bot.bot_id}")
        return bell is not None and bell.confirmed.is_set() and len(bell.rings) == count

    await until(listening)


@asynccontextmanager
async def by_polls(
    server: Server, bot: Bot, *, places: tuple[Server, ...] = (), token: str = "", **said: Fields
) -> AsyncIterator[Polling]:
    """Come in by ListDecisions, and answer by plain calls."""
    fields = {"max_matches": 1000, **said}
    stream = Polling(server, bot, places or (server,), token, fields)
    async with heard(stream):
        yield stream
