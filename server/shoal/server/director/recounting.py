"""Works a competition out again after an organizer has decided what counts: scores, and blocks."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final, final

import structlog

from shoal.competition.block import Ending
from shoal.competition.block import State as BlockState
from shoal.competition.rulings import Rulings, counts
from shoal.server.director.progress import voided
from shoal.server.director.result import Finished, finished, is_rated, scores_after
from shoal.server.guard import one_of_many
from shoal.server.store.competition_nouns import Block, Competition, Note, Score
from shoal.server.store.competitions import CompetitionStore, Stale, now_ms
from shoal.server.store.direction import Direction, Recounted

_AT_A_TIME: Final = 100
"""After how many results others are let in: rating one takes a tenth of a millisecond."""

_log = structlog.get_logger(__name__)


@final
class Recounting:
    """Recounts while it holds the lease; what is left undone the next director finds in the store.

    Nothing is counted meanwhile: each score builds on the one before.
    """

    def __init__(
        self, competitions: CompetitionStore, direction: Direction, counting: asyncio.Lock
    ) -> None:
        """Read and write here; who counts holds the lock meanwhile."""
        self._competitions = competitions
        self._direction = direction
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
        counted = [each for match_id, each in matches.items() if match_id not in out]
        uncounted: set[str] = set()
        complete: dict[str, tuple[str, ...]] = {}
        async for blocks in self._competitions.ended_pages(found.competition_id):
            for key, one in blocks.items():
                if _rests_on(one.block, out):
                    uncounted.add(key)
                elif one.block.rated and one.state == BlockState.COMPLETE.value:
                    complete[key] = one.block.bots
        played = Counter(bot for bots in complete.values() for bot in bots)
        scores = await scores_of(counted)
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


async def scores_of(matches: Iterable[Finished]) -> dict[str, Score]:
    """Return the scores after these matches in the order in which they ended, without numbers of blocks."""
    scores: dict[str, Score] = {}
    ordered = sorted(matches, key=lambda match: (match.ended_ms, match.match_id))
    for number, match in enumerate(ordered, start=1):
        scores.update(scores_after(match, [scores.get(bot) for bot in match.bots]))
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    return scores


def _rests_on(block: Block, out: Collection[str]) -> bool:
    """Tell whether a match of these was played in a block."""
    return any(
        each.match_id in out and each.attempt.ending is Ending.PLAYED for each in block.tries
    )
