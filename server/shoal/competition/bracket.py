"""Who meets whom in a knock-out if the better seed always wins."""

from collections.abc import Sequence


def slots(entrants: int) -> tuple[int, ...]:
    """Return the seeds, from 0, in the order of the bracket: neighbors meet in the first round.

    The first two seeds can only meet in the final, the first four not before the semifinals, and so on. Of
    a number that is no power of two the seeds that are not there are byes, which fall to the best.
    """
    order = [0]
    while len(order) < entrants:
        last = 2 * len(order) - 1
        order = [seed for upper in order for seed in (upper, last - upper)]
    return tuple(order)


def rounds(entrants: int) -> int:
    """Return how many rounds there are: nobody plays more ties than this."""
    return (max(1, entrants) - 1).bit_length()


def pairs(sides: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    """Return the neighbors of a round."""
    return list(zip(sides[::2], sides[1::2], strict=True))
