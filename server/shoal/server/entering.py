"""Entering a competition: whether a bot may, and entering it, as one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from shoal.competition import entry
from shoal.competition.plan import Entrant
from shoal.server.errors import Reason, Refusal
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore, Stale, now_ms


async def enter(
    competitions: CompetitionStore,
    find: Callable[[], Awaitable[Competition]],
    entrant: Entrant,
    who: str = "",
    prepare: Callable[[Competition], Awaitable[None]] | None = None,
) -> None:
    """Enter a bot into what `find` returns; again is a success. Raise Refusal when it may not.

    `who` does it, for the list of actions; without it the owner of the bot. What it takes besides is done by
    `prepare`, which is called before it is in, and every time.
    """
    note = Note(now_ms(), who or f"owner {entrant.owner}", "enter", entrant.bot_id)
    while True:  # somebody else may enter in between: then what was looked at is not so any more
        with suppress(Stale):
            found = await find()
            entrants = await competitions.entrants(found.competition_id)
            is_new = _check(found, entrants, entrant)
            if prepare is not None:
                await prepare(found)
            if not is_new:
                return
            await competitions.enter(found, entrant, note)
            return


def _check(found: Competition, entrants: tuple[Entrant, ...], entrant: Entrant) -> bool:
    """Tell whether there is anything to do; raise Refusal when the bot may not enter."""
    if found.is_ending:
        raise _refusal(entrant, "it is over")
    if entrant.bot_id in found.rulings.excluded:
        raise _refusal(entrant, "its organizer has excluded it")
    if found.state is not State.OPEN and not found.is_ladder:
        raise _refusal(entrant, entry.Refusal.STARTED.value)
    here = next((one for one in entrants if one.bot_id == entrant.bot_id), None)
    if here is not None and here.gone_from is None:
        # A bot that has become somebody else's, or a baseline, is entered as what it is now.
        return here != entrant
    others = [one for one in entrants if one.bot_id != entrant.bot_id]
    refused = entry.refused(found.specification, others, replace(entrant, gone_from=None), now_ms())
    if refused is not None:
        raise _refusal(entrant, refused.refusal.value, refused.number)
    return True


def _refusal(entrant: Entrant, why: str, number: int = 0) -> Refusal:
    """Return why a bot may not enter; the number is a moment in ms or how many there may be, if any."""
    return Refusal(
        Reason.ENTRY_REFUSED,
        f"bot {entrant.bot_id} may not enter: {why}",
        bot_id=entrant.bot_id,
        number=number,
    )
