"""Works a competition out again after an organizer has decided what counts: scores, and blocks."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
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
from shoal.server.store.competition_nouns import Block, Competition, Ended, Note, Score
from shoal.server.store.competitions import CompetitionStore, Stale, now_ms
from shoal.server.store.direction import Direction, Recounted

_AT_A_TIME: Final = 200
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
        results = await self._competitions.results(found.competition_id)
        ended = await self._competitions.ended(found.competition_id)
        in_play = await self._competitions.blocks(found.competition_id)
        matches = [finished(payload) for payload in results.values()]
        out = {each.match_id for each in matches if not is_counted(found.rulings, each)}
        scores = await scores_of(each for each in _in_order(matches) if each.match_id not in out)
        uncounted = [key for key, one in ended.items() if _rests_on(one.block, out)]
        scores = _with_blocks(scores, [one for key, one in ended.items() if key not in uncounted])
        recounted = Recounted(
            scores=scores,
            rated=sum(is_rated(each) for each in matches if each.match_id not in out),
            uncounted=uncounted,
            blocks=[
                (block, voided(block, out)) for block in in_play.values() if _rests_on(block, out)
            ],
        )
        detail = f"{len(out)} of {len(matches)} results do not count"
        note = Note(now_ms(), "director", "recount", detail)
        await self._direction.recount(found, recounted, note)
        _log.info("recounted", id=found.competition_id, left_out=len(out), results=len(matches))


def is_counted(rulings: Rulings, match: Finished) -> bool:
    """Tell whether the result of a match counts by these rulings."""
    return counts(rulings, match.match_id, match.bots, match.ended_ms)


async def scores_of(matches: Iterable[Finished]) -> dict[str, Score]:
    """Return the scores after these matches, one after the other, without numbers of blocks."""
    scores: dict[str, Score] = {}
    for number, match in enumerate(matches, start=1):
        scores.update(scores_after(match, [scores.get(bot) for bot in match.bots]))
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    return scores


def _in_order(matches: Iterable[Finished]) -> list[Finished]:
    return sorted(matches, key=lambda match: (match.ended_ms, match.match_id))


def _rests_on(block: Block, out: Collection[str]) -> bool:
    """Tell whether a match of these was played in a block."""
    return any(
        each.match_id in out and each.attempt.ending is Ending.PLAYED for each in block.tries
    )


def _with_blocks(scores: Mapping[str, Score], ended: Iterable[Ended]) -> dict[str, Score]:
    """Return the scores with the number of blocks that each bot has played to their end."""
    counted = dict(scores)
    for one in ended:
        if one.block.rated and one.state == BlockState.COMPLETE.value:
            for bot in one.block.bots:
                if score := counted.get(bot):
                    counted[bot] = replace(score, blocks=score.blocks + 1)
    return counted
