"""Nobody gains by leaving its tables in the middle of their blocks: what was played there counts."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import pytest

from shoal.competition.block import seating
from shoal.rating import Match, Row, gathered
from shoal.rating.table import rate
from tests.rating.making import by_bot

CHEAT = "b00"
BOTS = tuple(f"b{number:02}" for number in range(12))

Leaves: TypeAlias = Callable[[int, int], bool]
"""Whether the cheat leaves after a match: its placement, and the seats of the table."""


def behind(placement: int, _seats: int) -> bool:
    return placement > 1


def ahead(placement: int, _seats: int) -> bool:
    return placement == 1


def always(_placement: int, _seats: int) -> bool:
    return True


def never(_placement: int, _seats: int) -> bool:
    return False


def rated(leaves: Leaves, seats: int, blocks: int, seed: int) -> dict[str, Row]:
    """The table of equals, of which one leaves its tables so after their matches, but for the last ones."""
    chance = Random(seed)
    results = []
    for number in range(blocks):
        table = chance.sample(BOTS, seats)
        for rotation in range(seats):
            seated = seating(table, rotation)
            order = chance.sample(range(1, seats + 1), seats)
            match = Match(f"m{number:05}.{rotation}", seated, tuple(order))
            results.append((f"k{number:05}", match))
            if CHEAT in seated and leaves(order[seated.index(CHEAT)], seats):
                break
    return by_bot(rate(gathered(results)))


@pytest.mark.parametrize("seats", [2, 4])
def test_who_leaves_whenever_it_is_behind_is_rated_as_an_equal(seats: int) -> None:
    """Those whom it left behind in its blocks too: nothing that was played is lost to anybody."""
    rows = rated(behind, seats, 2400 // seats, seed=7)
    cheat, *others = (rows[bot] for bot in BOTS)
    assert abs(cheat.rating - 1500) <= cheat.interval < 100
    assert min(row.rating for row in others) <= cheat.rating <= max(row.rating for row in others)
    assert cheat.blocks * seats > cheat.matches  # so it has left


@pytest.mark.parametrize("leaves", [behind, ahead, always, never])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_however_a_bot_leaves_intervals_hold_the_truth(leaves: Leaves, seats: int) -> None:
    """Of equals in as many cases as of those that stay, and on the average it is neither better nor worse."""
    found = [rated(leaves, seats, 240 // seats, seed)[CHEAT] for seed in range(40)]
    assert sum(abs(row.rating - 1500) <= row.interval for row in found) >= 35
    assert abs(_mean([row.rating - 1500 for row in found])) < 2.5 * _error(found)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _error(found: Sequence[Row]) -> float:
    """The error of their mean, in points: an interval is of about two standard deviations."""
    return float(_mean([row.interval for row in found]) / 2 / len(found) ** 0.5)
