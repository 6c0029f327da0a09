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
from shoal.server.bench.echo import EchoCost, measure_echo
from shoal.server.bench.meter import Meter
from shoal.server.bench.network import run_loop
from shoal.server.children import ChildFailed, ServerChild, running_server, unless_one_ends
from shoal.v1 import play_service_pb2

LOADS = (32, 256)
ANSWER_BYTES = 220
"""The echo's answer: the size of a typical update, which the figures give as measured beside it."""

_MS = 1e3
_US = 1e6


def bench_serve(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measure an echo and each load for so many seconds, and return the figures.

    A third more goes by before each for warming up. Raise ChildFailed when a program fails.
    """
    try:
        return run_loop(_bench(seconds, progress))
    except ExceptionGroup as failures:
        first: BaseException = failures
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        raise ChildFailed(" ".join(str(first).split())) from failures


async def _bench(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measure an echo before, between and after the loads, so that a machine whose speed drifts is fair."""
    echoes: list[EchoCost] = []
    loads: list[dict[str, float]] = []
    half: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="shoal-bench-") as name:
        folder = Path(name)

        async def echo() -> None:
            progress("measuring a bare echo")
            request = _typical_request()
            echoes.append(await measure_echo(folder, request, ANSWER_BYTES, seconds / 3))

        async def play(server: ServerChild) -> int:
            async with driving(server.address, server.admin_token) as driver:
                for matches in LOADS:
                    progress(f"playing {matches} matches at once")
                    await driver.raise_to(matches)
                    await asyncio.sleep(seconds / 3)
                    loads.append(await _load(server, driver, matches, seconds))
                    await driver.pause()
                    await echo()
                    driver.resume()
                progress("playing at half of that")
                peak = loads[-1]
                driver.think_seconds = _thinking(peak, loads[0]["p50_ms"])
                await asyncio.sleep(seconds / 3)
                half.update(await _load(server, driver, int(peak["matches"]), seconds))
                return statistics.median_low(driver.sizes)

        await echo()
        async with running_server(folder, "--no-director") as server:
            update_size = await unless_one_ends(play(server), [server.child])
    worst = max(load["server_us_per_move"] for load in loads)
    echo_us = statistics.mean(each.us_per_pair for each in echoes)
    return {
        "loads": loads,
        "half_load": half,
        "echo_us": round(echo_us, 1),
        "echo_us_each": [round(each.us_per_pair, 1) for each in echoes],
        "echo_pairs_per_s": round(statistics.mean(each.pairs_per_s for each in echoes)),
        "ratio": round(worst / echo_us, 2),
        "update_bytes": update_size,
        "seconds": seconds,
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
    }


async def _load(
    server: ServerChild, driver: Driver, matches: int, seconds: float
) -> dict[str, float]:
    """Return the figures of the next so many seconds."""
    counts = driver.counts = Counts()
    server_meter, redis_meter, started = (
        Meter(server.pid),
        Meter(server.redis_pid),
        time.perf_counter(),
    )
    await asyncio.sleep(seconds)
    server_cpu, redis_cpu, took = (
        server_meter.spent(),
        redis_meter.spent(),
        time.perf_counter() - started,
    )
    if counts.refused or not counts.moves:
        raise ChildFailed(f"{counts.moves} moves counted; refused: {dict(counts.refused)}")
    percentiles = statistics.quantiles(counts.latencies, n=100)
    overheads = statistics.quantiles(counts.overheads, n=100)
    return {
        "matches": matches,
        "moves_per_s": round(counts.moves / took),
        "p50_ms": round(percentiles[49] * _MS, 2),
        "p99_ms": round(percentiles[98] * _MS, 2),
        "overhead_p50_ms": round(overheads[49] * _MS, 2),
        "overhead_p99_ms": round(overheads[98] * _MS, 2),
        "server_us_per_move": round(server_cpu / counts.moves * _US, 1),
        "redis_us_per_move": round(redis_cpu / counts.moves * _US, 1),
        "moves_per_message": round(counts.moves / counts.messages, 2),
        "finished": counts.finished,
    }


def _thinking(peak: dict[str, float], answer_ms: float) -> float:
    """Return for how many seconds bots wait so that as many matches make half as many moves.

    `answer_ms` is how long an answer takes when the server is not at its peak.
    """
    return max(0.0, 2 * peak["matches"] / peak["moves_per_s"] - answer_ms / _MS)


def _typical_request() -> bytes:
    """Return one answer as a client sends it."""
    request = play_service_pb2.PlayRequest()
    request.moves.add(match_id="0" * 32, decision_id="0" * 16, option_id=100)
    return request.SerializeToString()
