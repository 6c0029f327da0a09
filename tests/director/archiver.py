"""A process that does nothing but archive, for a test to kill: its arguments are URL, FOLDER and TOKEN."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from shoal.server.director.archiving import Archiving
from shoal.server.director.settings import Settings
from shoal.server.store.archive import Archive
from shoal.server.store.bots import BotStore
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.matches import MatchStore
from shoal.server.store.pipe import Pipe
from shoal.server.store.shelves import Shelves


async def archive(url: str, folder: Path, token: int) -> None:
    """Archive all that is over, for ever, from when standard output has been told so."""
    kept = Archive(folder)
    async with Pipe(url) as pipe:
        archiving = Archiving(
            kept,
            Shelves(pipe, token, kept.place),
            CompetitionStore(pipe),
            MatchStore(pipe, kept),
            BotStore(pipe),
            replace(Settings(), retention=0, archive=0.01),
        )
        print("begins", flush=True)  # noqa: T201 - this is how the test hears it
        await archiving.run()


if __name__ == "__main__":
    asyncio.run(archive(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
