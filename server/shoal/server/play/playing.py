"""The use cases of a seat: play a move, say ready, resign.

A seat follows from the bot and the match; whoever has none learns nothing about the match.
"""

import asyncio
import time
from typing import Any, NamedTuple, assert_never, final

from shoal.engine import IllegalMove, UnknownMove, move_from_code
from shoal.match import Entry, EntryKind, LeaveReason, Phase, Termination
from shoal.server.errors import Reason, Refusal, malformed
from shoal.server.hub.hub import Hub
from shoal.server.hub.table import Table
from shoal.server.play.answered import Answered
from shoal.server.play.committer import Committer
from shoal.server.play.pace import Pace
from shoal.server.play.receipts import (
    Receipt,
    asked_at_version,
    closed,
    expired,
    over,
)
from shoal.server.store.commits import (
    Already,
    Committed,
    Conflict,
    Early,
    Expired,
    Guard,
    Missing,
    Outcome,
)
from shoal.server.store.keys import is_id
from shoal.server.store.matches import MatchStore

MAX_NONCE_BYTES = 32
MAX_ATTEMPTS = 32
"""How often a step is tried again after another server was faster: each try is a step of somebody."""


@final
class Sent(NamedTuple):
    """A move on its way to the store, and its table; the milliseconds that its seat was allowed."""

    outcome: "asyncio.Future[Outcome]"
    table: Table
    seat: int
    limit_ms: int


