"""The blocks of competitions, in play and over, and the results that they have counted."""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import Final

from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Block, Competition, Ended
from shoal.server.store.pipe import Pipe
from shoal.server.store.replies import pairs
from shoal.server.store.unreadable import Unreadable

_PAGE: Final = 200
"""How many fields of a large hash are read at a time."""


class CompetitionBlocks:
    """What is played, and what was."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe
        self._bad_blocks = Unreadable()

    async def blocks(self, competition_id: str) -> dict[str, Block]:
        """Return the blocks in play that can be read, by key."""
        return (await self.blocks_and_others(competition_id))[0]

    async def blocks_and_others(
        self, competition_id: str
    ) -> tuple[dict[str, Block], frozenset[str]]:
        """Return the blocks in play by key, and the keys of those that cannot be read."""
        found = await self._pipe.command("HGETALL", keys.competition(competition_id, "blocks"))
        texts_of = dict(sorted(pairs(found)))
        read = {
            key: self._bad_blocks.read(
                "block_unreadable", f"{competition_id} {key}", partial(texts.block_of, key, text)
            )
            for key, text in texts_of.items()
        }
        blocks = {key: block for key, block in read.items() if block is not None}
        return blocks, frozenset(texts_of.keys() - blocks.keys())

    async def uncounted(self, found: Competition) -> frozenset[str]:
        """Return the keys of the blocks that are over and do not count after all."""
        if not found.recounted:
            return frozenset()
        key = keys.competition(found.competition_id, "uncounted")
        return frozenset(key.decode() for key in await self._pipe.command("SMEMBERS", key))

    async def block(self, competition_id: str, key: str) -> Block | None:
        """Return a block, in play or over, as it is; None if it has not begun."""
        kinds = ("blocks", "finished")
        in_play, ended = await self._pipe.many(
            ("HGET", keys.competition(competition_id, kind), key) for kind in kinds
        )
        if in_play is not None:
            return texts.block_of(key, in_play)
        return None if ended is None else texts.ended_of(key, ended).block

    async def block_of(self, competition_id: str, match_id: str) -> Block | None:
        """Return the block in play that a match belongs to; None if there is none, or it is over."""
        found = await self.place_of(competition_id, match_id)
        return found if isinstance(found, Block) else None

    async def place_of(self, competition_id: str, match_id: str) -> Block | Ended | None:
        """Return the block that a match belongs to, in play or over; None if there is none."""
        matches = keys.competition(competition_id, "matches")
        name = await self._pipe.command("HGET", matches, match_id)
        if name is None:
            return None
        key = name.decode()
        in_play, over = await self._pipe.many(
            ("HGET", keys.competition(competition_id, kind), key) for kind in ("blocks", "finished")
        )
        if in_play is not None:
            return texts.block_of(key, in_play)
        return None if over is None else texts.ended_of(key, over)

    async def count_blocks(self, competition_id: str) -> tuple[int, int]:
        """Return how many blocks are over, and how many in play."""
        over, in_play = await self._pipe.many(
            ("HLEN", keys.competition(competition_id, kind)) for kind in ("finished", "blocks")
        )
        return over, in_play

    async def ended_pages(self, competition_id: str) -> AsyncIterator[dict[str, Ended]]:
        """Yield every block that is over by its key, some at a time; one may come twice."""
        async for page in self._pages(keys.competition(competition_id, "finished")):
            yield {key: texts.ended_of(key, text) for key, text in page}

    async def result_pages(self, competition_id: str) -> AsyncIterator[dict[str, bytes]]:
        """Yield every counted result by match id, some at a time; one may come twice."""
        async for page in self._pages(keys.competition(competition_id, "results")):
            yield dict(page)

    async def counted(
        self, competition_id: str, match_ids: Sequence[str]
    ) -> dict[str, bytes | None]:
        """Return what has been counted of each of these matches, None where nothing has."""
        key = keys.competition(competition_id, "results")
        found = await self._pipe.command("HMGET", key, *match_ids)
        return dict(zip(match_ids, found, strict=True))

    async def sizes(self, competition_ids: Sequence[str]) -> list[int]:
        """Return how many results each of these competitions has counted."""
        return await self._pipe.many(
            ("HLEN", keys.competition(each, "results")) for each in competition_ids
        )

    async def _pages(self, key: str) -> AsyncIterator[Iterator[tuple[str, bytes]]]:
        """Read a large hash without holding up anybody: neither Redis nor this process."""
        cursor = b"0"
        while True:
            cursor, found = await self._pipe.command("HSCAN", key, cursor, "COUNT", _PAGE)
            yield pairs(found)
            if cursor == b"0":
                return
