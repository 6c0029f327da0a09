"""Blocks and entrants for tests, made from as little as a test wants to say."""

from collections.abc import Callable, Iterable, Sequence

from shoal.competition.block import State
from shoal.competition.plan import BlockKey, Entrant, Finished, Planned


def entrants(names: Iterable[str]) -> tuple[Entrant, ...]:
    """Entrants without owners, best seed first."""
    return tuple(map(Entrant, names))


def duel(key: BlockKey, bots: Sequence[str], wins: float) -> Finished:
    """A block of two, of which the first got so many of the two points."""
    won, tied, lost = (1, 2), (1, 1), (2, 1)
    matches = {
        2.0: (won, won),
        1.5: (won, tied),
        1.0: (won, lost),
        0.5: (tied, lost),
        0.0: (lost, lost),
    }
    return Finished(key, tuple(bots), State.COMPLETE, matches[wins])


def void(block: Planned) -> Finished:
    """The block, void."""
    return Finished(block.key, block.bots, State.VOID, ())


def by_strength(strength: Callable[[str], float]) -> Callable[[Planned], Finished]:
    """Play blocks so that the stronger one is always before the weaker one."""

    def play(block: Planned) -> Finished:
        order = [strength(bot) for bot in block.bots]
        placements = tuple(1 + sum(other > mine for other in order) for mine in order)
        return Finished(block.key, block.bots, State.COMPLETE, (placements,) * len(block.bots))

    return play
