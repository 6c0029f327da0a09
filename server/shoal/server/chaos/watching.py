"""How it goes: said now and then, awaited at the beginning and the end, and noted when the kit stalls."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from shoal.server.chaos.crowd import Crowd
from shoal.server.chaos.evidence import Witness
from shoal.server.chaos.timeline import Blame, Incident, Timeline

STALL: Final = "stall"
STALL_SECONDS: Final = 1.0
"""A gap in the kit's own event loop that counts as a fault: the bots were not prompt then."""

SAY_SECONDS: Final = 5.0
LOOK_SECONDS: Final = 0.2

BEGIN_SECONDS: Final = 15.0
"""How long the first matches may take to come about."""

BEGUN: Final = 50
"""How many decisions make a beginning."""


@asynccontextmanager
async def watching(
    timeline: Timeline, crowd: Crowd, say: Callable[[str], None]
) -> AsyncIterator[None]:
    """Say now and then how it goes, and note when the kit itself stands still."""

    async def watch() -> None:
        begun = last = said = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            if now - last > STALL_SECONDS:
                timeline.add(Incident(STALL, Blame.NETWORK, last, now))
            last = now
            if now - said >= SAY_SECONDS:
                said = now
                moves = sum(len(member.journal.answers) for member in crowd.members)
                say(f"{now - begun:4.0f} s: {moves} moves, {len(timeline.incidents)} faults")

    task = asyncio.create_task(watch())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def begun(crowd: Crowd, playing: "asyncio.Task[None]") -> None:
    """Return when the bots have been asked some things, or have ended."""
    until = time.monotonic() + BEGIN_SECONDS
    while sum(len(member.journal.answers) for member in crowd.members) < BEGUN:
        if playing.done() or time.monotonic() > until:
            return
        await asyncio.sleep(LOOK_SECONDS)


async def settle(witness: Witness, crowd: Crowd, patience: float) -> None:
    """Return when every match is over and told, or nothing has happened for long enough."""
    stand: object = None
    since = time.monotonic()
    while time.monotonic() - since < patience:
        open_matches = await witness.open_matches()
        untold = sum(
            match_id not in member.journal.ends
            for member in crowd.members
            for match_id in member.journal.begun
        )
        if not open_matches and not untold:
            return
        if (open_matches, untold) != stand:
            stand, since = (open_matches, untold), time.monotonic()
        await asyncio.sleep(LOOK_SECONDS)
