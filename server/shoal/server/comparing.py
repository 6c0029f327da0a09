"""Who did what against whom in a competition: everybody, or two."""

from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple, final

from shoal.competition import tournament
from shoal.competition.crosstable import Row, crosstable
from shoal.competition.head_to_head import HeadToHead, head_to_head
from shoal.competition.withdrawals import Settled
from shoal.server.digests import Digest
from shoal.server.errors import malformed, not_found
from shoal.server.finding import find
from shoal.server.once import Once
from shoal.server.page_tokens import next_token, read_number
from shoal.server.reckoning import Reckoning, Seen
from shoal.server.store.bots import BotStore
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.releases import named

MOST_CELLS: Final = 100_000
"""How many cells a page has at most, 2 MB of them: a message of more than 4 MiB is not sent."""

LARGE: Final = 10_000
"""Of a competition of more blocks than that a table may lack the latest, until it has been kept for long."""

LATEST: Final = 100
"""How many blocks it may lack."""

_KEEP: Final = 60.0
_MOST_TABLES: Final = 4
"""How many tables are kept, each for so many seconds at most: of hundreds of bots they are large."""


@final
class Crosstable(NamedTuple):
    """A page of rows with the bots' names, the columns, and the token of the next page."""

    rows: list[tuple[Row, str]]
    order: list[str]
    next_token: str


@final
class Meeting(NamedTuple):
    """What two bots have done, and their names."""

    result: HeadToHead
    names: tuple[str, str]


@final
class _Seen(NamedTuple):
    """What a crosstable depends on; of a large competition roughly, and without the order."""

    competition: Seen
    order: tuple[str, ...]


@final
class _Table(NamedTuple):
    """A whole crosstable; its rows are in the order of its columns."""

    order: tuple[str, ...]
    rows: tuple[Row, ...]


@final
class Comparing:
    """Compares the bots of a competition, by the blocks that are over."""

    def __init__(
        self, competitions: CompetitionStore, bots: BotStore, reckoning: Reckoning
    ) -> None:
        """Read from these, and work with the blocks by this."""
        self._competitions = competitions
        self._bots = bots
        self._reckoning = reckoning
        self._tables = Once[_Seen, _Table](_MOST_TABLES, _KEEP)

    async def crosstable(self, competition_id: str, page_size: int, token: str) -> Crosstable:
        """Return a page of everybody against everybody, best first; raise Refusal."""
        start = read_number("against", token)
        await find(self._competitions, competition_id)
        table = await self._tables.get(
            competition_id, lambda: self._seen(competition_id), self._table
        )
        end = start + min(page_size, max(1, MOST_CELLS // max(1, len(table.order))))
        page = table.rows[start:end]
        bots = await self._bots.get_many([row.bot_id for row in page])
        names = ["" if bot is None else bot.name for bot in bots]
        return Crosstable(
            list(zip(page, names, strict=True)),
            list(table.order),
            next_token("against", end, len(table.order)),
        )

    async def head_to_head(self, competition_id: str, bot_id: str, other_id: str) -> Meeting:
        """Return what two bots have done against each other; raise Refusal."""
        found = await find(self._competitions, competition_id)
        if bot_id == other_id:
            raise malformed("other_id", "the same bot: two are compared")
        bots = await self._bots.get_many([bot_id, other_id])
        for asked, bot in zip((bot_id, other_id), bots, strict=True):
            if bot is None:
                raise not_found("bot", asked)
        result = await self._reckoning.of_counted(
            found,
            lambda digest: head_to_head(
                bot_id, other_id, digest.of_two(bot_id, other_id).finished()
            ),
        )
        mine, other = ("" if bot is None else bot.name for bot in bots)
        return Meeting(result, (mine, other))

    async def _seen(self, competition_id: str) -> _Seen:
        seen = await self._reckoning.seen(competition_id)
        if seen.over > LARGE:
            # Whoever asks again and again would keep a thread busy for good.
            return _Seen(replace(seen, rev=0, over=seen.over // LATEST), ())
        return _Seen(seen, await self._order(seen.competition))

    async def _table(self, seen: _Seen) -> _Table:
        found = seen.competition.competition
        order = seen.order or await self._order(found)
        entrants = (
            () if found.is_ladder else await self._competitions.entrants(found.competition_id)
        )

        def tabulate(digest: Digest) -> tuple[Row, ...]:
            # What comes of withdrawals is in the table, so that it agrees with the standings.
            settled = Settled()
            if not found.is_ladder:
                over = tuple(digest.finished())
                settled = tournament.settled(found.specification, entrants, over)
            return crosstable(order, chain(digest.finished(), settled.forfeits), settled.uncounted)

        return _Table(order, await self._reckoning.of_counted(found, tabulate))

    async def _order(self, found: Competition) -> tuple[str, ...]:
        """Return who takes part or has played, best first; all releases of a bot are one."""
        competition_id = found.competition_id
        if found.is_ladder:
            lines = (await self._reckoning.ladder_standings(competition_id)).standings
            return tuple(dict.fromkeys(named(line.bot_id).bot_id for line in lines))
        ranking = await self._reckoning.ranking(competition_id)
        return tuple(each.bot_id for each in ranking.standings)
