"""A director in the process of a test, which takes matches into an archive as soon as they are over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shoal.server.director import Director, Pairing, Settings
from shoal.server.director import Stores as DirectorStores
from shoal.server.store import keys
from shoal.server.store.archive import Archive
from shoal.server.stores import Stores
from tests.server.support import until

AT_ONCE = Settings(ladders=(), lease=0.6, poll=0.02, retention=0, archive=0.02, last_delay=0.05)


def director(stores: Stores, archive: Archive | None, settings: Settings = AT_ONCE) -> Director:
    """Return a director that creates no match."""

    async def create(pairing: Pairing) -> None:
        raise AssertionError(pairing)

    parts = DirectorStores(
        pipe=stores.pipe,
        leases=stores.leases,
        competitions=stores.competitions,
        bots=stores.bots,
        matches=stores.matches,
        presences=stores.presences,
        outbox=stores.outbox,
        bells=stores.bells,
        archive=archive,
    )
    return Director(parts, create, settings)


@asynccontextmanager
async def archiving(stores: Stores, archive: Archive) -> AsyncIterator[None]:
    """Run such a director."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(director(stores, archive).run())
        yield
        task.cancel()


async def taken_out(stores: Stores, *match_ids: str) -> None:
    """Return when none of these matches is in Redis any more."""

    async def is_gone() -> bool:
        there = await stores.pipe.many(("EXISTS", keys.match(id_)) for id_ in match_ids)
        return not any(there)

    await until(is_gone)
