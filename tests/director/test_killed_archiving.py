"""Whoever archives is killed at any instant: every match is in the store or in the archive, or in both."""

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from shoal.server.store import keys
from shoal.server.store.archive import Archive
from shoal.server.store.bells import Bells
from shoal.server.store.launcher import PrivateRedis
from shoal.server.store.matches import MatchStore, StoredMatch
from shoal.server.store.pipe import Pipe

from .arena import until
from .test_archiving import Attic

KILLS = 6
MOST_KILLS = 40
EACH = 40
"""How many matches there are more before each kill."""

ROOT = Path(__file__).parents[2]


async def killed(
    url: str, folder: Path, token: int, is_time: Callable[[], Awaitable[bool]]
) -> None:
    """Let a process archive until it is time, and kill it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.director.archiver", url, str(folder), str(token)),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"begins\n"
    await until(is_time)
    process.kill()
    await process.wait()


async def there(pipe: Pipe, match_ids: Iterable[str]) -> int:
    """Return how many of these matches Redis has."""
    return sum(await pipe.many(("EXISTS", keys.match(match_id)) for match_id in match_ids))


async def test_nothing_is_lost_whenever_it_is_killed(redis: PrivateRedis, tmp_path: Path) -> None:
    """After each kill every match can be read as it was, and in the end none is left in the store."""
    chance = random.Random(5)
    folder = tmp_path / "archive"
    async with Pipe(redis.url) as pipe, Bells(redis.url) as bells:
        await pipe.command("FLUSHALL")
        attic = Attic(pipe, bells, folder)
        before: dict[str, tuple[StoredMatch | None, list[bytes]]] = {}
        halves: list[tuple[int, int]] = []
        for kill in range(MOST_KILLS):
            if kill >= KILLS and any(gone < kept for kept, gone in halves):
                break
            for match_id in await asyncio.gather(*(attic.over() for _ in range(EACH))):
                before[match_id] = (
                    await attic.matches.load(match_id),
                    await attic.matches.entries(match_id),
                )
            kept, gone = len(attic.archive.has(before)), len(before) - await there(pipe, before)
            some = chance.randrange(1, EACH)

            async def is_time(
                kill: int = kill, kept: int = kept + some, gone: int = gone + some
            ) -> bool:
                """Look at the files, or at the store, in turn: a kill falls into the one or the other."""
                if kill % 2:
                    return len(before) - await there(pipe, before) >= gone
                return len(attic.archive.has(before)) >= kept

            await killed(redis.url, folder, kill + 1, is_time)
            halves.append((len(attic.archive.has(before)), len(before) - await there(pipe, before)))
            reader = MatchStore(pipe, Archive(folder))  # which remembers nothing
            for match_id, stored in before.items():
                assert (await reader.load(match_id), await reader.entries(match_id)) == stored
        assert any(gone < kept for kept, gone in halves)  # else no kill was in between
        last = attic.archiving(MOST_KILLS + 1)
        while await last.look():
            pass
        assert not await there(pipe, before)
        assert attic.archive.has(before) == before.keys()
        files = list(folder.rglob("*.gz"))
        assert len(files) == len(before)
