"""Tables of a given size, chosen so that everybody meets everybody about equally often.

The tables of a design are those of a few base tables, each turned through all places of a circle. So:

- everybody has exactly as many tables as everybody else;
- every two meet at least `times` times;
- how often two meet depends on their distance on the circle alone, and base tables are chosen so that
  this differs little: of an odd number up to 39 by one at most; of an even number up to 40, where those
  across the circle meet in twos, by three at most and mostly by one; and not at all where a perfect
  difference family exists, as for 7 in threes or 13 in fours. Of more entrants, for whom not all tables
  can be tried, by two at most if they are to meet once, and so much for each time that they are to meet.

Tables of two are no choice: all pairs, in the order of the Berger tables of chess.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

Table: TypeAlias = tuple[int, ...]
"""Places on the circle, 0 to the number of entrants less one; ascending, but in tables of two."""


_SEARCHED: Final = 40
"""Of so many entrants all tables are tried for the best; it takes the third power of their number."""


def design(entrants: int, seats: int, times: int) -> tuple[tuple[Table, ...], ...]:
    """Return rounds of tables in which every two meet `times` times or more.

    Nobody sits at two tables of a round. Where there are fewer entrants than seats there is no table.
    """
    if entrants < seats:
        return ()
    if seats == 2:
        return berger(entrants) * times
    bases = _bases(entrants, seats, times)
    return tuple(_rounds(table for base in bases for table in turned(base, entrants)))


def number_of_tables(entrants: int, seats: int, times: int) -> int:
    """Return how many tables the design has."""
    if entrants < seats:
        return 0
    if seats == 2:
        return times * entrants * (entrants - 1) // 2
    return sum(_turns(base, entrants) for base in _bases(entrants, seats, times))


def berger(entrants: int) -> tuple[tuple[Table, ...], ...]:
    """Return the rounds of a round robin in pairs; of an odd number one is free in each round.

    Players 1 to m on the circle, m odd: in round r those meet whose numbers add up to r + 1 (mod m), and
    who would meet itself plays the one in the center. (Berger tables, annex to the FIDE general rules.)
    """
    circle = entrants - 1 + entrants % 2
    return tuple(
        tuple(sorted(_berger_round(entrants, circle, number))) for number in range(1, circle + 1)
    )


def turned(base: Table, entrants: int) -> Iterator[Table]:
    """Return a table turned through all places of the circle, each of its tables once."""
    for step in range(_turns(base, entrants)):
        yield tuple(sorted((place + step) % entrants for place in base))


def _berger_round(entrants: int, circle: int, number: int) -> Iterator[Table]:
    for one in range(circle):
        other = (number - 1 - one) % circle
        if other == one:
            other = circle  # the center, which of an odd number is nobody
        if one < other < entrants:
            yield (one, other)


def _bases(entrants: int, seats: int, times: int) -> list[Table]:
    """Return base tables, each of which covers first what has been met least."""
    if entrants > _SEARCHED and times > 1:
        return _bases(entrants, seats, 1) * times
    met = [0] * (entrants // 2 + 1)
    bases: list[Table] = []
    while (least := min(met[1:])) < times:
        base = _base(entrants, seats, met, least)
        for distance, meetings in _meetings(base, entrants).items():
            met[distance] += meetings
        bases.append(base)
    return bases


def _base(entrants: int, seats: int, met: Sequence[int], least: int) -> Table:
    """Return the best table for two who have met least; of many entrants place by place."""

    def worth(base: Table) -> tuple[tuple[int, int], Table]:
        return _cost(_meetings(base, entrants), met, least, entrants), base

    base: Table = (0, met.index(least, 1))
    step = seats - len(base) if entrants <= _SEARCHED else 1
    while len(base) < seats:
        free = sorted({*range(entrants)} - {*base})
        tables = (tuple(sorted((*base, *others))) for others in combinations(free, step))
        base = min(tables, key=worth)
    return base


def _cost(
    meetings: dict[int, int], met: Sequence[int], least: int, entrants: int
) -> tuple[int, int]:
    """Return how little a base table brings those together who met least, and how uneven it is."""
    fresh = uneven = 0
    for distance, more in meetings.items():
        pairs = 1 if 2 * distance == entrants else 2
        fresh += pairs * (met[distance] == least)
        uneven += pairs * ((met[distance] + more) ** 2 - met[distance] ** 2)
    return (-fresh, uneven)


def _meetings(base: Table, entrants: int) -> dict[int, int]:
    """Return how often those at each distance meet at the tables of a base table."""
    pairs: dict[int, int] = {}
    for one, other in combinations(base, 2):
        distance = min(other - one, entrants - other + one)
        pairs[distance] = pairs.get(distance, 0) + 1
    turns = _turns(base, entrants)
    return {
        distance: number * turns // (entrants // 2 if 2 * distance == entrants else entrants)
        for distance, number in pairs.items()
    }


def _turns(base: Table, entrants: int) -> int:
    """Return after how many steps around the circle a table is itself again.

    If that is before all of it, every seat has others at that distance, so there is a whole number of parts.
    """
    places = set(base)
    for parts in range(len(base), 1, -1):
        step = entrants // parts
        if entrants % parts == 0 and all((place + step) % entrants in places for place in base):
            return step
    return entrants


def _rounds(tables: Iterator[Table]) -> list[tuple[Table, ...]]:
    """Put each table into the first round in which all of it is free."""
    rounds: list[list[Table]] = []
    busy: list[set[int]] = []
    for table in tables:
        number = next((n for n, places in enumerate(busy) if places.isdisjoint(table)), len(busy))
        if number == len(busy):
            rounds.append([])
            busy.append(set())
        rounds[number].append(table)
        busy[number].update(table)
    return [tuple(tables) for tables in rounds]