@final
class Playing:
    """What seats do. `now` is the local monotonic clock, in seconds."""

    def __init__(self, hub: Hub, committer: Committer, store: MatchStore, pace: Pace) -> None:
        """Play on the tables of `hub`; every move is counted in `pace`."""
        self._hub = hub
        self._committer = committer
        self._answered = Answered(store)
        self._pace = pace

    def try_move(
        self, bot_id: str, match_id: str, decision_id: str, option: int, received: float
    ) -> Sent | None:
        """Send a move at once if its table is at hand and asks just this of it; else None: use `play`.

        The fast path of streams: no task, no waiting.
        """
        table = self._hub.at_hand(match_id)
        if table is None and not is_id(match_id):
            raise no_seat()
        if table is None or table.committing is not None:
            return None
        match = table.match
        seat = table.seat_by_bot.get(bot_id)
        asked = match.asked
        if asked is None or asked.seat != seat or match.decision_id != decision_id:
            return None
        try:
            return self._send_move(table, seat, decision_id, option, received)
        except (UnknownMove, IllegalMove):
            return None

    async def play(
        self, bot_id: str, match_id: str, decision_id: str, option: int, received: float
    ) -> Receipt:
        """Play a move and return its receipt, whatever is in the way; raise Refusal or StoreError."""
        table, seat = await self._seat(bot_id, match_id)
        asked_at_version(decision_id)
        for _ in range(MAX_ATTEMPTS):
            await self._settled(table)
            if table.match.decision_id != decision_id:
                await self._hub.refresh(table)
            match = table.match
            if match.decision_id != decision_id:
                return await self._answered.again(match, seat, decision_id, option)
            if match.asked is None or match.asked.seat != seat:
                raise closed(match, seat)
            if table.committing is not None:
                continue
            try:
                sent = self._send_move(table, seat, decision_id, option, received)
            except (UnknownMove, IllegalMove):
                if await self._count_illegal(table, seat, option, received):
                    raise self._illegal(table, seat, option) from None
            else:
                outcome = await asyncio.shield(sent.outcome)
                if not isinstance(outcome, Conflict):
                    return receipt_of(option, outcome, sent, received)
            await self._hub.refresh(table)
        raise too_fast()

    async def ready(self, bot_id: str, match_id: str, nonce: bytes) -> None:
        """Note that a seat is ready; the last one starts the match. Again is a success."""
        if len(nonce) > MAX_NONCE_BYTES:
            raise malformed("nonce", f"at most {MAX_NONCE_BYTES} bytes, not {len(nonce)}")
        table, seat = await self._seat(bot_id, match_id)
        for _ in range(MAX_ATTEMPTS):
            await self._settled(table)
            match = table.match
            if match.phase is Phase.WAITING and match.nonces[seat] is None:
                entry = Entry(EntryKind.READY, seat, nonce.hex())
                if await self._commit(table, entry):
                    return
                continue
            if match.phase is Phase.FINISHED and match.nonces[seat] is None:
                raise over(match)
            return
        raise too_fast()

    async def resign(self, bot_id: str, match_id: str) -> None:
        """Let a seat leave the match.

        Success where it has resigned before, also after the end, and in a match that goes on without it for
        another reason. After the end any other seat is refused.
        """
        table, seat = await self._seat(bot_id, match_id)
        for _ in range(MAX_ATTEMPTS):
            await self._settled(table)
            match = table.match
            if match.left[seat] is LeaveReason.RESIGNED:
                return
            if match.phase is Phase.FINISHED:
                raise over(match)
            if match.left[seat] is not LeaveReason.NONE:
                return
            if await self._commit(table, Entry(EntryKind.RESIGN, seat)):
                return
        raise too_fast()

    async def abort(self, table: Table) -> None:
        """End a match for an organizer. Again is a success; after another end it is refused."""
        for _ in range(MAX_ATTEMPTS):
            await self._settled(table)
            if table.match.termination is Termination.ABORTED:
                return
            if table.over:
                raise over(table.match)
            if await self._commit(table, Entry(EntryKind.ABORT)):
                return
        raise too_fast()

    def _send_move(
        self, table: Table, seat: int, decision_id: str, option: int, received: float
    ) -> Sent:
        """Send the answer to the open decision; raise what the engine says of an illegal option."""
        entry = Entry(EntryKind.MOVE, seat, option, decision_id)
        outcome = self._committer.submit(table, entry, Guard.MOVE, received)
        limit_ms = table.match.limit_ms
        self._pace.watch(outcome, received, limit_ms)
        return Sent(outcome, table, seat, limit_ms)

    async def _count_illegal(self, table: Table, seat: int, option: int, received: float) -> bool:
        """Commit that an answer is no option, the first time that it is given; False after a conflict."""
        match = table.match
        if not match.meta.time.max_illegal or option in match.refused:
            return True
        entry = Entry(EntryKind.ILLEGAL, seat, option)
        outcome = await asyncio.shield(self._committer.submit(table, entry, Guard.MOVE, received))
        match outcome:
            case Expired(think_ms=think_ms, limit_ms=limit_ms):
                raise expired(think_ms, limit_ms)
            case _:
                return isinstance(outcome, Committed | Already)

    def _illegal(self, table: Table, seat: int, option: int) -> Refusal:
        """Return the refusal of an option that is not among the legal ones (T2)."""
        match = table.match
        most = match.meta.time.max_illegal
        facts: dict[str, Any] = {}
        if most:
            facts["illegal_left"] = max(0, most - match.illegal[seat])
        if match.asked is not None and match.asked.seat == seat:
            facts |= {"decision_id": match.decision_id, "remaining_ms": table.remaining_ms()}
        try:
            described = repr(move_from_code(option))
        except UnknownMove:
            described = str(option)
        text = f"{described} is not among the options of this decision"
        if match.left[seat] is LeaveReason.ILLEGAL:
            text += f": that was the last of {most} allowed; the seat has left the match"
        return Refusal(
            Reason.ILLEGAL_OPTION,
            text,
            field="option_id",
            **facts,
        )

    async def _commit(self, table: Table, entry: Entry) -> bool:
        """Commit an entry that no clock guards; False when another was faster, and all is fresh."""
        if table.committing is not None:
            return False
        future = self._committer.submit(table, entry, Guard.NONE)
        outcome = await asyncio.shield(future)
        if isinstance(outcome, Committed | Already):
            return True
        await self._hub.refresh(table)
        return False

    async def _seat(self, bot_id: str, match_id: str) -> tuple[Table, int]:
        """Return the table and the bot's seat; raise Refusal when it has none there."""
        table = await self._hub.table(match_id)
        seat = None if table is None else table.seat_by_bot.get(bot_id)
        if table is None or seat is None:
            raise no_seat()
        return table, seat

    async def _settled(self, table: Table) -> None:
        """Wait until no step of the table is on its way."""
        while table.committing is not None:
            await asyncio.wait([table.committing])


def no_seat() -> Refusal:
    """Return the refusal of whoever has no seat, whether or not there is such a match."""
    return Refusal(Reason.SEAT_NOT_YOURS, "this bot has no seat in that match")


def too_fast() -> Refusal:
    """Return the refusal of a step that other steps were always faster than."""
    return Refusal(
        Reason.STORE_UNAVAILABLE, "the match changes faster than we can", retry_after=0.1
    )


def receipt_of(option: int, outcome: Outcome, sent: Sent, received: float) -> Receipt:
    """Return the receipt that a store's answer to a move makes; raise Refusal for the others.

    Conflict must have been dealt with before.
    """
    overhead_us = int((time.monotonic() - received) * 1_000_000)
    match outcome:
        case Committed(version=version, think_ms=think_ms):
            repeated = False
        case Already(version=version, think_ms=think_ms):
            repeated = True
        case Expired(think_ms=think_ms, limit_ms=allowed_ms):
            raise expired(think_ms, allowed_ms)
        case Missing():
            raise Refusal(Reason.NOT_FOUND, "the match is gone")
        case Conflict() | Early():
            raise RuntimeError(f"unexpected answer of the store: {outcome}")
        case _:
            assert_never(outcome)
    bank_ms = sent.table.match.banks[sent.seat]
    return Receipt(
        option, version, think_ms, sent.limit_ms, overhead_us, bank_ms, repeated=repeated
    )
