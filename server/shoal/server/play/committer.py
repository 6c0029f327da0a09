"""Committing one step of a table: the only place that sends what was made and takes over the answer.

A match that cannot be read has no table: what ends it is made and sent elsewhere (unreadable.py, overdue.py).
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, final

from shoal.engine import IllegalMove, UnknownMove
from shoal.match import (
    DECIDING,
    Asks,
    Entry,
    EntryKind,
    LoggedEntry,
    Match,
    Phase,
    Step,
    VoidReason,
    encode_state,
    outbox_payload,
    step,
)
from shoal.match.step import adopt
from shoal.server.hub.age import credits_in
from shoal.server.hub.condemned import Condemned
from shoal.server.hub.table import Table
from shoal.server.store.commits import Already, Banks, Commit, Committed, Guard, Outcome
from shoal.server.store.errors import MatchCondemned, StoreError
from shoal.server.store.keys import match_bell
from shoal.server.store.matches import MatchStore

LEEWAY_MS = 250
"""Granted beyond every limit, to all alike, for the way through the network."""

SWEEP_GRACE_MS = 750
"""How much longer than limit and leeway the sweeper waits, so that a move in the server still counts."""

NEARLY_SECONDS = 0.05
"""How much earlier than we sent it a step of ours may seem to have been made."""

STATE_EVERY = 16
"""How many versions of a match share one stored state; whoever reads it replays the entries after it."""


@final
class _Sent(NamedTuple):
    """A step that was sent to the store at a monotonic moment, and when the request for it had come."""

    entry: Entry
    done: Step
    received: float
    at: float


@final
class Committer:
    """Sends steps to the store, one at a time for each table."""

    def __init__(
        self,
        store: MatchStore,
        elsewhere: Callable[[Match], list[str]],
        condemned: Condemned,
    ) -> None:
        """Commit to `store`; `elsewhere` names the bells of seats that this process does not host.

        `condemned` is told of a match in which an error of ours keeps a legal step from being made (T17).
        """
        self._store = store
        self._condemned = condemned
        self._elsewhere = elsewhere

    def submit(
        self, table: Table, entry: Entry, guard: Guard, received: float | None = None
    ) -> "asyncio.Future[Outcome]":
        """Make the step on a copy and send it; the table takes it over when the store says so.

        `received` is the monotonic time at which the request came in, now by default: what passes from there
        to the commit is not charged. The table must not be committing. Raise what `step` raises, with
        nothing changed, for an entry that is not legal. Whatever else goes wrong before it is sent condemns
        the match: it would go wrong each time.

        A match that cannot be counted takes nothing but its end: else it might still come to one that counts.
        The future fails with MatchCondemned then, whoever has found that out.
        """
        assert table.committing is None
        reason = self._condemned.reason_for(table.match.meta.match_id)
        if reason is not None and entry.kind is not EntryKind.VOID:
            refused: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            refused.set_exception(MatchCondemned(reason.value))
            refused.exception()  # a stream that has closed meanwhile looks at no answer
            return refused
        if received is None:
            received = time.monotonic()
        elif table.attempt is not None and table.attempt[0] == entry:
            # This very answer was here before, and it is the store that has kept it waiting.
            received = table.attempt[1]
        match = table.match.copy()
        try:
            done = step(match, entry)
            future = self._send(table, match, entry, done, guard, received)
        except (UnknownMove, IllegalMove, StoreError):
            raise
        except Exception:
            self._condemned.add(match.meta.match_id, VoidReason.FAULT)
            raise
        table.committing = future
        sent = _Sent(entry, done, received, time.monotonic())
        future.add_done_callback(partial(_settle, table, match, sent))
        return future

    def _send(
        self, table: Table, match: Match, entry: Entry, done: Step, guard: Guard, received: float
    ) -> "asyncio.Future[Outcome]":
        """Send a step that was made; `match` is after it, but for what the store assigns."""
        return self._store.submit_commit(
            Commit(
                match_id=match.meta.match_id,
                rev=match.rev,
                version=match.version,
                prefix=entry.prefix(),
                state=encode_state(match) if _keeps_state(match) else b"",
                status=match.phase,
                asks=done.asks,
                limit_ms=int(entry.value) if done.asks is Asks.LONGER else match.meta.time.move_ms,
                leeway_ms=LEEWAY_MS,
                grace_ms=grace_ms(),
                guard=guard,
                # Whoever is silent has let the whole limit pass, which only the store can say.
                at_hand_ms=-1 if guard is Guard.DUE else table.at_hand_ms(received),
                banks=_banks(match, entry, done.asks),
                received=received,
                payload=outbox_payload(match) if match.phase is Phase.FINISHED else b"",
                bells=(match_bell(match.meta.match_id), *self._elsewhere(match)),
            )
        )


def grace_ms() -> int:
    """Return how long after the end of any limit the sweeper acts for whoever is silent."""
    return LEEWAY_MS + SWEEP_GRACE_MS


def _keeps_state(match: Match) -> bool:
    """Tell whether the step after this version is stored with the whole state.

    Else the log alone leads on from an earlier one: encoding a state costs more than the step itself.
    """
    return match.phase is not Phase.LIVE or (match.version + 1) % STATE_EVERY == 0


def _banks(match: Match, entry: Entry, asks: Asks) -> Banks | None:
    """Return what a step does to the banks; `match` is after it, but for them."""
    control = match.meta.time
    if not control.has_banks:
        return None
    return Banks(
        banks=match.banks,
        seat=entry.seat if entry.kind in DECIDING else -1,
        next=match.asked.seat if asks is Asks.NEW and match.asked is not None else -1,
        floor=control.move_ms,
        increment=control.increment_ms if entry.kind is EntryKind.MOVE else 0,
    )


def _settle(
    table: Table,
    match: Match,
    sent: _Sent,
    future: "asyncio.Future[Outcome]",
) -> None:
    """Take over what the store committed; anything else leaves the table as it was."""
    table.committing = None
    if future.cancelled() or future.exception() is not None:
        if sent.entry.kind is EntryKind.MOVE:
            table.attempt = (sent.entry, sent.received)
        return
    outcome = future.result()
    if isinstance(outcome, Committed | Already):
        match.version = outcome.version
        logged = LoggedEntry(sent.entry, outcome.at_ms, outcome.think_ms, outcome.rev)
        asks = sent.done.asks
        adopt(match, logged, asks)
        first = isinstance(outcome, Committed) or _is_ours(table, outcome, sent.at)
        table.advance(match, sent.done.events, asks, first=first, given=credits_in([logged]))


def _is_ours(table: Table, outcome: Already, sent: float) -> bool:
    """Tell whether it is us who have made a step that the store had already: our first reply was lost.

    What was there before we sent it is a repetition, and nobody's question is younger for that.
    """
    return table.partition.moment(outcome.at_ms) >= sent - NEARLY_SECONDS
