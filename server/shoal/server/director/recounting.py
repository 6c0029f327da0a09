"""Works a competition out again after an organizer has decided what counts: scores, and blocks."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final, final

import structlog

from shoal.competition.block import Ending
from shoal.competition.block import State as BlockState
from shoal.competition.rulings import Rulings, counts
from shoal.server.director.progress import voided
from shoal.server.director.rating import Rating
from shoal.server.director.releases import score_names
from shoal.server.director.result import (
    NOBODY,
    Finished,
    finished,
    fixed_of,
    is_rated,
    scores_after,
)
from shoal.server.guard import one_of_many
from shoal.server.store.competition_nouns import Block, Competition, Note, Score
from shoal.server.store.competitions import CompetitionStore, Stale, now_ms
from shoal.server.store.direction import Direction, Recounted
from shoal.server.store.releases import ReleaseStore

_AT_A_TIME: Final = 100
"""After how many results others are let in: rating one takes a tenth of a millisecond."""

_log = structlog.get_logger(__name__)


@final
class Recounting:
    """Recounts while it holds the lease; what is left undone the next director finds in the store.

    Nothing is counted meanwhile: each score builds on the one before.
    """

    def __init__(
        self,
        competitions: CompetitionStore,
        direction: Direction,
        releases: ReleaseStore,
        counting: asyncio.Lock,
    ) -> None:
        """Read and write here; who counts holds the lock meanwhile."""
        self._competitions = competitions
        self._direction = direction
        self._releases = releases
        self._counting = counting

    async def look(self, found: Competition) -> bool:
        """Recount a competition if that is due; true if it was done."""
        if not found.is_recounting:
            return False
        async with self._counting:
            with suppress(Stale), one_of_many("recount_failed", competition=found.competition_id):
                await self._recount(await self._competitions.get(found.competition_id))
                return True
        return False

    async def _recount(self, found: Competition) -> None:
        matches: dict[str, Finished] = {}
        async for page in self._competitions.result_pages(found.competition_id):
            matches.update((match_id, finished(payload)) for match_id, payload in page.items())
        out = {
            match_id for match_id, each in matches.items() if not is_counted(found.rulings, each)
        }
        bots = sorted({bot for each in matches.values() for bot in each.bots})
        known = await self._releases.of(found.competition_id, bots)
        counted = [
            replace(each, bots=score_names(match_id, each.bots, known))
            for match_id, each in matches.items()
            if match_id not in out
        ]
        uncounted: set[str] = set()
        complete: dict[str, tuple[str, ...]] = {}
        async for blocks in self._competitions.ended_pages(found.competition_id):
            for key, one in blocks.items():
                if _rests_on(one.block, out):
                    uncounted.add(key)
                elif one.block.rated and one.state == BlockState.COMPLETE.value:
                    last = one.block.tries[-1].match_id
                    complete[key] = score_names(last, one.block.bots, known)
        played = Counter(bot for bots in complete.values() for bot in bots)
        scores = await scores_of(counted, fixed_of(found.specification))
        in_play = (await self._competitions.blocks(found.competition_id)).values()
        recounted = Recounted(
            scores={bot: replace(score, blocks=played[bot]) for bot, score in scores.items()},
            rated=sum(map(is_rated, counted)),
            uncounted=uncounted,
            blocks=[(block, voided(block, out)) for block in in_play if _rests_on(block, out)],
        )
        detail = f"{len(out)} of {len(matches)} results do not count"
        note = Note(now_ms(), "director", "recount", detail)
        await self._direction.recount(found, recounted, note)
        _log.info("recounted", id=found.competition_id, left_out=len(out), results=len(matches))


def is_counted(rulings: Rulings, match: Finished) -> bool:
    """Tell whether the result of a match counts by these rulings."""
    return counts(rulings, match.match_id, match.bots, match.ended_ms)


async def scores_of(
    matches: Iterable[Finished], fixed: Mapping[str, Rating] = NOBODY
) -> dict[str, Score]:
    """Return the scores after these matches in the order in which they ended, without numbers of blocks."""
    scores: dict[str, Score] = {}
    ordered = sorted(matches, key=lambda match: (match.ended_ms, match.match_id))
    for number, match in enumerate(ordered, start=1):
        scores.update(scores_after(match, [scores.get(bot) for bot in match.bots], fixed))
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    return scores


def _rests_on(block: Block, out: Collection[str]) -> bool:
    """Tell whether a match of these was played in a block."""
    return any(
        each.match_id in out and each.attempt.ending is Ending.PLAYED for each in block.tries
    )
