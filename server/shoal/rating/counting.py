"""What is rated: every match that was played and counts, with those of its block.

No match is left out because of what somebody did after it. If a table broke up, or a match does not count,
its block is a smaller one: of the matches that are left. Otherwise who is behind could leave its table, and
what it has lost there would be gone, for its opponents too.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from shoal.competition.rulings import Rulings, counts
from shoal.rating.model import BadBlock, Block, Match

SEATS = range(2, 5)
"""The table sizes that the game has."""


def gathered(results: Iterable[tuple[str, Match]]) -> tuple[Block, ...]:
    """Return the blocks of results with the keys of their blocks, as a ladder or an export has them.

    Results that are played, rated and counted are to be given, in any order; one whose block is not known,
    with "" as its key, is a block for itself. Where a bot changed its version within a block, what each of
    the releases has played is a block. Raises BadBlock if a match is there twice.
    """
    tables = defaultdict[tuple[str, tuple[str, ...]], list[Match]](list)
    for key, match in results:
        tables[key or match.match_id, tuple(sorted(match.bots))].append(match)
    return checked(
        Block(key, tuple(sorted(matches, key=lambda match: match.match_id)))
        for (key, _), matches in sorted(tables.items())
    )


def counting(blocks: Iterable[Block], rulings: Rulings) -> tuple[Block, ...]:
    """Return what counts of blocks by these rulings, in their order."""
    left = (
        replace(
            block,
            matches=tuple(
                match
                for match in block.matches
                if counts(rulings, match.match_id, match.bots, match.ended_ms)
            ),
        )
        for block in blocks
    )
    return tuple(block for block in left if block.matches)


def checked(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks; raise BadBlock if one is not of one table, or a match is there twice."""
    blocks = tuple(blocks)
    for block in blocks:
        _check(block)
    ids = [match.match_id for block in blocks for match in block.matches]
    if len(set(ids)) < len(ids):
        (twice, _), *_ = Counter(ids).most_common(1)
        raise BadBlock(f"match {twice} is there twice")
    return blocks


def _check(block: Block) -> None:
    """Raise BadBlock unless the same bots, of a table that there is, sat in all matches and were placed."""
    if not block.matches:
        raise BadBlock(f"block {block.key}: 0 matches")
    bots = set(block.matches[0].bots)
    if len(bots) not in SEATS:
        raise BadBlock(f"block {block.key}: {len(bots)} bots, at tables of 2 to 4")
    for match in block.matches:
        if len(match.bots) != len(bots) or set(match.bots) != bots:
            raise BadBlock(f"block {block.key}: match {match.match_id} has another table")
        if len(match.placements) != len(bots) or min(match.placements) < 1:
            raise BadBlock(f"block {block.key}: match {match.match_id} has no placement for a seat")
