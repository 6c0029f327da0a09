"""From which round on a change in who takes part in a tournament can be heeded."""

from collections.abc import Sequence

from shoal.competition import swiss
from shoal.competition.plan import Entrant
from shoal.competition.specification import Swiss
from shoal.server.director import finished_block
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore


async def next_round(
    competitions: CompetitionStore, found: Competition, entrants: Sequence[Entrant]
) -> int:
    """Return the first round without a bot that leaves now: in a Swiss tournament it is the next."""
    if not isinstance(found.specification.format, Swiss):
        return 0
    ended = await competitions.ended(found.competition_id)
    blocks = map(finished_block, ended.values())
    return swiss.current_round(found.specification, entrants, blocks).number + 1
