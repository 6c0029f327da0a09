"""What `shoal match show` says of a match that a server has ended."""

import asyncio
import subprocess
import sys

from tests.server.support import Server
from tests.server.test_time import run_out

READY_MS = 60_000


async def test_a_match_that_never_began_says_who_was_not_there(server: Server) -> None:
    """Whoever looks for a bot that does not say ready finds it by name."""
    anna, bert = await server.team(2)
    match_id = await server.create_waiting(anna, bert, ready_ms=READY_MS)
    await server.ready(anna, match_id)
    await run_out(server, match_id, READY_MS)
    words = ["match", "show", match_id, "--server", f"127.0.0.1:{server.port}"]
    shown = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "shoal.cli", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert f"  seat 0  {anna.name}\n" in shown.stdout
    assert f"  seat 1  {bert.name} (was not ready in time)\n" in shown.stdout
    assert shown.stdout.endswith("seat 1 was not ready in time, so nothing was played\n")
