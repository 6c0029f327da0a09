"""When which fault happens: lanes side by side, each a seeded shuffle of its kinds, round after round.

At the end no process is touched for a while: what is looked at for leaks has then lived long enough to
have some.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from shoal.server.chaos.arena import Arena, NothingToTouch
from shoal.server.chaos.faults import Fault, Lane
from shoal.server.chaos.network_faults import Accepted
from shoal.server.chaos.timeline import Incident

LAST_SHARE: Final = 0.2
"""The share of the time in which processes are left alone, at its end (T101)."""

LONGEST_BREATH: Final = 0.8
"""Seconds between two faults of a lane, at most."""

NOTICE_SECONDS: Final = 5.0
"""How long the next fault of a process waits after a takeover: what all who knew of it are killed with,
nobody can notice."""

IN_VAIN: Final = ", in vain"
"""Added to the kind of a fault that came to nothing: its time excuses as ever, and it does not count."""

LONGER: Final = 3.0
LONGER_SECONDS: Final = 60.0
"""How often its time, and how many seconds more, a lane may take until each of its kinds has happened often
enough: a busy machine needs longer for the same faults."""


async def run_schedule(
    arena: Arena,
    faults: Sequence[Fault],
    seed: int,
    seconds: float,
    at_least: int,
) -> None:
    """Let these faults happen for so long, and until each has so often; each is undone before this returns.

    Raise what a fault raises, such as ChildFailed when a server does not start again.
    """
    last = seconds * LAST_SHARE
    await _run_lanes(arena, faults, f"{seed}", seconds - last, at_least)
    spared = [fault for fault in faults if fault.lane is not Lane.PROCESS]
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(asyncio.sleep(last))
        tasks.create_task(_run_lanes(arena, spared, f"{seed}:last", last, 0))


async def _run_lanes(
    arena: Arena, faults: Sequence[Fault], seed: str, seconds: float, at_least: int
) -> None:
    """Run the lanes of these faults side by side, for so long and until each kind has happened so often."""
    until = time.monotonic() + seconds
    give_up = until + seconds * LONGER + LONGER_SECONDS

    def goes_on(own: Sequence[Fault]) -> bool:
        now = time.monotonic()
        counts = arena.timeline.counts(each.kind for each in own)
        return now < until or (now < give_up and min(counts.values()) < at_least)

    async with asyncio.TaskGroup() as tasks:
        for number, lane in enumerate(Lane):
            own = [fault for fault in faults if fault.lane is lane]
            if own:
                dice = random.Random(f"{seed}:{number}")
                tasks.create_task(_run_lane(arena, own, dice, goes_on))


async def _run_lane(
    arena: Arena,
    faults: Sequence[Fault],
    dice: random.Random,
    goes_on: Callable[[Sequence[Fault]], bool],
) -> None:
    """Let the faults of one lane happen."""
    waiting: list[Fault] = []
    while goes_on(faults):
        if not waiting:
            waiting = dice.sample(faults, len(faults))
        await asyncio.sleep(dice.uniform(0, LONGEST_BREATH))
        fault = waiting.pop()
        try:
            await _happen(arena, fault, dice)
        except NothingToTouch:
            waiting.insert(0, fault)


async def _happen(arena: Arena, fault: Fault, dice: random.Random) -> None:
    """Let one fault happen, and note it; raise NothingToTouch when it could not, or came to nothing."""
    timeline = arena.timeline
    begin = time.monotonic()
    takeovers = len(timeline.takeovers)
    lasts = dice.uniform(*fault.seconds)
    touched: frozenset[str] | None = None
    in_vain: NothingToTouch | None = None
    try:
        async with fault.happening(arena, dice) as touched:
            await asyncio.sleep(lasts)
    except Accepted as taken:
        timeline.accepted.append(str(taken))
    except NothingToTouch as nothing:
        if touched is None:
            raise
        in_vain = nothing
    kind = fault.kind if in_vain is None else fault.kind + IN_VAIN
    bots = touched or frozenset()
    timeline.add(Incident(kind, fault.blame, begin, time.monotonic(), bots))
    if len(timeline.takeovers) > takeovers:
        await asyncio.sleep(NOTICE_SECONDS)
    if in_vain is not None:
        raise in_vain
