"""The kit's own way out of a match."""

import asyncio
from pathlib import Path

from shoal.server.chaos.journal import Journal
from shoal.server.chaos.resigning import resign
from shoal.server.store import launch_redis
from tests.server.streams import PATIENCE
from tests.server.support import serving


async def test_a_bot_that_leaves_does_not_wait_for_the_end_of_what_is_over(
    tmp_path: Path, journal: Journal
) -> None:
    """A player hears of an end only when it has answered, so it would wait for itself."""
    with launch_redis(tmp_path / "data") as redis:
        async with asyncio.timeout(PATIENCE), serving(redis.url) as server:
            bots = await server.team(2)
            match_id = await server.deal(*bots)
            await server.resign(bots[1], match_id)
            await resign(f"127.0.0.1:{server.port}", bots[0].token, journal, match_id)
    assert journal.resigned == {match_id: False}
