"""The schedule of a gauntlet: each challenger meets everybody of the field, and no other challenger.

In a table of more than two one seat is the challenger's and the others are the field's. A challenger
then meets all of the field equally often: once in pairs, and in larger tables as often as it takes until
everybody of the field has been in every place, which is once more for each seat. A table that the field
cannot fill is smaller (T75).
"""

import math
from collections.abc import Iterator, Sequence

from shoal.competition.design import Table, turned
from shoal.competition.plan import Entrant, Planned
from shoal.competition.schedule import planned
from shoal.competition.specification import Gauntlet, Specification


def schedule(specification: Specification, entrants: Sequence[Entrant]) -> tuple[Planned, ...]:
    """Return all blocks in the order in which they should begin; entrants are in seeded order.

    Each table is a round of its own; challengers take turns. A challenger that has not entered plays
    nothing. Raises ValueError for another format.
    """
    form = specification.format
    if not isinstance(form, Gauntlet):
        raise ValueError("not a gauntlet")  # noqa: TRY004 - the type is right, its content is not
    challengers = [one for one in entrants if one.bot_id in form.challengers]
    field = [one for one in entrants if one.bot_id not in form.challengers]
    sizes = dict.fromkeys(min(size, len(field) + 1) for size in specification.seats if field)
    rounds = [
        [[challenger, *(field[place] for place in table)]]
        for size in sizes
        for tables in zip(
            *(_opponents(len(field), size - 1, number) for number in range(len(challengers))),
            strict=True,
        )
        for challenger, table in zip(challengers, tables, strict=True)
    ]
    return planned(specification, rounds, form.blocks_per_pairing)


def number_of_blocks(specification: Specification, entrants: Sequence[Entrant]) -> int:
    """Return how many blocks there are, without making them. Raises ValueError as `schedule` does."""
    form = specification.format
    if not isinstance(form, Gauntlet):
        raise ValueError("not a gauntlet")  # noqa: TRY004 - the type is right, its content is not
    challengers = sum(one.bot_id in form.challengers for one in entrants)
    field = len(entrants) - challengers
    sizes = dict.fromkeys(min(size, field + 1) for size in specification.seats if field)
    tables = sum(sum(1 for _ in _opponents(field, size - 1, 0)) for size in sizes)
    return challengers * tables * form.blocks_per_pairing * len(specification.rulesets)


def _opponents(field: int, seats: int, challenger: int) -> Iterator[Table]:
    """Return the tables of the field for a challenger; those of the next one are mixed otherwise.

    A stride that shares no divisor with the circle goes through all of it, as a stride of one does.
    """
    strides = [stride for stride in range(1, field + 1) if math.gcd(stride, field) == 1]
    stride = strides[challenger % len(strides)]
    return turned(tuple(sorted(place * stride % field for place in range(seats))), field)
