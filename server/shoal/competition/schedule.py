"""Which blocks of a schedule that is known from the start are due. Of round robins and gauntlets.

Nobody waits for the end of a round: all blocks that are not finished are due, the earliest first, and
whoever is free plays on. One slow bot holds up its own tables alone (T67).
"""

from collections.abc import Iterable, Sequence

from shoal.competition.plan import BlockKey, Entrant, Finished, Planned, may_be_rated
from shoal.competition.specification import Specification


def due(
    schedule: Iterable[Planned], entrants: Iterable[Entrant], finished: Iterable[Finished]
) -> tuple[Planned, ...]:
    """Return the blocks that may be in play now, in the order in which they should begin.

    They include those that are in play already: the key tells. A block whose bot is gone is dropped.
    """
    over = {block.key for block in finished}
    gone_from = {one.bot_id: one.gone_from for one in entrants if one.gone_from is not None}
    return tuple(
        block
        for block in schedule
        if block.key not in over
        and all(block.key.round < gone_from.get(bot, block.key.round + 1) for bot in block.bots)
    )


def planned(
    specification: Specification,
    rounds: Iterable[Sequence[Sequence[Entrant]]],
    blocks_per_pairing: int,
) -> tuple[Planned, ...]:
    """Return the blocks of rounds of tables: each table with each ruleset, so many times."""
    return tuple(
        Planned(
            key=BlockKey(round_number, table_number, number),
            bots=tuple(one.bot_id for one in table),
            ruleset=specification.rulesets[number % len(specification.rulesets)],
            rated=specification.rated and may_be_rated(table),
        )
        for round_number, tables in enumerate(rounds)
        for table_number, table in enumerate(tables)
        for number in range(blocks_per_pairing * len(specification.rulesets))
    )
