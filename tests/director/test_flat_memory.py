"""A long run with an archive: what Redis holds does not grow with the matches that were played."""

import asyncio
from pathlib import Path

import pytest

from shoal.server.store import keys
from shoal.server.store.bells import Bells
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.pipe import Pipe

from .test_archiving import Attic, all_keys

ROUNDS = 4
MATCHES = 150
NOISE = 64
"""Bytes a match by which the allocator may differ between two looks."""


async def used(pipe: Pipe) -> int:
    """Return the bytes that Redis holds for its data and its index."""
    info = (await pipe.command("INFO", "memory")).decode()
    lines = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
    return int(lines["used_memory_dataset"])


@pytest.mark.timeout(300)
async def test_memory_is_flat(redis: PrivateRedis, tmp_path: Path) -> None:
    """Round after round of matches comes and goes; keys and bytes stay what they were."""
    async with Pipe(redis.url) as pipe, Bells(redis.url) as bells:
        await pipe.command("FLUSHALL")
        attic = Attic(pipe, bells, tmp_path / "archive")
        sizes, counts = [], []
        for _ in range(ROUNDS):
            await asyncio.gather(*(attic.over() for _ in range(MATCHES)))
            full = await used(pipe)
            archiving = attic.archiving()
            while await archiving.look():
                pass
            await pipe.command("MEMORY", "PURGE")
            sizes.append(await used(pipe))
            counts.append(len(await all_keys(pipe)))
            assert full - sizes[-1] > MATCHES * NOISE
    # A mark and a clock for each partition, and nothing for a match.
    assert max(counts) <= 2 * keys.PARTITIONS
    assert sizes[-1] - sizes[1] < (ROUNDS - 2) * MATCHES * NOISE
