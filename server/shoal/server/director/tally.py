"""What the results of a competition come to by its rulings, one after another. No input or output."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import final

from shoal.competition.block import Ending
from shoal.competition.block import State as BlockState
from shoal.competition.rulings import Rulings, counts
from shoal.server.director.progress import voided
from shoal.server.director.rating import Rating
from shoal.server.director.releases import score_names
from shoal.server.director.result import (
    NOBODY,
    Finished,
    changes_after,
    is_rated,
    scores_after,
)
from shoal.server.store.competition_nouns import Block, Ended, Score
from shoal.server.store.ledger import Changes
from shoal.server.store.releases import Releases


@final
class Tally:
    """The scores of the results that count. Each rating builds on the one before, so their order matters.

    It keeps of a result and of a block no more than whether it counts.
    """

    def __init__(self, rulings: Rulings, fixed: Mapping[str, Rating] = NOBODY) -> None:
        """Begin with nothing; the ratings of some bots are `fixed`."""
        self._rulings = rulings
        self._fixed = fixed
        self._scores: dict[str, Score] = {}
        self._complete: dict[str, tuple[str, ...]] = {}
        self.seen: set[str] = set()
        """The matches that were added."""
        self.out: set[str] = set()
        """Those of them that do not count."""
        self.uncounted: set[str] = set()
        """The keys of blocks that are over and rest on such a match."""
        self.rated = 0
        """How many rated matches count."""

    def add(self, match: Finished, known: Mapping[str, Releases]) -> Changes:
        """Add the next result, and return what it did to ratings; `known` are the releases of its bots."""
        self.seen.add(match.match_id)
        if not is_counted(self._rulings, match):
            self.out.add(match.match_id)
            return ()
        played = replace(match, bots=score_names(match.match_id, match.bots, known))
        before = [self._scores.get(bot) for bot in played.bots]
        after = scores_after(played, before, self._fixed)
        self._scores.update(after)
        self.rated += is_rated(match)
        return changes_after(played, before, after, self._fixed)

    def add_block(self, ended: Ended, known: Mapping[str, Releases]) -> None:
        """Add a block that is over, after its matches; again is harmless."""
        block = ended.block
        self._complete.pop(block.key, None)
        if self._rests_on_one_out(block):
            self.uncounted.add(block.key)
        elif block.rated and ended.state == BlockState.COMPLETE.value:
            last = block.tries[-1].match_id
            self._complete[block.key] = score_names(last, block.bots, known)

    def scores(self) -> dict[str, Score]:
        """Return all scores there are."""
        played = Counter(bot for bots in self._complete.values() for bot in bots)
        return {bot: replace(score, blocks=played[bot]) for bot, score in self._scores.items()}

    def changed(self, block: Block) -> Block | Ended | None:
        """Return what becomes of a block in play, None if it stays as it is."""
        return voided(block, self.out) if self._rests_on_one_out(block) else None

    def _rests_on_one_out(self, block: Block) -> bool:
        return any(
            each.match_id in self.out and each.attempt.ending is Ending.PLAYED
            for each in block.tries
        )


def is_counted(rulings: Rulings, match: Finished) -> bool:
    """Tell whether the result of a match counts by these rulings."""
    return counts(rulings, match.match_id, match.bots, match.ended_ms)
