"""The schedule of a round robin: everybody meets everybody, in tables of every size that is asked for.

For each size and in each cycle every two meet once at the least, and `design` says how evenly. A size
that cannot be filled is played with as many as there are (T75).
"""

from collections.abc import Sequence

from shoal.competition.design import design, number_of_tables
from shoal.competition.plan import Entrant, Planned
from shoal.competition.schedule import planned
from shoal.competition.specification import RoundRobin, Specification


def schedule(specification: Specification, entrants: Sequence[Entrant]) -> tuple[Planned, ...]:
    """Return all blocks in the order in which they should begin; entrants are in seeded order.

    Raises ValueError for another format.
    """
    if not isinstance(specification.format, RoundRobin):
        raise ValueError("not a round robin")  # noqa: TRY004 - the type is right, its content is not
    number, form = len(entrants), specification.format
    sizes = dict.fromkeys(min(size, number) for size in specification.seats if number > 1)
    rounds = [
        [[entrants[place] for place in table] for table in tables]
        for size in sizes
        for tables in design(number, size, form.cycles)
    ]
    return planned(specification, rounds, form.blocks_per_pairing)


def number_of_blocks(specification: Specification, entrants: int) -> int:
    """Return how many blocks so many have to play, without making them. Raises ValueError, too."""
    form = specification.format
    if not isinstance(form, RoundRobin):
        raise ValueError("not a round robin")  # noqa: TRY004 - the type is right, its content is not
    sizes = dict.fromkeys(min(size, entrants) for size in specification.seats if entrants > 1)
    tables = sum(number_of_tables(entrants, size, form.cycles) for size in sizes)
    return tables * form.blocks_per_pairing * len(specification.rulesets)
