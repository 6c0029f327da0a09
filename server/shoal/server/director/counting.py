"""Counts the results of competitions: ratings, blocks, and which match follows in a block."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

import structlog

from shoal.competition.block import State as BlockState
from shoal.server.director.losses import Losses
from shoal.server.director.matches import Matches
from shoal.server.director.progress import after, dissolved, forfeited, goes_on, without
from shoal.server.director.releases import Releasing
from shoal.server.director.result import (
    Finished,
    absent,
    changes_after,
    finished,
    fixed_of,
    scores_after,
    scores_without,
    takes_back,
    unplayed,
)
from shoal.server.director.tally import is_counted
from shoal.server.director.trials import Trials
from shoal.server.director.verdict import NO_VERDICT
from shoal.server.store import keys
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Block, Competition, Ended, Score, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.direction import Counted, Direction

_log = structlog.get_logger(__name__)

Over: TypeAlias = Callable[[Competition, Ended, int], None]
"""Is told of every block that is over, and of the rev that its competition has then."""


class Counting:
    """Counts what the reader of the outboxes finds, each match once."""

    def __init__(
        self,
        competitions: CompetitionStore,
        direction: Direction,
        matches: Matches,
        lock: asyncio.Lock,
        *,
        losses: Losses,
        trials: Trials,
        releasing: Releasing,
        over: Over,
    ) -> None:
        """Read and write here, and tell of blocks that are over, and of faults.

        While something is counted the lock is held: who holds it, counts alone.
        """
        self._lock = lock
        self._competitions = competitions
        self._direction = direction
        self._matches = matches
        self._losses = losses
        self._trials = trials
        self._releasing = releasing
        self._over = over

    async def count(self, match: Finished) -> str:
        """Count a match, and return the id of the one that follows it in its block, or "".

        One that is void after all takes the place of what was counted.

        Nobody creates it any more then, and who was about to has done so: its bots may be freed of it.
        Raises UnknownCompetition, and ValueError for a result that cannot be one of its block.
        """
        await self._matches.over(match.match_id)
        async with self._lock:
            while True:  # what was looked at may have changed
                with suppress(Stale):
                    return await self._count(match)

    async def _count(self, match: Finished) -> str:
        competition_id, match_id = match.competition, match.match_id
        store = self._competitions
        found, known, scores, names, block = await asyncio.gather(
            store.get(competition_id),
            store.counted(competition_id, [match_id]),
            store.scores(competition_id, match.bots),
            self._releasing.names(match),
            store.block_of(competition_id, match_id),
        )
        before = known[match_id]
        if names != match.bots:  # a release of then that does not play any more
            scores = await store.scores(competition_id, names)
        played = replace(match, bots=names)
        if before is None:
            verdict = await self._trials.verdict(found, match) if found.is_ladder else NO_VERDICT
            became = await self._became(found, block, match, verdict.paused)
            counts = is_counted(found.rulings, match)
            fixed = fixed_of(found.specification)
            after = scores_after(played, scores, fixed) if counts else {}
            changes = changes_after(played, scores, after, fixed)
            await self._write(found, match, replace(_counted(after, became), changes=changes))
            await self._trials.note(found, match, verdict)
        elif takes_back(match, counted := finished(before)):
            _log.warning("result_taken_back", match=match_id)
            became = None if block is None else without(block, match)
            counts = is_counted(found.rulings, counted)
            less = scores_without(replace(counted, bots=names), scores) if counts else {}
            await self._write(found, match, replace(_counted(less, became), instead_of=before))
        # Also what was counted before may have been by a call whose answer was lost, so this is read again.
        block = await store.block_of(competition_id, match_id)
        if block is None or block.match_id in {"", match_id}:
            return ""
        return self._matches.expect(found, block)

    async def _write(self, found: Competition, match: Finished, counted: Counted) -> None:
        done = await self._direction.count(found, match.match_id, match.payload, counted)
        self._losses.counted(found.competition_id, done, instead=bool(counted.instead_of))
        if done.rev and counted.ended is not None:
            self._over(found, counted.ended, done.rev)

    async def _became(
        self, found: Competition, block: Block | None, match: Finished, paused: set[str]
    ) -> Block | Ended | None:
        """Return what becomes of the block of a match; None if it was not in play there."""
        if block is None or block.match_id != match.match_id:
            return None
        if not is_counted(found.rulings, match):
            match = unplayed(match)
        became = after(block, match)
        if isinstance(became, Ended):
            return became
        if found.state is State.FINISHED:
            return dissolved(became)
        silent = absent(match)
        if cut := await self._cut_short(found, became, silent, paused):
            return cut
        if silent or found.state is State.PAUSED:
            return became  # its bots are free until all of them are there again
        return replace(became, match_id=keys.new_id())

    async def _cut_short(
        self, found: Competition, block: Block, silent: Sequence[str], paused: set[str]
    ) -> Ended | None:
        """Return a block as it is over because its bots do not go on with it, None if they do."""
        excluded = found.rulings.excluded
        if found.is_ladder:
            here = await self._competitions.take_part(found.competition_id, block.bots)
            if not goes_on(block, silent, here - excluded.keys() - paused):
                return dissolved(block)
        elif any(bot in excluded for bot in block.bots):
            return forfeited(block, excluded)
        return None


def _counted(scores: dict[str, Score], became: Block | Ended | None) -> Counted:
    """Return what is to be written; a block that was played to its end counts for its bots."""
    if not isinstance(became, Ended):
        return Counted(scores, block=became)
    if became.state == BlockState.COMPLETE.value:
        scores = {bot: replace(score, blocks=score.blocks + 1) for bot, score in scores.items()}
    return Counted(scores, ended=became)
