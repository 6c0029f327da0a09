"""Competitions in Redis: what anybody reads of them, and what organizers and owners of bots change.

All of a competition is in one partition. What the director writes is in `direction`.
"""

from typing import final

from shoal.server.store.competition_blocks import CompetitionBlocks
from shoal.server.store.competition_changes import CompetitionChanges
from shoal.server.store.competition_heads import CompetitionHeads
from shoal.server.store.competition_members import CompetitionMembers
from shoal.server.store.pipe import Pipe


@final
class CompetitionStore(CompetitionHeads, CompetitionMembers, CompetitionBlocks, CompetitionChanges):
    """The competitions in Redis, whole: its parts have nothing in common but the pipe."""

    def __init__(self, pipe: Pipe) -> None:
        """Work through this pipe, which the caller opens and closes."""
        CompetitionHeads.__init__(self, pipe)
        CompetitionMembers.__init__(self, pipe)
        CompetitionBlocks.__init__(self, pipe)
        CompetitionChanges.__init__(self, pipe)
