"""From which round on a change in who takes part in a tournament can be heeded."""

from collections.abc import Sequence

from shoal.competition import tournament
from shoal.competition.plan import Entrant
from shoal.competition.specification import Knockout, Swiss
from shoal.server.director import finished_block
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore


async def next_round(
    competitions: CompetitionStore, found: Competition, entrants: Sequence[Entrant], bot_id: str
) -> int:
    """Return the first round without a bot that leaves now: what is paired or decided stays as it is."""
    if not isinstance(found.specification.format, Swiss | Knockout):
        return 0
    ended = await competitions.ended(found.competition_id)
    blocks = map(finished_block, ended.values())
    return tournament.leaves_from(found.specification, entrants, blocks, bot_id)
