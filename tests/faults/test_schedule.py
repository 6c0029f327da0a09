"""When which fault happens."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from shoal.server.chaos import schedule
from shoal.server.chaos.arena import Arena
from shoal.server.chaos.faults import Fault, Lane
from shoal.server.chaos.schedule import run_schedule
from shoal.server.chaos.timeline import Blame, Timeline

NOBODY: Any = None
"""Stack and crowd of faults that touch nothing."""


@asynccontextmanager
async def nothing(_arena: Arena, _dice: random.Random) -> AsyncIterator[frozenset[str]]:
    """A fault that does nothing."""
    yield frozenset()


async def test_processes_are_left_alone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are looked at for leaks have been reconnected to and cut off since they began (T101)."""
    monkeypatch.setattr(schedule, "LONGEST_BREATH", 0.001)
    timeline = Timeline()
    faults = [Fault(lane, lane, Blame.NONE, nothing) for lane in (Lane.PROCESS, Lane.BOTS)]
    await run_schedule(Arena(NOBODY, NOBODY, timeline), faults, seed=1, seconds=2, at_least=20)
    counts = timeline.counts([Lane.PROCESS, Lane.BOTS])
    assert min(counts.values()) >= 20
    last = max(each.end for each in timeline.incidents if each.kind == Lane.PROCESS)
    after = [each for each in timeline.incidents if each.kind == Lane.BOTS and each.begin > last]
    assert len(after) >= 10
