"""What a competition has come to, read piece by piece: it may be large, and Redis serves others meanwhile.

Beside its results and its finished blocks a competition keeps the order in which they were counted: a list
that only grows, so that whoever has read up to a place of it can go on from there. What is noted of results
later, what of them was luck, has its place in it too.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from shoal.server.store import competition_texts as texts
from shoal.server.store import keys
from shoal.server.store.competition_nouns import Ended
from shoal.server.store.luck import LUCK
from shoal.server.store.pipe import Pipe

AT_ONCE: Final = 200
"""How many results or blocks are read at a time."""


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order: how many came before it, and the last of them, "" of none.

    The last one tells whether it is still the same order: a failover may have lost its end, and what was
    counted again then may come in another order.
    """

    count: int = 0
    last: str = ""


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted: matches by id, finished blocks by key, each sorted and once.

    `numbers` are the places of these matches in the order, from 1; one that was counted before there was an
    order has none. A match that is void after all has that in which it was found out. `noted` are the
    places at which it was noted what of a result was luck.
    """

    match_ids: tuple[str, ...]
    block_keys: tuple[str, ...]
    numbers: Mapping[str, int]
    noted: Mapping[str, int]

    @property
    def changed(self) -> list[str]:
        """The matches that were counted, and those of which luck was noted, sorted."""
        return sorted({*self.match_ids, *self.noted})

    @property
    def in_order(self) -> list[str]:
        """The matches that are in the order, in it."""
        return sorted(self.numbers, key=self.numbers.__getitem__)


@final
@dataclass(frozen=True, slots=True)
class Result:
    """A counted match: its result as the outbox had it, and the key of its block, "" if that is not known.

    `luck` is its result without luck as the store has it, empty where that is not noted.
    """

    match_id: str
    block_key: str
    payload: bytes
    luck: bytes = b""


@final
class CompetitionData:
    """Reads the results and blocks of competitions."""

    def __init__(self, pipe: Pipe) -> None:
        """Ask through this pipe."""
        self._pipe = pipe

    async def end(self, competition_id: str) -> Place:
        """Return the place behind all that has been counted."""
        key = keys.competition(competition_id, "order")
        count: int = await self._pipe.command("LLEN", key)
        return await self._place(competition_id, count)

    async def is_there(self, competition_id: str, place: Place) -> bool:
        """Tell whether the order still leads through a place."""
        return await self._place(competition_id, place.count) == place

    async def all(self, competition_id: str) -> Counted:
        """Return all that has been counted, also before there was an order."""
        names = [keys.competition(competition_id, kind) for kind in ("results", "finished")]
        results, finished = await self._pipe.many(("HLEN", name) for name in names)
        in_order = await self.between(competition_id, Place(), await self.end(competition_id))
        if len(in_order.match_ids) >= results and len(in_order.block_keys) >= finished:
            return in_order
        # An earlier version has counted some. Redis has to make one answer of them, so only then.
        matches, blocks = await self._pipe.many(("HKEYS", name) for name in names)
        return Counted(_sorted(matches), _sorted(blocks), in_order.numbers, in_order.noted)

    async def between(self, competition_id: str, start: Place, end: Place) -> Counted:
        """Return what was counted between two places."""
        key = keys.competition(competition_id, "order")
        found: list[bytes] = []
        for at in range(start.count, end.count, 10 * AT_ONCE):
            last = min(at + 10 * AT_ONCE, end.count) - 1
            found += await self._pipe.command("LRANGE", key, at, last)
        # Of a large ladder it takes a while, in which the moves of others must not wait.
        return await asyncio.to_thread(_counted, found, start.count + 1)

    async def results(
        self, competition_id: str, match_ids: Sequence[str]
    ) -> AsyncIterator[list[Result]]:
        """Yield the results of these matches, in this order, some at a time."""
        names = [keys.competition(competition_id, kind) for kind in ("results", "matches", LUCK)]
        for at in range(0, len(match_ids), AT_ONCE):
            ids = match_ids[at : at + AT_ONCE]
            payloads, blocks, luck = await self._pipe.many(("HMGET", name, *ids) for name in names)
            yield [
                Result(match_id, (block or b"").decode(), payload, without or b"")
                for match_id, block, payload, without in zip(
                    ids, blocks, payloads, luck, strict=True
                )
                if payload is not None
            ]

    async def ended(
        self, competition_id: str, block_keys: Sequence[str]
    ) -> AsyncIterator[list[Ended]]:
        """Yield these finished blocks, in this order, some at a time."""
        async for some in self.ended_texts(competition_id, block_keys):
            yield some.read()

    async def ended_texts(
        self, competition_id: str, block_keys: Sequence[str]
    ) -> AsyncIterator[texts.EndedTexts]:
        """Yield them as they are stored, which take a while to read: in a thread."""
        name = keys.competition(competition_id, "finished")
        for at in range(0, len(block_keys), AT_ONCE):
            some = block_keys[at : at + AT_ONCE]
            found = await self._pipe.command("HMGET", name, *some)
            read = zip(some, found, strict=True)
            yield texts.EndedTexts({key: text for key, text in read if text is not None})

    async def _place(self, competition_id: str, count: int) -> Place:
        """Return the place behind so many, as the order has it now."""
        if not count:
            return Place()
        key = keys.competition(competition_id, "order")
        last = await self._pipe.command("LINDEX", key, count - 1)
        return Place(count, (last or b"").decode())


def _counted(order: Sequence[bytes], first: int) -> Counted:
    """Read a part of the order, whose first place has this number."""
    numbers = _places(order, first, b"m")
    blocks = {each[1:] for each in order if each[:1] == b"b"}
    return Counted(tuple(sorted(numbers)), _sorted([*blocks]), numbers, _places(order, first, b"l"))


def _places(order: Sequence[bytes], first: int, kind: bytes) -> dict[str, int]:
    """Return by match the place of its last entry of a kind."""
    numbered = enumerate(order, first)
    return {each[1:].decode(): number for number, each in numbered if each[:1] == kind}


def _sorted(found: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(sorted(each.decode() for each in found))
