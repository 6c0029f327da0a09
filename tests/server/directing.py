"""A director beside the servers of a test, and bots that play on a stream."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import TypeAlias

from shoal.match import TimeControl
from shoal.server.director import Director, Pairing, Settings
from shoal.server.director import Stores as DirectorStores
from shoal.server.play.creation import Creation
from shoal.server.stores import Stores
from shoal.v1 import play_service_pb2 as pb
from tests.server.streams import Stream, at_random, respond
from tests.server.support import Bot, Server

QUICK = Settings(lease=0.6, tick=0.05, breath=0, poll=0.1, cool_off=0.1, first_retrial=0.1)

READY_MS = 1_000
"""How long seats are waited for here."""

Wants: TypeAlias = Callable[[pb.MatchUpdate], bool]


@asynccontextmanager
async def directing(
    stores: Stores, settings: Settings = QUICK, ready_ms: int = READY_MS
) -> AsyncIterator[None]:
    """Run a director until the end of the context; it makes matches as a process of the server does."""
    creation = Creation(stores.matches, stores.bots, stores.competitions, "0.0")

    async def create(pairing: Pairing) -> None:
        await creation.create_for_competition(
            pairing.match_id,
            pairing.bots,
            ruleset_name=pairing.ruleset,
            competition=pairing.competition_id,
            rated=pairing.rated,
            time=TimeControl(ready_ms=ready_ms, **asdict(pairing.time_control)),
            names_hidden=pairing.names_hidden,
        )

    parts = DirectorStores(
        pipe=stores.pipe,
        leases=stores.leases,
        competitions=stores.competitions,
        bots=stores.bots,
        matches=stores.matches,
        presences=stores.presences,
        outbox=stores.outbox,
        bells=stores.bells,
    )
    settings = replace(settings, ladders=())
    async with asyncio.TaskGroup() as group:
        running = group.create_task(Director(parts, create, settings).run())
        try:
            yield
        finally:
            running.cancel()


@asynccontextmanager
async def playing(server: Server, bot: Bot, **hello: object) -> AsyncIterator[Stream]:
    """Let a bot play all that it is asked, until the end of the context."""
    async with server.stream(bot, **{"max_matches": 1, **hello}) as stream:
        choose = at_random()

        async def play() -> None:
            for update in stream.snapshot.matches:
                await respond(stream, update, choose)
            while True:
                update = await stream.next()
                if update.WhichOneof("kind") == "match_update":
                    await respond(stream, update.match_update, choose)

        task = asyncio.create_task(play())
        try:
            yield stream
        finally:
            task.cancel()
            await asyncio.wait([task])
