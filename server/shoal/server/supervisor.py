"""Processes beside a server: started, started again when they die, and ended with the server."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import structlog

from shoal.server.spawn import Program

STOP_SECONDS = 10.0
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
HEALTHY_SECONDS = 60.0
"""A process that ran this long was well: the next start does not wait long."""

log = structlog.get_logger()


async def keep_director(redis_url: str, *, json_logs: bool) -> None:
    """Keep a director running on the store at this URL until cancelled; then end it."""
    await keep("director_died", partial(_start_director, redis_url, json_logs=json_logs))


async def keep(died: str, start: Callable[[], Program], stop_seconds: float = STOP_SECONDS) -> None:
    """Keep a program running until cancelled; then end it, by force after so many seconds.

    `died` is the line that is logged whenever it ends otherwise.

    The program's standard input should be ours to hold, so that it ends should we be killed. What
    `start` raises ends the keeping.
    """
    loop = asyncio.get_running_loop()
    delay = FIRST_DELAY_SECONDS
    while True:
        started = loop.time()
        process = start()
        try:
            code = await process.wait()
        finally:
            await _end(process, stop_seconds)
        if loop.time() - started > HEALTHY_SECONDS:
            delay = FIRST_DELAY_SECONDS
        log.error(died, pid=process.pid, code=code, again_in_seconds=delay)
        await asyncio.sleep(delay)
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)


def _start_director(redis_url: str, *, json_logs: bool) -> Program:
    """Start a director. Its standard input is ours to hold: should we be killed, it closes, and it ends."""
    words = ["-m", "shoal.cli", "director", "--with-parent"]
    if json_logs:
        words.append("--json-logs")
    environment = {**os.environ, "SHOAL_REDIS_URL": redis_url}  # which may hold a password
    return Program([sys.executable, *words], stdin=subprocess.PIPE, environment=environment)


async def _end(process: Program, stop_seconds: float) -> None:
    """Ask the process to end, and kill it when it does not."""
    try:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), stop_seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
    finally:
        process.close_stdin()
