"""One match as its seat follows it: what it knows, what it was asked, and what it answered."""

import asyncio
import logging
import secrets
from collections.abc import Iterable

from shoal.client import pb
from shoal.client.bot import MatchEnd
from shoal.client.outbox import Outbox
from shoal.client.player import Player
from shoal.client.tally import Tally

log = logging.getLogger("shoal.client")

NONCE_BYTES = 16

_LIMIT_MS = 10_000
"""How long a seat may think where neither decision nor match says it."""

_LOST = {
    pb.LEAVE_REASON_STRIKES: "it was silent too often",
    pb.LEAVE_REASON_NO_SHOW: "it was not ready in time",
    pb.LEAVE_REASON_ILLEGAL: "it gave too many answers that are no options",
    pb.LEAVE_REASON_ABANDONED: "you were not connected",
}
"""What is said of a seat that was lost; one that resigned was given."""

_STRIKES = 3
"""How often a seat may be silent where the match does not say it."""


class Table:
    """A match that is not over for us.

    Level-triggered: it keeps the newest position and question, and the events since the player last
    heard. The answer to the newest question is kept too, because after a reconnect it may have to
    be sent again, and must then be the same.
    """

    def __init__(self, update: pb.MatchUpdate) -> None:
        """Take the match from its first update on a stream."""
        self.match = update.match
        self.match.match_id = update.match_id
        self.seat = update.seat
        self.version = 0
        self.answer: pb.Move | None = None
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        self._waiting = False
        self._events: list[pb.Event] = []
        self._observation = pb.Observation()
        self._decision: pb.Decision | None = None
        self._finished: pb.MatchFinished | None = None
        self._bell = asyncio.Event()
        self._silences = 0
        self._lost = False
        self._resigned = False

    def hear(self, update: pb.MatchUpdate, *, away: bool = False) -> None:
        """Take in where the match stands now; `away` says that we were when it came to stand there."""
        self._notice_silence(update)
        if self._hear_events(update.version, update.events) and self._silences:
            # The event names no reason, and a match of more than two seats may go on for long.
            self._notice_loss(pb.LEAVE_REASON_ABANDONED if away else pb.LEAVE_REASON_STRIKES)
        self._waiting = update.status == pb.MATCH_STATUS_WAITING
        if update.HasField("match"):
            self.match = update.match
        if update.HasField("observation"):
            self._observation = update.observation
        self._decision = update.decision if update.HasField("decision") else None
        self._bell.set()

    def finish(self, finished: pb.MatchFinished) -> None:
        """Take in that the match is over."""
        self._hear_events(finished.version, finished.events)
        self._waiting = False
        self._decision = None
        self._finished = finished
        for line in finished.result.seats:
            if line.seat == self.seat and line.HasField("left"):
                self._notice_loss(line.left)
        self._bell.set()

    def silent(self, limit_ms: int = 0) -> None:
        """Take in that a decision of ours was answered by the default; warn the first time.

        `limit_ms` is the time that it had; 0 when nobody said it.
        """
        self._silences += 1
        if self._silences > 1:
            return
        control = self.match.time_control
        more = (control.max_strikes or _STRIKES) - 1
        log.warning(
            "match %s: no answer within %d ms: the default was played; %s",
            self.match.match_id,
            limit_ms or control.move_ms or _LIMIT_MS,
            f"{more} more silence{'s' * (more != 1)} and the seat is lost"
            if more > 0
            else "the seat is lost",
        )

    def ready(self) -> pb.ReadySignal | None:
        """Return the ready signal that the match waits for: always the same, or None."""
        if not self._waiting:
            return None
        return pb.ReadySignal(match_id=self.match.match_id, nonce=self._nonce)

    def resignation(self) -> pb.ResignSignal | None:
        """Return the wish to leave the match, which may be said again; None where there is none."""
        return pb.ResignSignal(match_id=self.match.match_id) if self._resigned else None

    def open_answer(self) -> pb.Move | None:
        """Return the answer already given to the decision that is still open; None without one."""
        return self.answer if self._asks(self.answer) else None

    async def play(self, player: Player, outbox: Outbox, tally: Tally) -> None:
        """Let the player play until the match is over."""
        await player.start()
        while True:
            await self._bell.wait()
            self._bell.clear()
            events, self._events = self._events, []
            await player.hear(events)
            if self._finished is not None and not self._events:
                break
            await self._answer(player, outbox, tally)
        end = MatchEnd(self.match, self.seat, self._finished.result, player.faults)
        tally.add_end(end)
        await player.end(end)

    async def _answer(self, player: Player, outbox: Outbox, tally: Tally) -> None:
        """Choose an answer to the open decision, unless it has one."""
        decision = self._decision
        if decision is None or self._asks(self.answer) or self._resigned:
            return
        faults = player.faults
        option_id = await player.choose(self._observation, decision)
        tally.faults += player.faults - faults
        if option_id is None:
            self._resigned = True
            outbox.add_resignation(pb.ResignSignal(match_id=self.match.match_id))
            return
        move = pb.Move(
            match_id=self.match.match_id, decision_id=decision.decision_id, option_id=option_id
        )
        if self._asks(move):
            self.answer = move
            outbox.add_move(move)
        else:
            tally.late += 1

    def _asks(self, move: pb.Move | None) -> bool:
        """Return whether the open decision is the one that this move answers."""
        if self._decision is None or move is None:
            return False
        return self._decision.decision_id == move.decision_id

    def _hear_events(self, version: int, events: Iterable[pb.Event]) -> bool:
        """Keep the events that are new, since a server may repeat some; return whether our seat left."""
        fresh = [event for event in events if event.version > self.version]
        self._events.extend(fresh)
        self.version = version
        return any(e.HasField("seat_left") and e.seat_left.seat == self.seat for e in fresh)

    def _notice_silence(self, update: pb.MatchUpdate) -> None:
        """Notice that the match went on although we had not answered."""
        asked = self._decision
        if asked is None or self._resigned or self._asks(self.answer):
            return
        if update.version <= self.version:
            return
        if update.decision.decision_id != asked.decision_id:
            self.silent(asked.limit_ms)

    def _notice_loss(self, reason: pb.LeaveReason.ValueType) -> None:
        """Warn, once, that the seat was lost, and say why."""
        if reason in _LOST and not self._lost:
            self._lost = True
            log.warning("match %s: the seat is lost: %s", self.match.match_id, _LOST[reason])
