"""Why nothing begins in a competition, or not for a bot: its organizer's words, or those of the director."""

from collections.abc import Mapping
from typing import Final

from shoal.server.auth import Caller
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


def may_know(caller: Caller, owner: str) -> bool:
    """Tell whether a caller is told what is for the owner of a bot, and organizers, alone."""
    return caller.admin or (not caller.anonymous and caller.owner == owner)


def why_excluded(caller: Caller, found: Competition, owners: Mapping[str, str]) -> dict[str, str]:
    """Return why bots are excluded, "" where the caller may not know, or nobody said; owners are by bot."""
    return {
        bot: one.why if may_know(caller, owners.get(bot, "")) else ""
        for bot, one in found.rulings.excluded.items()
    }


def state_of(found: Competition) -> str:
    """Return how far a competition is, in a word."""
    return "ending" if found.state is State.DRAINING and found.is_ending else found.state.value


def because(why: str) -> str:
    """Return what somebody said as the end of a sentence; nothing if nobody said anything."""
    return f" ({why})" if why else ""
