"""Streams read what is new when the bell of their bot rings, each part of the store on its own."""

import asyncio
from functools import partial
from typing import final

from shoal.server.hub.hub import Hub, by_partition
from shoal.server.parts import Parts, Work
from shoal.server.store.errors import StoreUnavailable
from shoal.server.streams.claims import Claims
from shoal.server.streams.seats import Seats
from shoal.server.streams.session import End, Session

AGAIN_SECONDS = 1.0
"""How long what could not be read waits for its part of the store."""


@final
class Listening:
    """Brings streams up to date with the store."""

    def __init__(self, hub: Hub, seats: Seats, claims: Claims) -> None:
        """Bring tables of `hub` up to date, with `seats` what a bot has, and with `claims` where it is."""
        self._hub = hub
        self._seats = seats
        self._claims = claims

    async def keep(self, session: Session) -> None:
        """For ever: bring a stream up to date whenever the bot's bell rings.

        What happened in its matches does not wait for what is said of the bot, nor for one another.
        """
        async with asyncio.TaskGroup() as tasks:
            parts = Parts(tasks)
            while True:
                await session.rung.wait()
                session.rung.clear()
                parts.do("bot", partial(_insist, partial(self._look, session)))
                for partition, tables in by_partition(session.tables.values()).items():
                    parts.do(partition, partial(_insist, partial(self._hub.catch_up, tables)))

    async def _look(self, session: Session) -> None:
        """End a stream whose bot has a newer one, and give it its new matches; raise StoreUnavailable."""
        if session.ends:
            return
        if await self._claims.is_superseded(session):
            session.end(End.SUPERSEDED)
        else:
            await self._seats.fill(session, {}, opening=False)


async def _insist(work: Work) -> None:
    """Do it again until the part of the store that it needs is there."""
    while True:
        try:
            return await work()
        except StoreUnavailable:
            await asyncio.sleep(AGAIN_SECONDS)
