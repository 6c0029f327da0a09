"""Following the log of a match, and noticing when it took another course: then the store lost moves (T6).

What was seen in them cannot be unseen, so such a match cannot be counted.
"""

import asyncio
from typing import NamedTuple, final

import structlog

from shoal.engine import Event
from shoal.match import (
    Entry,
    EntryKind,
    Match,
    VoidReason,
    follows,
    parse_entry,
    replay,
    rev_of,
    step,
)
from shoal.server.hub.age import Credit, credits_in
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.reading import Reading
from shoal.server.hub.table import Table
from shoal.server.store.matches import MatchStore

log = structlog.get_logger()


@final
class _Led(NamedTuple):
    """A match, what happened on its way there, and what was given."""

    match: Match
    past: list[tuple[int, list[Event]]]
    given: list[Credit]


@final
class Timeline:
    """Brings tables up to date with the store."""

    def __init__(self, matches: MatchStore, reading: Reading, condemned: Condemned) -> None:
        """Follow the logs of `matches`; `condemned` is told of those that lost moves."""
        self._store = matches
        self._reading = reading
        self._condemned = condemned

    async def follow(self, table: Table) -> bool:
        """Bring a table up to date; False when the store does not have its match any more.

        Its readers have been told then that it is void. Raise what reading the match raises, when the
        table cannot follow and cannot be read anew.
        """
        while True:
            await _settled(table)
            match = table.match
            match_id = match.meta.match_id
            # The rev first: what is committed between the two is among the entries, and a rev
            # that is not ours although nothing follows ours is of another course of the log.
            (stored_rev,), texts = await asyncio.gather(
                self._store.revs([match_id]), self._store.entries(match_id, match.version)
            )
            if table.match is not match:
                return True
            # A step that was sent meanwhile may have come from the same old position: whoever
            # gave way to it would let two callers keep each other from ever seeing the new one.
            if table.committing is None:
                break
        try:
            led = _led_on(match, texts, stored_rev)
        except Exception as error:  # noqa: BLE001 - reading it again fails in the same way, or does not
            # What is stored may still be read: an end has a state of its own, and nothing else does here.
            log.info("log_not_followed", match=match_id, reason=repr(error))
            led = None
        if led is None:
            return await self._reread(table)
        if led.past:
            table.follow(*led)
        return True

    async def _reread(self, table: Table) -> bool:
        """Start a table again from the store; False when its match is not there any more.

        One that goes on meanwhile, by a step of ours, is left as it is: what was read is older than that, and
        whoever finds that the log took another course looks again.
        """
        match = table.match
        match_id = match.meta.match_id
        found = await self._reading.load(match_id)
        if found is None:
            _end_as_lost(table)
            return False
        if await self._still_has(match):
            await _settled(table)
            if table.match is match:
                table.replace(*found)  # what we read before was of two different moments
            return True
        log.warning("timeline_changed", match=match_id, version=match.version)
        self._condemned.add(match_id, VoidReason.LOST_MOVES)
        # In the store before anything else: another server, which knows nothing of it, might end the match.
        await self._store.condemn(match_id, VoidReason.LOST_MOVES.value)
        await _settled(table)
        if table.match is match:
            table.replace(*found)
        return True

    async def _still_has(self, match: Match) -> bool:
        """Tell whether the store has the log that a match was made of."""
        if match.version == 0:
            return True
        match_id, last = match.meta.match_id, match.version - 1
        texts = await self._store.entries(match_id, last, last + 1)
        return [rev_of(text) for text in texts] == [match.rev]


async def _settled(table: Table) -> None:
    """Return when no step of a match is on its way to the store."""
    while table.committing is not None:
        await asyncio.wait([table.committing])


def _led_on(match: Match, texts: list[bytes], stored_rev: str | None) -> _Led | None:
    """Take a match through the entries that follow it; None when the store has another course of the log.

    Raise what reading or replaying them raises.
    """
    rev = match.rev
    entries = []
    for text in texts:
        if not follows(rev, text):
            return None
        logged = parse_entry(text)
        entries.append(logged)
        rev = logged.rev
    if not entries and stored_rev != rev:
        return None
    later = match.copy() if entries else match
    return _Led(later, replay(later, entries), credits_in(entries))


def _end_as_lost(table: Table) -> None:
    """Tell the readers of a table, whose match the store has lost, that it is void."""
    match = table.match.copy()
    log.error("match_lost_by_store", match=match.meta.match_id, version=match.version)
    if not table.over:
        step(match, Entry(EntryKind.VOID, value=VoidReason.LOST_MOVES.value))
        table.replace(match, table.partition)
