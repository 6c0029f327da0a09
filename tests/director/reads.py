"""All of a competition at once, as small as it is in tests: a server reads it page by page."""

from shoal.server.store.competition_nouns import Ended, Note
from shoal.server.store.competitions import CompetitionStore

_LINES = 10_000


async def results_of(competitions: CompetitionStore, competition_id: str) -> dict[str, bytes]:
    """Return every counted result by match id."""
    found: dict[str, bytes] = {}
    async for page in competitions.result_pages(competition_id):
        found |= page
    return found


async def ended_of(competitions: CompetitionStore, competition_id: str) -> dict[str, Ended]:
    """Return the blocks that are over, by key."""
    found: dict[str, Ended] = {}
    async for page in competitions.ended_pages(competition_id):
        found |= page
    return dict(sorted(found.items()))


async def audit_of(competitions: CompetitionStore, competition_id: str) -> list[Note]:
    """Return what was done to a competition, the first first."""
    lines, _ = await competitions.actions(competition_id, _LINES)
    return lines[::-1]
