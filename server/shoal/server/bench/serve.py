"""What a move costs a server, beside what an echo costs: `shoal bench serve`."""

import asyncio
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from shoal.server.bench.driver import Counts, Driver, driving
from shoal.server.bench.echo import WARM_UP, Echo, echoing
from shoal.server.bench.meter import Meter
from shoal.server.bench.network import run_loop
from shoal.server.bench.turns import Slice, Turns
from shoal.server.children import ChildFailed, ServerChild, running_server, unless_one_ends
from shoal.server.together import first_error
from shoal.v1 import play_service_pb2

LOADS = (32, 256)
ANSWER_BYTES = 220
"""The echo's answer: the size of a typical update, which the figures give as measured beside it."""

SLICE_SECONDS = 0.8
LEAST_TURNS = 3


def bench_serve(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measure each load for so many seconds, in turns with an echo, and return the figures.

    About as much goes by for warming up, and for the echo. Raise ChildFailed when a program fails.
    """
    try:
        return run_loop(_bench(seconds, progress))
    except ExceptionGroup as failures:
        raise ChildFailed(" ".join(str(first_error(failures)).split())) from failures


async def _bench(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measure the loads one after the other, each in turns with the echo."""
    with tempfile.TemporaryDirectory(prefix="shoal-bench-") as name:
        folder = Path(name)
        async with (
            echoing(folder, _typical_request(), ANSWER_BYTES) as echo,
            running_server(folder, "--no-director") as server,
        ):
            return await unless_one_ends(
                _play(server, echo, seconds, progress), [server.child, echo.child]
            )


async def _play(
    server: ServerChild, echo: Echo, seconds: float, progress: Callable[[str], None]
) -> dict[str, object]:
    """Play each load, and return all figures."""
    loads: list[Turns] = []
    async with driving(server.address, server.admin_token) as driver:
        for matches in LOADS:
            progress(f"playing {matches} matches at once, in turns with a bare echo")
            driver.resume()
            await driver.raise_to(matches)
            await asyncio.sleep(seconds / 3)
            loads.append(await _in_turns(server, driver, echo, seconds))
        progress("playing at half of that")
        shown = [
            {"matches": matches, **load.played.figures(), **load.ratios()}
            for matches, load in zip(LOADS, loads, strict=True)
        ]
        driver.think_seconds = _thinking(LOADS[-1], loads[-1].played, loads[0].played)
        driver.resume()
        await asyncio.sleep(seconds / 3)
        half = await take_slice(server, driver, seconds)
        worst = max(loads, key=lambda load: load.ratio)
        echoes = [each for load in loads for each in load.echoes]
        return {
            "loads": shown,
            "half_load": {"matches": LOADS[-1], **half.figures()},
            "echo_us": round(statistics.median(each.us_per_pair for each in echoes), 1),
            "echo_us_each": [round(each.us_per_pair, 1) for each in echoes],
            "echo_pairs_per_s": round(statistics.median(each.pairs_per_s for each in echoes)),
            **worst.ratios(),
            "update_bytes": statistics.median_low(driver.sizes),
            "seconds": seconds,
            "python": platform.python_version(),
            "cpus": os.cpu_count(),
        }


async def _in_turns(server: ServerChild, driver: Driver, echo: Echo, seconds: float) -> Turns:
    """Play for so many seconds in slices, each followed by one of the echo, while the other one rests.

    The speed of a machine drifts within seconds: what is compared must be measured side by side.
    """
    number = max(LEAST_TURNS, round(seconds / SLICE_SECONDS))
    turns = Turns()
    for _ in range(number):
        driver.resume()
        await asyncio.sleep(WARM_UP)
        played = await take_slice(server, driver, seconds / number)
        await driver.pause()
        turns.add(played, await echo.measure(seconds / number / 2))
    return turns


async def take_slice(server: ServerChild, driver: Driver, seconds: float) -> Slice:
    """Return what happens in the next so many seconds."""
    counts = driver.counts = Counts()
    server_meter, redis_meter, started = (
        Meter(server.pid),
        Meter(server.redis_pid),
        time.perf_counter(),
    )
    await asyncio.sleep(seconds)
    driver.counts = Counts()
    played = Slice(counts, server_meter.spent(), redis_meter.spent(), time.perf_counter() - started)
    if counts.refused or not counts.moves:
        raise ChildFailed(f"{counts.moves} moves counted; refused: {dict(counts.refused)}")
    return played


def _thinking(matches: int, peak: Slice, unhurried: Slice) -> float:
    """Return for how many seconds bots wait so that as many matches make half as many moves.

    An answer takes then about as long as where the server was `unhurried`.
    """
    answer = statistics.median(unhurried.counts.latencies)
    return max(0.0, 2 * matches / peak.moves_per_s - answer)


def _typical_request() -> bytes:
    """Return one answer as a client sends it."""
    request = play_service_pb2.PlayRequest()
    request.moves.add(match_id="0" * 32, decision_id="0" * 16, option_id=100)
    return request.SerializeToString()
