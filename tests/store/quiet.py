"""What rang before a test: on a cluster each node passes bells on to the others, and one may come late."""

import asyncio
from functools import partial

from shoal.server.store import Bells, Pipe, new_id


async def quiet(pipe: Pipe, bells: Bells) -> None:
    """Return when all that rang before is over: each node passes bells on in their order."""
    channel, last = new_id(), asyncio.Queue[None]()
    await bells.subscribe(channel, partial(last.put_nowait, None))
    await last.get()
    for master in pipe.masters:
        await master.command("PUBLISH", channel, "")
        await last.get()
