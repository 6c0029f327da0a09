"""Who can be compared with whom: bots that a chain of matches joins, and all that one joins to an anchor."""

import numpy as np

from shoal.rating.tally import Tally, Whole


def groups_of(tallied: Tally, anchored: Whole) -> list[Whole]:
    """Return the bots of each group, by their numbers, ascending.

    All circles that hold one of the `anchored` are one group, the first: what is given joins them. The others
    follow by how much was played in them, most first, then by their first bot.
    """
    circles = _circles(tallied.weights > 0)
    held = set(anchored.tolist())
    with_anchor = [circle for circle in circles if held & set(circle)]
    without = [circle for circle in circles if not held & set(circle)]
    without.sort(key=lambda circle: (-int(tallied.matches[circle].sum()), circle[0]))
    first = [sorted(bot for circle in with_anchor for bot in circle)] if with_anchor else []
    return [np.array(group, np.int64) for group in (*first, *without)]


def _circles(met: np.typing.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected parts of who met whom, each ascending."""
    left = np.ones(len(met), np.bool_)
    found: list[list[int]] = []
    for start in range(len(met)):
        if not left[start]:
            continue
        circle = np.zeros(len(met), np.bool_)
        new = np.zeros(len(met), np.bool_)
        new[start] = True
        while new.any():
            circle |= new
            new = met[new].any(axis=0) & ~circle
        left &= ~circle
        found.append(np.flatnonzero(circle).tolist())
    return found
