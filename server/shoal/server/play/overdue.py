"""What becomes of a match whose deadline has come (docs/design.md, Endings): one entry, committed once.

Acts for a silent seat, unless it is our side that kept it silent; ends what nobody brings to an end.
"""

import asyncio
from typing import final

import structlog

from shoal.match import Entry, EntryKind, Match, Phase, VoidReason
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.committer import Committer
from shoal.server.play.credits import Credits, away_ms, is_unsure, missing_bots
from shoal.server.play.lost_places import LostPlaces
from shoal.server.play.unreadable import void_unread
from shoal.server.store.commits import Already, Committed, Guard
from shoal.server.store.errors import MatchCondemned, StoreUnavailable
from shoal.server.store.liveness import Silences
from shoal.server.store.matches import Bounds, MatchStore
from shoal.server.store.presence import PresenceStore
from shoal.server.store.whereabouts import Whereabouts

UNREAD_MS = 10_000
"""For how long a match that this server cannot read is left to others, of another version, that may.

Counted from the time at which they should have acted for the seat that is asked, or given it more.
"""

log = structlog.get_logger()


@final
class Overdue:
    """Acts where a deadline has come, or where a match cannot go on."""

    def __init__(
        self,
        hub: Hub,
        committer: Committer,
        condemned: Condemned,
        credit: Credits,
        matches: MatchStore,
        presences: PresenceStore,
        *,
        lost_places: LostPlaces,
    ) -> None:
        """Act on the tables of `hub`; `condemned` says which matches cannot be counted."""
        self._condemned = condemned
        self._lost_places = lost_places
        self._hub = hub
        self._committer = committer
        self._credits = credit
        self._matches = matches
        self._presences = presences

    async def act(self, match_id: str, now_ms: int, silences: Silences) -> None:
        """Act for whoever let the time of a match run out, if somebody did; `now_ms` is partition time."""
        if self._condemned.reason_for(match_id):
            return
        # Before the match is read: one that cannot be has to end too.
        bounds = await self._matches.bounds(match_id)
        reason = end_of(bounds, now_ms)
        table = None
        if reason is None:
            try:
                table = await self._fresh(match_id)
            except StoreUnavailable:
                raise
            except Exception:
                if now_ms - bounds.until_ms < UNREAD_MS:
                    return
                log.exception("match_not_swept", match=match_id)
                reason = VoidReason.FAULT
        if reason is not None:
            self._condemned.add(match_id, reason)
            await self.void(match_id, reason)
        elif table is not None and not table.over:
            await self._act_for_silent(table, now_ms, silences)

    async def _act_for_silent(self, table: Table, now_ms: int, silences: Silences) -> None:
        """Act for whoever let the time of a match run out, unless it is our side that kept it silent."""
        match = table.match
        match_id = match.meta.match_id
        late_ms = now_ms - match.asked_ms - limit_ms(match)
        if late_ms < 0:
            return  # what was due has been dealt with, and another decision is open
        silent = missing_bots(match)
        missing, lost = await asyncio.gather(
            self._presences.whereabouts(silent), self._lost_places.of(silent, match_id)
        )
        if table.match is not match:
            return  # it went on meanwhile
        if lost:
            await self._lost_places.make_good(table, match, lost, Guard.DUE)
            return
        away = [(bot.place, away_ms(bot.place, silences)) for bot in missing]
        kept = [(place, ms) for place, ms in away if ms > late_ms]
        cut_off = [ms for place, ms in kept if not is_unsure(place, silences)]
        # Whoever was cut off last has been given the least for it.
        if cut_off and await self._credits.give(table, match, min(cut_off), Guard.DUE):
            return
        if len(cut_off) < len(kept):
            return  # it is still due when that is known, a moment later
        entry = silent_entry(table.match, missing)
        if entry is not None:
            await self._commit(table, entry)

    async def void(self, match_id: str, reason: VoidReason) -> None:
        """End a match that cannot be counted; it stays condemned until it is over, here and in the store.

        Where reading it fails, or what leads on from there, it is ended without (T17, T82).
        """
        await self._matches.condemn(match_id, reason.value)
        try:
            is_over = await self._void_at_table(match_id, reason)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("match_not_swept", match=match_id)
            is_over = await self._void_unread(match_id, reason)
        if is_over:
            self._condemned.pardon(match_id)

    async def _void_at_table(self, match_id: str, reason: VoidReason) -> bool:
        """End a match, and tell whether it is over now."""
        table = await self._fresh(match_id)
        if table is not None and not table.over:
            await self._commit(table, Entry(EntryKind.VOID, value=reason.value), Guard.NONE)
        return table is None or table.over

    async def _void_unread(self, match_id: str, reason: VoidReason) -> bool:
        """End a match as it is stored, and tell whether it is over now; its seats hear the bells of it."""
        stored = await self._matches.load(match_id)
        if stored is None or stored.status == Phase.FINISHED:
            return True
        outcome = await self._matches.submit_commit(void_unread(stored, reason))
        return isinstance(outcome, Committed | Already)

    async def _fresh(self, match_id: str) -> Table | None:
        """Return the table as the store has it now."""
        table = await self._hub.table(match_id)
        if table is not None:
            await self._hub.refresh(table)
        return table

    async def _commit(self, table: Table, entry: Entry, guard: Guard = Guard.DUE) -> None:
        """Commit an entry; whoever was faster has acted."""
        if table.committing is None:
            try:
                await asyncio.shield(self._committer.submit(table, entry, guard))
            except MatchCondemned as condemned:
                match_id = table.match.meta.match_id
                self._condemned.add(match_id, known_reason(condemned.reason))


def end_of(bounds: Bounds, now_ms: int) -> VoidReason | None:
    """Return why a match must end now, whatever its seats do; None when it need not."""
    if bounds.condemned is not None:
        return known_reason(bounds.condemned)
    if bounds.ends_ms is not None and now_ms >= bounds.ends_ms:
        return VoidReason.CEILING
    return None


def known_reason(reason: str) -> VoidReason:
    """Return why a match was condemned; one of another version cannot be told, and is a fault."""
    try:
        return VoidReason(reason)
    except ValueError:
        return VoidReason.FAULT


def limit_ms(match: Match) -> int:
    """Return how long the match waits for them."""
    return match.meta.time.ready_ms if match.phase is Phase.WAITING else match.limit_ms


def silent_entry(match: Match, missing: list[Whereabouts]) -> Entry | None:
    """Return what a silence is answered with: the default, and the end of a seat that nobody is behind."""
    asked = match.asked
    if match.phase is Phase.WAITING:
        return Entry(EntryKind.NO_SHOW)
    if asked is None:
        return None
    is_last = match.strikes[asked.seat] + 1 >= match.meta.time.max_strikes
    is_gone = is_last and not any(bot.is_here for bot in missing)
    kind = EntryKind.ABANDON if is_gone else EntryKind.DEFAULT
    return Entry(kind, asked.seat, asked.default.code, match.decision_id)
