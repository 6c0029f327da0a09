"""The director's process beside a server: started, started again when it dies, and ended with the server."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

import structlog

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
        process = await _start(redis_url, json_logs=json_logs)
        try:
            code = await process.wait()
        finally:
            await _end(process)
        if loop.time() - started > HEALTHY_SECONDS:
            delay = FIRST_DELAY_SECONDS
        log.error("director_died", code=code, again_in_seconds=delay)
        await asyncio.sleep(delay)
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)


async def _start(redis_url: str, *, json_logs: bool) -> Process:
    """Start a director in a session of its own: an interrupt from the keyboard is the server's business.

    Its standard input is ours to hold: should we be killed, it closes, and the director ends.
    """
    words = ["-m", "shoal.cli.main", "director", "--with-parent", "--redis-url", redis_url]
    if json_logs:
        words.append("--json-logs")
    return await asyncio.create_subprocess_exec(
        sys.executable, *words, stdin=PIPE, stdout=DEVNULL, start_new_session=True
    )


async def _end(process: Process) -> None:
    """Ask the process to end, and kill it when it does not."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
