"""Entering a competition: whether a bot may, and entering it, as one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from shoal.competition import entry
from shoal.competition.plan import Entrant
from shoal.server.errors import Reason, Refusal
from shoal.server.store.competition_errors import Stale
from shoal.server.store.competition_nouns import Competition, Note, State
from shoal.server.store.competitions import CompetitionStore
from shoal.server.store.entries import EntryStore, Full
from shoal.server.store.keys import now_ms


async def enter(
    competitions: CompetitionStore,
    entries: EntryStore,
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
    while True:  # its organizer may end it, or exclude the bot, in between
        with suppress(Stale):
            found = await find()
            is_new = await _check(competitions, entries, found, entrant)
            if prepare is not None:
                await prepare(found)
            if not is_new:
                return
            try:
                await entries.enter(found, entrant, note)
            except Full as full:
                why = entry.Refusal.OWNER_FULL if full.of_owner else entry.Refusal.FULL
                raise _refusal(entrant, why.value, full.most) from None
            return


async def _check(
    competitions: CompetitionStore, entries: EntryStore, found: Competition, entrant: Entrant
) -> bool:
    """Tell whether there is anything to do; raise Refusal when the bot may not enter."""
    if found.is_ending:
        raise _refusal(entrant, "it is over")
    if entrant.bot_id in found.rulings.excluded:
        raise _refusal(entrant, "its organizer has excluded it")
    if found.state is not State.OPEN and not found.is_ladder:
        raise _refusal(entrant, entry.Refusal.STARTED.value)
    here = await entries.get(found.competition_id, entrant.bot_id)
    if here is not None and here.gone_from is None:
        # A bot that has become somebody else's, or a baseline, is entered as what it is now.
        return here != entrant
    others: tuple[Entrant, ...] = ()
    limits = found.specification.entry
    if limits.entrants or limits.bots_per_owner:
        # Others may enter yet: the store counts again. But nothing is prepared for who finds it full.
        others = await competitions.entrants(found.competition_id)
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
