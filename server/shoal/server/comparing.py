"""Who did what against whom in a competition: everybody, or two."""

import asyncio
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, final

from shoal.competition import plan, tournament
from shoal.competition.block import State
from shoal.competition.crosstable import Row, crosstable
from shoal.competition.head_to_head import HeadToHead, head_to_head
from shoal.competition.plan import BlockKey
from shoal.competition.withdrawals import Settled
from shoal.server.director import counted_blocks, finished_block, ladder_standings
from shoal.server.errors import malformed, not_found
from shoal.server.page_tokens import next_token, read_number
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_data import CompetitionData
from shoal.server.store.competition_nouns import Competition, Ended
from shoal.server.store.competitions import CompetitionStore, UnknownCompetition
from shoal.server.store.releases import named


@final
class Crosstable(NamedTuple):
    """A page of rows with the bots' names, the columns, and the token of the next page."""

    rows: list[tuple[Row, str]]
    order: list[str]
    next_token: str


@final
class Meeting(NamedTuple):
    """What two bots have done, their names, and the keys of their blocks."""

    result: HeadToHead
    names: tuple[str, str]
    block_keys: list[str]


@final
class Comparing:
    """Compares the bots of a competition, by the blocks that are over."""

    def __init__(
        self, competitions: CompetitionStore, data: CompetitionData, bots: BotStore
    ) -> None:
        """Read from these."""
        self._competitions = competitions
        self._data = data
        self._bots = bots
        self._one_at_a_time = asyncio.Lock()

    async def crosstable(self, competition_id: str, page_size: int, token: str) -> Crosstable:
        """Return a page of everybody against everybody, best first; raise Refusal."""
        start = read_number("against", token)
        found = await self._find(competition_id)
        # One at a time, and in a thread, since a ladder may have hundreds of thousands of blocks.
        async with self._one_at_a_time:
            blocks = await self._blocks(found)
            order = await self._order(found, blocks)
            settled = await self._settled(found, blocks)
            numbered = map(_numbered, range(len(blocks)), blocks)
            rows = await asyncio.to_thread(
                crosstable, order, chain(numbered, settled.forfeits), settled.uncounted
            )
        end = start + page_size
        page = rows[start:end]
        bots = await self._bots.get_many([row.bot_id for row in page])
        names = ["" if bot is None else bot.name for bot in bots]
        return Crosstable(
            list(zip(page, names, strict=True)), order, next_token("against", end, len(order))
        )

    async def head_to_head(self, competition_id: str, bot_id: str, other_id: str) -> Meeting:
        """Return what two bots have done against each other; raise Refusal."""
        found = await self._find(competition_id)
        if bot_id == other_id:
            raise malformed("other_id", "the same bot: two are compared")
        bots = await self._bots.get_many([bot_id, other_id])
        for asked, bot in zip((bot_id, other_id), bots, strict=True):
            if bot is None:
                raise not_found("bot", asked)
        async with self._one_at_a_time:
            blocks = await self._blocks(found)
            numbered = map(_numbered, range(len(blocks)), blocks)
            result = await asyncio.to_thread(head_to_head, bot_id, other_id, numbered)
        mine, other = ("" if bot is None else bot.name for bot in bots)
        keys = [blocks[key.block].block.key for key in result.blocks]
        return Meeting(result, (mine, other), keys)

    async def _find(self, competition_id: str) -> Competition:
        try:
            return await self._competitions.get(competition_id)
        except UnknownCompetition:
            raise not_found("competition", competition_id) from None

    async def _blocks(self, found: Competition) -> list[Ended]:
        """Return all blocks that are over, by key, with nothing in those that do not count after all."""
        counted = await self._data.all(found.competition_id)
        return [
            each
            async for some in self._data.ended(found.competition_id, counted.block_keys)
            for each in counted_blocks(found, some)
        ]

    async def _order(self, found: Competition, blocks: Sequence[Ended]) -> list[str]:
        """Return who takes part or has played, best first; all releases of a bot are one."""
        competition_id = found.competition_id
        if found.is_ladder:
            lines = await ladder_standings(self._competitions, competition_id)
            return list(dict.fromkeys(named(line.bot_id).bot_id for line in lines))
        entrants = await self._competitions.entrants(competition_id)
        ranked = tournament.ranking(found.specification, entrants, map(finished_block, blocks))
        return [each.bot_id for each in ranked]

    async def _settled(self, found: Competition, blocks: Sequence[Ended]) -> Settled:
        """Return what comes of withdrawals from a tournament, so that the table agrees with its standings."""
        if found.is_ladder:
            return Settled()
        entrants = await self._competitions.entrants(found.competition_id)
        over = tuple(map(finished_block, blocks))
        return await asyncio.to_thread(tournament.settled, found.specification, entrants, over)


def _numbered(number: int, ended: Ended) -> plan.Finished:
    """Return a block as the pure half wants it: by a number, since only a plan makes keys of its kind."""
    return plan.Finished(
        BlockKey(0, 0, number), ended.block.bots, State(ended.state), ended.matches
    )
