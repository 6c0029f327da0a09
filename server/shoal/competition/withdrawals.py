"""What counts of a bot that has left a round robin or a gauntlet, as the FIDE handbook has it.

- Who has played less than **half** of its blocks might as well not have entered: its results count for
  nobody, neither for it nor against it. They are shown, and it is listed last.
- Of anybody else all blocks count, and those that were not played are **forfeits**: it has the last place in
  each match and the others share the first. Nobody gains by leaving while it is ahead.

A block is played if it is complete. Whatever the bots that stayed did against each other at its tables counts
in any case.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import final

from shoal.competition.block import Progress, State
from shoal.competition.plan import Entrant, Finished, Planned, finished


@final
@dataclass(frozen=True, slots=True)
class Settled:
    """What comes of withdrawals: blocks that they forfeit, and bots whose results count for nobody."""

    forfeits: tuple[Finished, ...] = ()
    uncounted: frozenset[str] = frozenset()


def settle(
    plan: Sequence[Planned], entrants: Iterable[Entrant], over: Collection[Finished]
) -> Settled:
    """Return what comes of those who have left, from the whole plan and the blocks that are over.

    While a block of theirs is in play it is taken for a forfeit; it counts as it was played once it is over.
    """
    gone_from = {one.bot_id: one.gone_from for one in entrants if one.gone_from is not None}
    all_of_one = Counter(bot for block in plan for bot in block.bots)
    played = Counter(bot for block in over if block.was_played for bot in block.bots)
    uncounted = frozenset(bot for bot in gone_from if 2 * played[bot] < all_of_one[bot])
    keys = {block.key for block in over}
    forfeits = []
    for block in plan:
        gone = frozenset(
            bot for bot in block.bots if block.key.round >= gone_from.get(bot, block.key.round + 1)
        )
        stay = len(block.bots) - len(gone)
        if block.key not in keys and stay and gone - uncounted:
            made = finished(block.key, block.bots, Progress(State.FORFEIT, absent=gone))
            forfeits.append(_without(made, uncounted))
    return Settled(tuple(forfeits), uncounted)


def counted(over: Iterable[Finished], settled: Settled) -> tuple[Finished, ...]:
    """Return what counts: the blocks that are over, without those who count for nobody, and forfeits."""
    kept = (_without(block, settled.uncounted) for block in over)
    return (*(block for block in kept if len(block.bots) > 1), *settled.forfeits)


def _without(block: Finished, bots: Collection[str]) -> Finished:
    """Return a block as if these had not sat there: only who was before whom means anything."""
    stay = [position for position, bot in enumerate(block.bots) if bot not in bots]
    if len(stay) == len(block.bots):
        return block
    return replace(
        block,
        bots=tuple(block.bots[position] for position in stay),
        matches=tuple(
            tuple(placements[position] for position in stay) for placements in block.matches
        ),
    )
