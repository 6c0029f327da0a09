"""The bot that docs/api.md shows, which has nothing but the code of the protos, plays matches to the end."""

import asyncio
import re
from pathlib import Path
from typing import Any

from shoal.v1 import match_pb2
from tests.server.support import Server

API = Path(__file__).resolve().parents[2] / "docs" / "api.md"


async def test_the_bot_of_the_document_plays(server: Server) -> None:
    """Two of them, in threads of their own, to the target or the mermaids."""
    [source] = re.findall(r"^```python\n(.*?)^```", API.read_text(), re.MULTILINE | re.DOTALL)
    assert "shoal.client" not in source
    shown: dict[str, Any] = {}
    exec(compile(source, API.name, "exec"), shown)  # noqa: S102 - what readers are told to run
    bots = await server.team(2)
    match_id = await server.create(*bots)
    address = f"127.0.0.1:{server.port}"
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        for bot in bots:
            tasks.create_task(asyncio.to_thread(shown["play"], address, bot.token))
    match = await server.match(match_id)
    assert match.status == match_pb2.MATCH_STATUS_FINISHED
    assert match.result.termination in {
        match_pb2.TERMINATION_TARGET,
        match_pb2.TERMINATION_MERMAIDS,
    }
