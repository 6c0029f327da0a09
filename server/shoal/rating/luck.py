"""Results without luck as whole numbers, which sums are the same of in whatever order they come."""

from collections.abc import Sequence

from shoal.rating.model import WIN, Match


def in_parts(shares: Sequence[float]) -> tuple[int, ...]:
    """Return parts of the win by `WIN`: they add up to it exactly."""
    first = [round(WIN * share) for share in shares[:-1]]
    return (*first, WIN - sum(first))


def is_adjusted(match: Match) -> bool:
    """Tell whether luck is taken away from a match: only at tables of two, where it is proven."""
    return len(match.bots) == len(match.adjusted) == 2


def luck_of_first(match: Match) -> int:
    """Return what of the win was luck of the bot whose name is first, by `WIN`; 0 where it stays."""
    if not is_adjusted(match):
        return 0
    first = match.bots.index(min(match.bots))
    mine, other = match.placements[first], match.placements[1 - first]
    won = WIN // 2 if mine == other else WIN * (mine < other)
    return won - match.adjusted[first]
