"""What two bots have done against each other, in blocks that were played."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from shoal.competition.plan import BlockKey, Finished
from shoal.competition.score import Score, pair_points


@final
@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The matches of two bots, as the first sees them: it was before the other, level, or behind.

    At larger tables only these two places are looked at. `blocks` are by key, `score` is in points.
    """

    bot: str
    other: str
    won: int
    drawn: int
    lost: int
    score: Score
    blocks: tuple[BlockKey, ...]


def head_to_head(bot: str, other: str, blocks: Iterable[Finished]) -> HeadToHead:
    """Return what these two have done; blocks that were void or forfeited say nothing of it."""
    both = sorted(
        (block for block in blocks if block.was_played and {bot, other} <= {*block.bots}),
        key=lambda block: block.key,
    )
    places = [(block, block.bots.index(bot), block.bots.index(other)) for block in both]
    pairs = [
        (match[mine], match[yours]) for block, mine, yours in places for match in block.matches
    ]
    return HeadToHead(
        bot=bot,
        other=other,
        won=sum(mine < yours for mine, yours in pairs),
        drawn=sum(mine == yours for mine, yours in pairs),
        lost=sum(mine > yours for mine, yours in pairs),
        score=Score(sum(pair_points(*place) for place in places), float(len(pairs))),
        blocks=tuple(block.key for block in both),
    )
