"""Which blocks are rated: whole ones, and of them those that the rulings let count.

A match that does not count takes its block with it, since only a whole block is fair to its seats.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from shoal.competition.rulings import Rulings, counts
from shoal.rating.model import BadBlock, Block, Match

SEATS = range(2, 5)
"""The table sizes that the game has."""


def gathered(results: Iterable[tuple[str, Match]]) -> tuple[Block, ...]:
    """Return the whole blocks of results with the keys of their blocks, as a ladder or an export has them.

    Results that are played, rated and counted are to be given, in any order. A block of which a match is
    missing is left out: it is in play, was lost by those who did not come, or an organizer took it out. So is
    one in which a bot changed its version, since no two releases have sat in the same seats. Where the store
    lost how far a block was and it was played on from there, seats were taken in the same order twice, and
    the match that began first is the one of the block. Raises BadBlock if a match is there twice.
    """
    tables: defaultdict[tuple[str, frozenset[str]], dict[tuple[str, ...], Match]]
    tables = defaultdict(dict)
    for key, match in results:
        seatings = tables[key, frozenset(match.bots)]
        known = seatings.setdefault(match.bots, match)
        # Ids begin with the time at which a match was made.
        if match.match_id < known.match_id:
            seatings[match.bots] = match
    blocks = (
        Block(key, tuple(sorted(seatings.values(), key=lambda match: match.match_id)))
        for (key, bots), seatings in sorted(tables.items(), key=lambda item: item[0][0])
        if len(seatings) == len(bots)
    )
    return checked(blocks)


def counting(blocks: Iterable[Block], rulings: Rulings) -> tuple[Block, ...]:
    """Return the blocks of which every match counts by these rulings, in their order."""
    return tuple(
        block
        for block in blocks
        if all(
            counts(rulings, match.match_id, match.bots, match.ended_ms) for match in block.matches
        )
    )


def checked(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks; raise BadBlock if one is not whole, or a match is there twice."""
    blocks = tuple(blocks)
    for block in blocks:
        _check(block)
    ids = [match.match_id for block in blocks for match in block.matches]
    if len(set(ids)) < len(ids):
        (twice, _), *_ = Counter(ids).most_common(1)
        raise BadBlock(f"match {twice} is there twice")
    return blocks


def _check(block: Block) -> None:
    """Raise BadBlock unless every bot sat in every seat once and everybody was placed."""
    size = len(block.matches)
    if size not in SEATS:
        raise BadBlock(f"block {block.key}: {size} matches, for tables of 2 to 4 as many")
    bots = set(block.matches[0].bots)
    if len(bots) != size:
        raise BadBlock(f"block {block.key}: {size} matches of {len(bots)} bots")
    for match in block.matches:
        if len(match.bots) != size or set(match.bots) != bots:
            raise BadBlock(f"block {block.key}: match {match.match_id} has another table")
        if len(match.placements) != size or min(match.placements) < 1:
            raise BadBlock(f"block {block.key}: match {match.match_id} has no placement for a seat")
    seats = zip(*(match.bots for match in block.matches), strict=True)
    if any(len(set(seat)) < size for seat in seats):
        raise BadBlock(f"block {block.key}: a bot sat in one seat twice")
