"""Decisions that are not open: what they were answered with, found again in the log.

The log is the idempotency store: the same answer comes as often as it likes, and counts once.
"""

import asyncio
from typing import NamedTuple, final

from shoal.match import DECIDING, Entry, EntryKind, LoggedEntry, Match, bank_after, parse_entry
from shoal.server.errors import Reason, Refusal
from shoal.server.play.receipts import Receipt, asked_at_version, closed, expired
from shoal.server.store.matches import MatchStore

SLICE = 16
"""How many entries are read at a time in search of an answer: more than usually lie before it."""

LOGS_KEPT = 8
"""Of how many matches the log is kept: one message may ask for the same one a thousand times."""


@final
class _Answer(NamedTuple):
    """An answer, and the versions that asked for it and that it made."""

    asked_at: int
    version: int
    logged: LoggedEntry


@final
class Answered:
    """Answers for decisions that were answered before."""

    def __init__(self, store: MatchStore) -> None:
        """Look in the logs of `store`."""
        self._store = store
        self._logs: dict[tuple[str, str], asyncio.Future[list[LoggedEntry]]] = {}

    async def again(self, match: Match, seat: int, decision_id: str, option: int) -> Receipt:
        """Answer for a decision that is not open: from the log, or by saying why not. Raise Refusal."""
        found = await self._find(match, seat, decision_id)
        if found is None:
            raise closed(match, seat)
        asked_at, version, (entry, _, think_ms, _) = found
        # The bank that a decision had follows from all that was thought before it.
        has_banks = match.meta.time.has_banks
        before = (await self.whole(match))[:asked_at] if has_banks else []
        limit_ms = _limit_at(match, seat, before)
        if entry.kind is not EntryKind.MOVE:
            raise expired(think_ms, limit_ms)
        if entry.value != option:
            raise Refusal(
                Reason.DECISION_ALREADY_MADE,
                "this decision was answered with another option",
                option_id=entry.value,
            )
        return Receipt(option, version, think_ms, limit_ms, 0, match.banks[seat], repeated=True)

    async def _find(self, match: Match, seat: int, decision_id: str) -> _Answer | None:
        """Return a seat's answer to a decision; None when there is none.

        An id that somebody thought up costs one entry: it is looked for only if it was given out. One that
        was never answered is looked for up to where the next one was.
        """
        asked_at, piece = asked_at_version(decision_id)
        asking = await self._entries(match, asked_at - 1, min(asked_at, match.version))
        if not asking or not asking[0].rev.startswith(piece):
            return None
        version = asked_at
        while True:
            found = await self._entries(match, version, version + SLICE)
            for logged in found:
                version += 1
                if logged.entry.decision_id == decision_id and logged.entry.seat == seat:
                    return _Answer(asked_at, version, logged)
                if _ends_asking(logged.entry, seat):
                    return None
            if len(found) < SLICE:
                return None

    async def whole(self, match: Match) -> list[LoggedEntry]:
        """Return a match's log, read once for all who ask for it before the match goes on."""
        key = match.meta.match_id, match.rev
        reading = self._logs.get(key)
        if reading is None or (reading.done() and reading.exception() is not None):
            reading = self._store.submit_log(key[0], match.version, read=parse_entry)
            self._logs[key] = reading
            if len(self._logs) > LOGS_KEPT:
                del self._logs[next(iter(self._logs))]
        log = await asyncio.shield(reading)
        if len(log) < match.version:  # it was taken out into the archive
            return await self._entries(match, 0, match.version)
        return log

    async def _entries(self, match: Match, start: int, stop: int) -> list[LoggedEntry]:
        """Return entries of a match's log."""
        texts = await self._store.entries(match.meta.match_id, start, stop)
        return [parse_entry(text) for text in texts]


def _ends_asking(entry: Entry, seat: int) -> bool:
    """Tell whether nothing that was asked of a seat before this entry can be answered after it."""
    return entry.kind in DECIDING or (entry.kind is EntryKind.RESIGN and entry.seat == seat)


def _limit_at(match: Match, seat: int, before: list[LoggedEntry]) -> int:
    """Return what a seat was allowed for the decision that came after this log (none without banks)."""
    control = match.meta.time
    bank_ms = control.bank_ms
    for entry, _, think_ms, _ in before:
        if entry.seat == seat and entry.kind in DECIDING:
            moved = entry.kind is EntryKind.MOVE
            bank_ms = bank_after(control, bank_ms, think_ms, moved=moved)
    return control.move_ms + bank_ms
