"""Committing one step of a table: the only place that sends steps to the store and takes over the answer."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import final

from shoal.match import (
    Entry,
    Match,
    Phase,
    Step,
    encode_state,
    outbox_payload,
    step,
)
from shoal.match.step import adopt
from shoal.server.hub.table import Table
from shoal.server.store.commits import Already, Commit, Committed, Guard, Outcome
from shoal.server.store.keys import match_bell
from shoal.server.store.matches import MatchStore

LEEWAY_MS = 250
"""Granted beyond every limit, to all alike, for the way through the network."""

SWEEP_GRACE_MS = 750
"""How much longer than limit and leeway the sweeper waits, so that a move in the server still counts."""

STATE_EVERY = 16
"""How many versions of a match share one stored state; whoever reads it replays the entries after it."""


@final
class Committer:
    """Sends steps to the store, one at a time for each table."""

    def __init__(self, store: MatchStore, elsewhere: Callable[[Match], list[str]]) -> None:
        """Commit to `store`; `elsewhere` names the bells of seats that this process does not host."""
        self._store = store
        self._elsewhere = elsewhere

    def submit(
        self, table: Table, entry: Entry, guard: Guard, received: float
    ) -> "asyncio.Future[Outcome]":
        """Make the step on a copy and send it; the table takes it over when the store says so.

        `received` is the monotonic time at which the request came in: what passes from there to the
        commit is not charged. The table must not be committing. Raise what `step` raises, with
        nothing changed, for an entry that is not legal.
        """
        assert table.committing is None
        match = table.match.copy()
        done = step(match, entry)
        waiting = match.phase is Phase.WAITING
        limit_ms = match.meta.ready_ms if waiting else match.meta.move_ms
        future = self._store.submit_commit(
            Commit(
                match_id=match.meta.match_id,
                rev=match.rev,
                version=match.version,
                prefix=entry.prefix(),
                state=encode_state(match) if _keeps_state(match) else b"",
                status=match.phase,
                asks=done.asks,
                limit_ms=limit_ms,
                leeway_ms=LEEWAY_MS,
                grace_ms=LEEWAY_MS + SWEEP_GRACE_MS,
                guard=guard,
                at_hand_ms=max(0, int((received - table.asked_at) * 1000)),
                received=received,
                payload=outbox_payload(match) if match.phase is Phase.FINISHED else b"",
                bells=(match_bell(match.meta.match_id), *self._elsewhere(match)),
            )
        )
        table.committing = future
        future.add_done_callback(partial(_settle, table, match, done))
        return future


def _keeps_state(match: Match) -> bool:
    """Tell whether the step after this version is stored with the whole state.

    Else the log alone leads on from an earlier one: encoding a state costs more than the step itself.
    """
    return match.phase is not Phase.LIVE or (match.version + 1) % STATE_EVERY == 0


def _settle(table: Table, match: Match, done: Step, future: "asyncio.Future[Outcome]") -> None:
    """Take over what the store committed; anything else leaves the table as it was."""
    table.committing = None
    if future.cancelled() or future.exception() is not None:
        return
    outcome = future.result()
    if isinstance(outcome, Committed | Already):
        match.version = outcome.version
        adopt(match, done.asks, outcome.rev, outcome.at_ms)
        table.advance(match, done.events, done.asks, time.monotonic())
