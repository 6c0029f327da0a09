"""Whatever the document lets one ask, and much that it does not, is answered as the document says.

schemathesis asks; docs/openapi.md says what it looks at. `make fuzz` asks for far longer.
"""

import asyncio
import os
import sysconfig
from pathlib import Path

import pytest

from tests.openapi.calls import OPERATIONS
from tests.openapi.test_streams import STREAMS
from tests.server.support import Server

CONFIG = Path(__file__).with_name("schemathesis.toml")
SCRIPTS = Path(sysconfig.get_path("scripts"))
EXAMPLES = int(os.environ.get("SHOAL_FUZZ_EXAMPLES", "3"))
"""How many requests are made up for each operation, beside those that its schema asks for by its bounds."""

SEED = os.environ.get("SHOAL_FUZZ_SEED", "")
"""From where chance begins; without it the requests are always the same."""

LONGEST = 480 + EXAMPLES * 60
"""Seconds after which something hangs, on a machine that is very busy with other things."""


@pytest.mark.timeout(LONGEST + 10)
async def test_no_request_finds_a_fault(server: Server, tmp_path: Path) -> None:
    """Asked by a bot that is an organizer, too, so that every operation has much to do."""
    bot = await server.register()
    token = await server.stores.tokens.issue(bot.owner, bot.bot_id, admin=True)
    await server.make_ladder("fuzzed", seats=(2,))
    await server.make_tournament()
    words = [
        *("--config-file", str(CONFIG), "run", f"{server.http}/openapi.json"),
        *("--header", f"Authorization: Bearer {token}"),
        *("--max-examples", str(EXAMPLES)),
        *(("--seed", SEED) if SEED else ("--generation-deterministic",)),
        *("--request-timeout", "60", "--no-color"),
        *("--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"),
    ]
    process = await asyncio.create_subprocess_exec(
        SCRIPTS / "schemathesis",
        *words,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "NO_COLOR": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LONGEST):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    text = said.decode()
    assert process.returncode == 0, text
    every, streams = len(OPERATIONS), len(STREAMS)
    assert f"Tested: {every - streams}" in text
