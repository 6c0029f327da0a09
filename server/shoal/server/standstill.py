"""Why nothing begins in a competition: its organizer's words, or those of the director."""

from typing import Final

from shoal.server.store.competition_nouns import Competition, State
from shoal.server.store.competitions import CompetitionStore

HOLDING: Final = frozenset({"pause", "drain"})
"""What an organizer does that keeps a competition from beginning anything, as its list has it."""

_READ: Final = 500
"""So many actions are looked through: it was done lately, or nobody is left who wonders."""


async def why_it_stands(competitions: CompetitionStore, found: Competition) -> str:
    """Return why a competition begins nothing new; "" while it does, and where nobody said why."""
    if found.state in {State.OPEN, State.RUNNING}:
        return ""
    if found.is_ending:
        return found.ended
    notes, _ = await competitions.actions(found.competition_id, _READ)
    return next((note.why for note in notes if note.action in HOLDING), "")
