"""What follows from the blocks of a competition that are over: who is best, and what is due.

There may be hundreds of thousands of them. So they are read some at a time and worked with in a thread, in
which the moves of others need not wait for them, and what was worked out is kept until something changes.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar, final

from shoal.competition import swiss, tournament
from shoal.competition.plan import Entrant, Planned
from shoal.competition.specification import Knockout, Swiss
from shoal.competition.standings import Standing
from shoal.server.director import counted_blocks, finished_block
from shoal.server.once import Once
from shoal.server.store.competition_nouns import Competition, Ended
from shoal.server.store.competitions import CompetitionStore

Found = TypeVar("Found")

_KEEP: Final = 60.0
"""For how many seconds a result is kept at most: a failover that loses writes may bring a state twice."""

_MANY: Final = 100
"""Of how many competitions what is small is kept."""

_FEW: Final = 2
"""Of how many competitions what is large is kept: a plan has up to hundreds of thousands of blocks."""


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
class Reckoning:
    """Works out what is asked for once for all who ask. Every method may raise UnknownCompetition."""

    def __init__(self, competitions: CompetitionStore) -> None:
        """Read from here."""
        self._competitions = competitions
        self._rankings = Once[Seen, Ranking](_MANY, _KEEP)
        self._orders = Once[Seen, tuple[str, ...]](_FEW, _KEEP)
        self._due = Once[Seen, tuple[Planned, ...]](_FEW, _KEEP)
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

            def rank(ended: Sequence[Ended]) -> tuple[Standing, ...]:
                blocks = map(finished_block, ended)
                return tournament.ranking(found.specification, entrants, blocks)

            return Ranking(entrants, await self.of_counted(found, rank))

        return await self._rankings.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def due(self, tournament_id: str) -> tuple[Planned, ...]:
        """Return all blocks of a tournament that may be in play now, those that are in play among them."""

        async def work(seen: Seen) -> tuple[Planned, ...]:
            entrants = await self._competitions.entrants(tournament_id)
            specification = seen.competition.specification
            return await self.of_blocks(
                tournament_id,
                lambda ended: tournament.due(specification, entrants, map(finished_block, ended)),
            )

        return await self._due.get(tournament_id, lambda: self.seen(tournament_id), work)

    async def current_round(self, found: Competition, entrants: Sequence[Entrant]) -> swiss.Round:
        """Return the round that a Swiss tournament is in; raise ValueError for another format."""
        return await self.of_blocks(
            found.competition_id,
            lambda ended: swiss.current_round(
                found.specification, entrants, map(finished_block, ended)
            ),
        )

    async def next_round(self, found: Competition, entrants: Sequence[Entrant], bot_id: str) -> int:
        """Return the first round without a bot that leaves now: what is paired or decided stays as it is."""
        if not isinstance(found.specification.format, Swiss | Knockout):
            return 0
        return await self.of_blocks(
            found.competition_id,
            lambda ended: tournament.leaves_from(
                found.specification, entrants, map(finished_block, ended), bot_id
            ),
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

    async def order(self, competition_id: str) -> tuple[str, ...]:
        """Return the keys of the blocks of a tournament that are over, by round, table and number."""

        async def work(_: Seen) -> tuple[str, ...]:
            keys = await self._competitions.ended_keys(competition_id)
            return await asyncio.to_thread(lambda: tuple(sorted(keys, key=place_of)))

        return await self._orders.get(competition_id, lambda: self.seen(competition_id), work)

    async def of_blocks(
        self, competition_id: str, work: Callable[[Sequence[Ended]], Found]
    ) -> Found:
        """Return what a function makes, in a thread, of the blocks that are over, which come by key."""
        stored = await self._competitions.ended_texts(competition_id)
        return await asyncio.to_thread(lambda: work(stored.read()))

    async def of_counted(
        self, found: Competition, work: Callable[[Sequence[Ended]], Found]
    ) -> Found:
        """Return the same, with nothing in the blocks that do not count after all."""
        uncounted = await self._competitions.uncounted(found)
        return await self.of_blocks(
            found.competition_id, lambda ended: work(counted_blocks(found, ended, uncounted))
        )


def place_of(key: str) -> tuple[int, ...]:
    """Return what the keys of a tournament's blocks sort by."""
    return tuple(map(int, key.split(".")))
