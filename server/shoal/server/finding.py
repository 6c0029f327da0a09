"""A competition by what a caller calls it, or the refusal of one that is not there."""

from shoal.server.errors import not_found
from shoal.server.store.competition_errors import UnknownCompetition
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.competitions import CompetitionStore


async def find(
    competitions: CompetitionStore, competition_id: str, *, what: str = "competition"
) -> Competition:
    """Return a competition; raise Refusal, in which it is `what` the caller has asked for."""
    try:
        return await competitions.get(competition_id)
    except UnknownCompetition:
        raise not_found(what, competition_id) from None
