"""One run from its beginning to its report: start, play under faults, let everything end, compare."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from shoal.server.chaos.arena import Arena
from shoal.server.chaos.crowd import Crowd, gathered_crowd
from shoal.server.chaos.evidence import Witness
from shoal.server.chaos.log_checks import check_logs
from shoal.server.chaos.plan import Plan
from shoal.server.chaos.policy import Policy
from shoal.server.chaos.report import Report, report_of
from shoal.server.chaos.schedule import run_schedule
from shoal.server.chaos.stack import footprint_of, running_stack
from shoal.server.chaos.timeline import Timeline
from shoal.server.chaos.verdict import findings_of
from shoal.server.chaos.watching import begun, settle, watching
from shoal.server.store.pipe import Pipe


async def run_plan(plan: Plan, folder: Path, say: Callable[[str], None]) -> Report:
    """Run it in a folder, which keeps journals and logs; raise what a fault or a bot raises."""
    started = time.monotonic()
    timeline = Timeline()
    policy = Policy(plan.seed, plan.thinking)
    async with (
        running_stack(
            folder, say, servers=plan.servers, workers=plan.workers, cluster=plan.cluster
        ) as (stack, admin_token),
        gathered_crowd(stack, admin_token, folder, plan.matches, policy) as crowd,
        AsyncExitStack() as life,
    ):
        async with watching(timeline, crowd, say), _playing(crowd) as playing:
            await _disturb(plan, Arena(stack, crowd, timeline), playing, say)
            say("no more faults: what is being played comes to its end")
            witness = Witness(await life.enter_async_context(Pipe(stack.store.url)))
            await crowd.leave(stack.address)
            await _while_they_play(settle(witness, crowd, plan.patience), playing, say)
        timeline.write(folder / "faults.jsonl")
        say("holding the journals against the records")
        cases = await witness.cases(stack.address)
        findings = await findings_of(stack, crowd, witness, cases, timeline)
        findings += check_logs(folder, stack, timeline)
        footprints = {each.name: (each.footprint, footprint_of(each)) for each in stack.processes}
    with (folder / "findings.jsonl").open("w") as stream:
        stream.writelines(json.dumps(each._asdict()) + "\n" for each in findings)
    seconds = time.monotonic() - started
    return report_of(
        plan, seconds, cases, crowd, timeline, findings=findings, footprints=footprints
    )


@asynccontextmanager
async def _playing(crowd: Crowd) -> "AsyncIterator[asyncio.Task[None]]":
    """Let the bots play until the context ends, and close their streams in order then."""
    playing = asyncio.create_task(crowd.play())
    try:
        yield playing
        crowd.stop()
        await playing
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _disturb(
    plan: Plan,
    arena: Arena,
    playing: "asyncio.Task[None]",
    say: Callable[[str], None],
) -> None:
    """Let faults happen while the bots play; raise what ends the bots before that."""
    await begun(arena.crowd, playing)
    say(f"{len(arena.crowd.members)} bots play, {len(plan.faults)} kinds of fault begin")
    schedule = run_schedule(arena, plan.faults, plan.seed, plan.seconds, plan.at_least)
    await _while_they_play(schedule, playing, say)


async def _while_they_play(
    work: Coroutine[Any, Any, None], playing: "asyncio.Task[None]", say: Callable[[str], None]
) -> None:
    """Do something to its end; raise what ends the bots before that."""
    working = asyncio.create_task(work)
    try:
        await asyncio.wait({working, playing}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            say("a bot could not go on")
            await playing
        await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
