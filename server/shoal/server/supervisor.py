"""The director's process beside a server: started, started again when it dies, and ended with the server."""

import asyncio
import subprocess
import sys

import structlog

from shoal.server.spawn import Program

STOP_SECONDS = 10.0
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
HEALTHY_SECONDS = 60.0
"""A director that ran this long was well: the next start does not wait long."""

log = structlog.get_logger()


async def keep_director(redis_url: str, *, json_logs: bool) -> None:
    """Keep a director running on the store at this URL until cancelled; then end it."""
    loop = asyncio.get_running_loop()
    delay = FIRST_DELAY_SECONDS
    while True:
        started = loop.time()
        process = _start(redis_url, json_logs=json_logs)
        try:
            code = await process.wait()
        finally:
            await _end(process)
        if loop.time() - started > HEALTHY_SECONDS:
            delay = FIRST_DELAY_SECONDS
        log.error("director_died", code=code, again_in_seconds=delay)
        await asyncio.sleep(delay)
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)


def _start(redis_url: str, *, json_logs: bool) -> Program:
    """Start a director. Its standard input is ours to hold: should we be killed, it closes, and it ends."""
    words = ["-m", "shoal.cli.main", "director", "--with-parent", "--redis-url", redis_url]
    if json_logs:
        words.append("--json-logs")
    return Program([sys.executable, *words], stdin=subprocess.PIPE)


async def _end(process: Program) -> None:
    """Ask the process to end, and kill it when it does not."""
    try:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
    finally:
        process.close_stdin()
