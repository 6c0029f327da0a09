"""Works a competition out again after an organizer has decided what counts: scores, and blocks.

Results are gone through in the order in which they were counted, so that scores are exactly as if those that
do not count had not been there.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final, final

import structlog

from shoal.server.director.result import Finished, finished, fixed_of
from shoal.server.director.tally import Tally
from shoal.server.guard import one_of_many
from shoal.server.store.competition_data import AT_ONCE, CompetitionData, Place
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Ended, Note
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Direction, Recounted
from shoal.server.store.keys import now_ms
from shoal.server.store.ledger import Changes
from shoal.server.store.releases import Releases, ReleaseStore

_LETS_IN: Final = 50
"""After how many results others are let in: rating one takes a tenth of a millisecond."""

_MOST_IN_VAIN: Final = 3
"""After how many recounts in a row that something has overtaken nothing may be counted during the next."""

_log = structlog.get_logger(__name__)


@final
class Recounting:
    """Recounts while it holds the lease; what is left undone the next director finds in the store.

    Only for the last step nothing may be counted: what was counted meanwhile is added before. That a release
    changes names of scores, or an organizer decides more, is no failure: it is done again at the next look.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        data: CompetitionData,
        direction: Direction,
        releases: ReleaseStore,
        counting: asyncio.Lock,
    ) -> None:
        """Read and write here; who counts holds the lock meanwhile."""
        self._competitions = competitions
        self._data = data
        self._direction = direction
        self._releases = releases
        self._counting = counting
        self._in_vain = Counter[str]()

    async def look(self, found: Competition) -> bool:
        """Recount a competition if that is due; true if it was done."""
        if not found.is_recounting:
            return False
        name = found.competition_id
        with one_of_many("recount_failed", competition=name):
            try:
                await self._recount(await self._competitions.get(name))
            except Stale:
                self._in_vain[name] += 1
                return False
            del self._in_vain[name]
            return True
        return False

    async def _recount(self, found: Competition) -> None:
        name = found.competition_id
        run = _Run(found, self._competitions, self._data, self._releases, self._direction)
        if self._in_vain[name] >= _MOST_IN_VAIN:
            # Bots that come with ever new releases would have it begin anew for ever.
            async with self._counting:
                await run.begin()
                await self._finish(found, run)
            return
        await run.begin()
        while (await self._data.end(name)).count - run.place.count > AT_ONCE:
            await run.go_on()
        async with self._counting:
            await self._finish(found, run)

    async def _finish(self, found: Competition, run: "_Run") -> None:
        """Add the last results, and write what it has come to, while nothing is counted. Raises Stale."""
        await run.go_on()
        name = found.competition_id
        if (await self._competitions.get(name)).rulings.number != found.rulings.number:
            raise Stale(name)  # more was decided meanwhile
        await self._write(found, await run.checked())

    async def _write(self, found: Competition, tally: Tally) -> None:
        in_play = (await self._competitions.blocks(found.competition_id)).values()
        changed = ((block, tally.changed(block)) for block in in_play)
        recounted = Recounted(
            scores=tally.scores(),
            rated=tally.rated,
            uncounted=tally.uncounted,
            blocks=[(block, after) for block, after in changed if after is not None],
        )
        out, every = len(tally.out), len(tally.seen)
        note = Note(now_ms(), "director", "recount", f"{out} of {every} results do not count")
        await self._direction.recount(found, recounted, note)
        _log.info("recounted", id=found.competition_id, left_out=out, results=every)


class _Run:
    """One recount: a tally up to a place in the order, while others go on counting behind it."""

    def __init__(
        self,
        found: Competition,
        competitions: CompetitionStore,
        data: CompetitionData,
        releases: ReleaseStore,
        direction: Direction,
    ) -> None:
        self._direction = direction
        self.place = Place()
        self._name = found.competition_id
        self._competitions = competitions
        self._data = data
        self._releases = releases
        self._tally = Tally(found.rulings, fixed_of(found.specification))
        self._asked: set[str] = set()
        self._known: dict[str, Releases] = {}

    async def begin(self) -> None:
        """Add all that there is."""
        await self._direction.draft_ledger(self._name, {}, anew=True)
        (size,) = await self._competitions.sizes([self._name])
        self.place = await self._data.end(self._name)
        counted = await self._data.between(self._name, Place(), self.place)
        early: list[str] = []
        if size > len(counted.match_ids):
            early = await self._early()
            self.place = await self._data.end(self._name)
            counted = await self._data.between(self._name, Place(), self.place)
        before = (match_id for match_id in early if match_id not in counted.numbers)
        await self._add([*before, *counted.in_order])
        async for blocks in self._competitions.ended_pages(self._name):
            await self._add_blocks(blocks.values())

    async def go_on(self) -> None:
        """Add what was counted since. Raises Stale if that changes what was counted before."""
        end = await self._data.end(self._name)
        counted = await self._data.between(self._name, self.place, end)
        if not self._tally.seen.isdisjoint(counted.numbers):
            raise Stale(self._name)  # one is void after all
        await self._add(counted.in_order)
        async for blocks in self._data.ended(self._name, counted.block_keys):
            await self._add_blocks(blocks)
        self.place = end

    async def checked(self) -> Tally:
        """Return the tally. Raises Stale if a score has another name by now, or the order has gone back."""
        if await self._releases.of(self._name, sorted(self._asked)) != self._known:
            raise Stale(self._name)
        if not await self._data.is_there(self._name, self.place):
            raise Stale(self._name)
        return self._tally

    async def _early(self) -> list[str]:
        """Return all matches by their end: those from before there was an order are before all others."""
        ended: list[tuple[int, str]] = []
        async for page in self._competitions.result_pages(self._name):
            ended += [(finished(payload).ended_ms, match_id) for match_id, payload in page.items()]
        return list(dict.fromkeys(match_id for _, match_id in sorted(ended)))

    async def _add(self, match_ids: Sequence[str]) -> None:
        async for matches in self._results(match_ids):
            await self._learn(bot for match in matches for bot in match.bots)
            lines: dict[str, Changes] = {}
            for number, match in enumerate(matches):
                if changes := self._tally.add(match, self._known):
                    lines[match.match_id] = changes
                if number % _LETS_IN == 0:
                    await asyncio.sleep(0)
            await self._direction.draft_ledger(self._name, lines)

    async def _results(self, match_ids: Sequence[str]) -> AsyncIterator[list[Finished]]:
        for at in range(0, len(match_ids), AT_ONCE):
            some = match_ids[at : at + AT_ONCE]
            counted = await self._competitions.counted(self._name, some)
            yield [finished(payload) for payload in counted.values() if payload is not None]

    async def _add_blocks(self, blocks: Iterable[Ended]) -> None:
        blocks = list(blocks)
        await self._learn(bot for each in blocks for bot in each.block.bots)
        for each in blocks:
            self._tally.add_block(each, self._known)

    async def _learn(self, bots: Iterable[str]) -> None:
        """Read the releases of these bots, each once."""
        new = sorted(set(bots) - self._asked)
        self._known.update(await self._releases.of(self._name, new))
        self._asked.update(new)
