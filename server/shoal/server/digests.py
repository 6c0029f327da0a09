"""The blocks of a competition that are over, as far as tables are made of them, kept up to date.

A ladder comes to hundreds of thousands of blocks. They are read once, and then only those that are new: a
competition keeps the order in which they were counted.
"""

import asyncio
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, final

from shoal.competition.block import State
from shoal.competition.plan import BlockKey, Finished
from shoal.server.once import Once
from shoal.server.store.competition_data import CompetitionData, Place
from shoal.server.store.competition_nouns import Ended
from shoal.server.store.competitions import CompetitionStore

_KEEP: Final = 60.0
"""After how many seconds it is looked at again whether it is still the same order."""

_MANY: Final = 100
"""Of how many competitions blocks are kept at most."""

MOST_BLOCKS: Final = 400_000
"""How many blocks are kept in all, 120 MB of them, beside those of the competition asked for last."""

_Outcome: TypeAlias = tuple[State, tuple[tuple[int, ...], ...]]

_NOTHING: Final[_Outcome] = (State.VOID, ())

_SHARED: Final = 1000
"""How many outcomes are shared: those of two bots are few, of four nearly each is another."""


@final
@dataclass(frozen=True, slots=True)
class Over:
    """A block that is over: its table, and how it ended with which placements, which many blocks share."""

    bots: tuple[str, ...]
    outcome: _Outcome


@final
@dataclass(frozen=True, slots=True)
class Digest:
    """All blocks that were over up to a place of the order, by key. It does not change."""

    place: Place = field(default_factory=Place)
    blocks: Mapping[str, Over] = field(default_factory=dict)

    def of_two(self, bot: str, other: str) -> "Digest":
        """Return the blocks of tables where both have sat."""
        sat = {
            key: over
            for key, over in self.blocks.items()
            if bot in over.bots and other in over.bots
        }
        return Digest(self.place, sat)

    def without(self, keys: Collection[str]) -> "Digest":
        """Return the same with nothing in these blocks."""
        if not keys:
            return self
        blocks = {
            key: Over(over.bots, _NOTHING) if key in keys else over
            for key, over in self.blocks.items()
        }
        return Digest(self.place, blocks)

    def finished(self) -> Iterator[Finished]:
        """Yield all blocks as the pure half wants them: by key, those that no plan has made by numbers."""
        for number, (key, over) in enumerate(sorted(self.blocks.items())):
            name = BlockKey(*place_of(key)) if "." in key else BlockKey(0, 0, number)
            yield Finished(name, over.bots, *over.outcome)


@final
class _Seen(NamedTuple):
    """What the blocks of a competition depend on."""

    over: int
    end: Place


@final
class Digests:
    """Keeps the blocks of the competitions that were asked for last."""

    def __init__(self, competitions: CompetitionStore, data: CompetitionData) -> None:
        """Read from these."""
        self._competitions = competitions
        self._data = data
        self._once = Once[_Seen, Digest](_MANY, _KEEP)
        self._kept: dict[str, Digest] = {}
        self._outcomes: dict[_Outcome, _Outcome] = {}
        self._reading = asyncio.Lock()

    async def get(self, competition_id: str) -> Digest:
        """Return the blocks of a competition that are over, none if there is no such competition."""

        async def see() -> _Seen:
            # First how many: what ends in between is in the order then.
            over, _ = await self._competitions.count_blocks(competition_id)
            return _Seen(over, await self._data.end(competition_id))

        async def work(seen: _Seen) -> Digest:
            # One at a time: whoever asks for several large ones waits for himself.
            async with self._reading:
                return await self._read(competition_id, seen)

        return await self._once.get(competition_id, see, work)

    async def _read(self, competition_id: str, seen: _Seen) -> Digest:
        known = self._kept.get(competition_id, Digest())
        if not await self._data.is_there(competition_id, known.place):
            known = Digest()
        counted = await self._data.between(competition_id, known.place, seen.end)
        blocks = await self._with(competition_id, known.blocks, counted.block_keys)
        if len(blocks) < seen.over:
            # Some have been counted before there was an order, or a failover has brought others into it.
            every = await self._data.all(competition_id)
            missing = [key for key in every.block_keys if key not in blocks]
            blocks = await self._with(competition_id, blocks, missing)
        self._kept.pop(competition_id, None)
        digest = self._kept[competition_id] = Digest(seen.end, blocks)
        self._forget()
        return digest

    async def _with(
        self, competition_id: str, known: Mapping[str, Over], block_keys: Sequence[str]
    ) -> Mapping[str, Over]:
        """Return blocks, and beside them those of these keys."""
        if not block_keys:
            return known
        blocks = await asyncio.to_thread(dict, known)
        async for texts in self._data.ended_texts(competition_id, block_keys):
            # Each takes 40 us to read, in which the moves of others must not wait.
            for one in await asyncio.to_thread(texts.read):
                blocks[one.block.key] = self._over(one)
        return blocks

    def _over(self, one: Ended) -> Over:
        """Return what is kept of a block; equal names and outcomes are the same objects."""
        outcome = (State(one.state), one.matches)
        if len(self._outcomes) < _SHARED:
            self._outcomes[outcome] = self._outcomes.get(outcome, outcome)
        bots = tuple(map(sys.intern, one.block.bots))
        return Over(bots, self._outcomes.get(outcome, outcome))

    def _forget(self) -> None:
        """Let go of what was asked for first, where it has become too much."""
        while len(self._kept) > 1 and self._is_too_much():
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._once.forget(oldest)

    def _is_too_much(self) -> bool:
        blocks = sum(len(each.blocks) for each in self._kept.values())
        return blocks > MOST_BLOCKS or len(self._kept) > _MANY


def place_of(key: str) -> tuple[int, int, int]:
    """Return what the keys of a tournament's blocks sort by; raise ValueError for another key."""
    round_number, table, block = map(int, key.split("."))
    return round_number, table, block
