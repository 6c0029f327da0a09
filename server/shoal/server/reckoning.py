"""What follows from the blocks of a competition that are over: who is best, and what is due.

There may be hundreds of thousands of them. So each is read once (`digests`), they are worked with in a few
threads, in which the moves of others need not wait for them, and what was worked out is kept until something
changes.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar, final

from shoal.competition import swiss, tournament
from shoal.competition.plan import Departure, Entrant, Planned
from shoal.competition.specification import Knockout, Swiss
from shoal.competition.standings import Standing
from shoal.rating import Table
from shoal.rating.ladder_standings import Standing as Scored
from shoal.server.digests import Digest, Digests, place_of
from shoal.server.director import ladder_standings
from shoal.server.once import Once
from shoal.server.store.competition_data import CompetitionData, Place
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.published import PublishedStore

Found = TypeVar("Found")

_KEEP: Final = 60.0
"""For how many seconds a result is kept at most: a failover that loses writes may bring a state twice."""

_MANY: Final = 100
"""Of how many competitions what is small is kept."""

_FEW: Final = 2
"""Of how many competitions what is large is kept: a plan has up to hundreds of thousands of blocks."""


_THREADS: Final = 2
"""In how many threads is worked at a time: each takes its turn from those that play."""


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A competition as it was read; it is the same as long as no block has ended and nothing was changed."""

    competition: Competition = field(compare=False)
    rev: int
    recounted: int
    over: int


@final
class Ranking(NamedTuple):
    """Standings, best first, and who takes part, in seeded order."""

    entrants: tuple[Entrant, ...]
    standings: tuple[Standing, ...]


@final
class Lines(NamedTuple):
    """The standings of a ladder, best first, and when the ratings in them were worked out, in ms."""

    standings: tuple[Scored, ...]
    published_ms: int | None


@final
class Order(NamedTuple):
    """Keys of blocks that are over, sorted, and the same to look them up."""

    keys: tuple[str, ...]
    known: Collection[str]


@final
class Reckoning:
    """Works out what is asked for once for all who ask. Every method may raise UnknownCompetition."""

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        digests: Digests,
        published: PublishedStore,
    ) -> None:
        """Read from these."""
        self._published = published
        self._competitions = competitions
        self._data = data
        self._digests = digests
        self._threads = asyncio.Semaphore(_THREADS)
        self._rankings = Once[Seen, Ranking](_MANY, _KEEP)
        self._orders = Once[Seen, Order](_FEW, _KEEP)
        self._due = Once[Seen, tuple[Planned, ...]](_FEW, _KEEP)
        self._rounds = Once[Seen, swiss.Round](_FEW, _KEEP)
        self._lines = Once[tuple[int, int, int, Place], Lines](_MANY, _KEEP)
        self._planned = Once[int, int](10 * _MANY, float("inf"))

    async def seen(self, competition_id: str) -> Seen:
        """Return a competition with what its blocks depend on."""
        found = await self._competitions.get(competition_id)
        over, _ = await self._competitions.count_blocks(competition_id)
        return Seen(found, found.rev, found.recounted, over)

    async def ranking(self, tournament_id: str) -> Ranking:
        """Return the standings of a tournament."""

        async def work(seen: Seen) -> Ranking:
            found = seen.competition
            entrants = await self._competitions.entrants(tournament_id)

            def rank(digest: Digest) -> tuple[Standing, ...]:
                return tournament.ranking(found.specification, entrants, digest.finished())

            return Ranking(entrants, await self.of_counted(found, rank))

        return await self._rankings.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def due(self, tournament_id: str) -> tuple[Planned, ...]:
        """Return all blocks of a tournament that may be in play now, those that are in play among them."""

        async def work(seen: Seen) -> tuple[Planned, ...]:
            entrants = await self._competitions.entrants(tournament_id)
            specification = seen.competition.specification
            return await self.of_blocks(
                tournament_id,
                lambda digest: tournament.due(specification, entrants, digest.finished()),
            )

        return await self._due.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def current_round(self, tournament_id: str) -> swiss.Round:
        """Return the round that a Swiss tournament is in; raise ValueError for another format."""

        async def work(seen: Seen) -> swiss.Round:
            entrants = await self._competitions.entrants(tournament_id)
            specification = seen.competition.specification
            return await self.of_blocks(
                tournament_id,
                lambda digest: swiss.current_round(specification, entrants, digest.finished()),
            )

        return await self._rounds.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def ladder_standings(self, ladder_id: str) -> Lines:
        """Return the standings of a ladder, best first."""

        async def see() -> tuple[int, int, int, Place]:
            found = await self._competitions.get(ladder_id)
            at_ms = await self._published.at_ms(ladder_id)
            return found.rev, found.recounted, at_ms, await self._data.end(ladder_id)

        async def work(_: object) -> Lines:
            told = await self._published.get(ladder_id)
            table = Table() if told is None else told.table
            lines = await ladder_standings(self._competitions, ladder_id, table)
            return Lines(lines, None if told is None else told.at_ms)

        return await self._lines.get(ladder_id, see, work)

    async def departure(self, found: Competition, bot_id: str) -> Departure:
        """Return from which round on a bot that leaves now is gone, and for how long that holds."""
        specification = found.specification
        if not isinstance(specification.format, Swiss | Knockout):
            return tournament.departure(specification, (), (), bot_id)
        entrants = await self._competitions.entrants(found.competition_id)
        return await self.of_blocks(
            found.competition_id,
            lambda digest: tournament.departure(specification, entrants, digest.finished(), bot_id),
        )

    async def planned(self, found: Competition) -> int:
        """Return how many blocks a tournament that has begun has if nobody leaves; 0 where nobody knows."""
        tournament_id = found.competition_id

        async def work(_: int) -> int:
            entrants = await self._competitions.entrants(tournament_id)
            return await asyncio.to_thread(
                tournament.number_of_blocks, found.specification, entrants
            )

        # Who has entered when it begins stays in it.
        return await self._planned.get(
            tournament_id, lambda: self._competitions.count_entrants(tournament_id), work
        )

    async def order(self, tournament_id: str) -> Order:
        """Return the keys of the blocks of a tournament that are over, by round, table and number."""

        async def work(_: Seen) -> Order:
            return await self.of_blocks(
                tournament_id,
                lambda digest: Order(
                    tuple(sorted(digest.blocks, key=place_of)), digest.blocks.keys()
                ),
            )

        return await self._orders.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def of_blocks(self, competition_id: str, work: Callable[[Digest], Found]) -> Found:
        """Return what a function makes, in a thread, of the blocks that are over."""
        digest = await self._digests.get(competition_id)
        async with self._threads:
            return await asyncio.to_thread(work, digest)

    async def of_counted(self, found: Competition, work: Callable[[Digest], Found]) -> Found:
        """Return the same, with nothing in the blocks that do not count after all.

        But for a knock-out: there who came how far follows from who has played whom.
        """
        uncounted = await self._competitions.uncounted(found)
        if isinstance(found.specification.format, Knockout):
            uncounted = frozenset()
        return await self.of_blocks(
            found.competition_id, lambda digest: work(digest.without(uncounted))
        )
