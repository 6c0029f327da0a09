"""All matches of a run: sends each update to its table. Outlives the streams it is fed from."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from shoal.client import pb
from shoal.client.bot import Bot
from shoal.client.errors import ShoalError
from shoal.client.outbox import Outbox
from shoal.client.player import Crew, Player
from shoal.client.table import Table
from shoal.client.tally import Tally

log = logging.getLogger("shoal.client")

_REMEMBERED = 10_000
"""How many finished matches are remembered, so that late news of one does not open it again."""

_PAUSE = 1.0
"""Seconds before a refusal that may pass is answered, where the server names no time."""


class Desk:
    """The tables of a bot. Each has a task in `group`, which lives as long as its match."""

    def __init__(
        self,
        bot: Bot,
        crew: Crew,
        group: asyncio.TaskGroup,
        tally: Tally,
        on_end: Callable[[], None] = lambda: None,
        on_stream: Callable[[], None] = lambda: None,
    ) -> None:
        """Start without matches; `on_end` is called after each that ends, `on_stream` with each stream."""
        self.outbox = Outbox()
        self.tally = tally
        self._on_end = on_end
        self._on_stream = on_stream
        self._bot = bot
        self._crew = crew
        self._group = group
        self._tables: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._over: OrderedDict[str, pb.VoidReason.ValueType] = OrderedDict()

    def since(self) -> dict[str, int]:
        """Return the version that was seen of each match, for the Hello of the next stream."""
        return {match_id: table.version for match_id, table in self._tables.items()}

    def seats(self) -> dict[str, int]:
        """Return our seat in each open match."""
        return {match_id: table.seat for match_id, table in self._tables.items()}

    @property
    def idle(self) -> bool:
        """Whether no match is open, and of those that ended every player has been told."""
        return not self._tasks

    def resume(self, snapshot: pb.Snapshot) -> set[str]:
        """Take in a new stream's snapshot; return the matches of ours that it does not hold.

        What is open and was answered before is answered again, with the same option; who has resigned
        resigns again.
        """
        self.tally.connected = True
        self.tally.connections += 1
        self._on_stream()
        self.tally.bot_id, self.tally.bot_name = snapshot.bot_id, snapshot.bot_name
        self.outbox.clear()
        for update in snapshot.matches:
            self.update(update, away=True)
            table = self._tables.get(update.match_id)
            if table is not None:
                self._again(table)
        return self._tables.keys() - {update.match_id for update in snapshot.matches}

    def update(self, update: pb.MatchUpdate, *, away: bool = False) -> None:
        """Take in where a match stands; `away` says that it came to stand there while we had no stream."""
        if update.match_id in self._over:
            return
        table = self._tables.get(update.match_id) or self._seat(update)
        table.hear(update, away=away)
        ready = table.ready()
        if ready is not None:
            self.outbox.add_ready(ready)

    def finish(self, finished: pb.MatchFinished) -> None:
        """Take in that a match is over; matches that this run never played are none of its business.

        One that was over before is void after all: its player is gone, and that is only logged.
        """
        table = self._tables.pop(finished.match_id, None)
        if table is None:
            if self._over.get(finished.match_id) not in {None, finished.result.void_reason}:
                self._over[finished.match_id] = finished.result.void_reason
                log.warning("match %s: void after all, the server lost its end", finished.match_id)
            return
        self.tally.live = len(self._tables)
        self._over[finished.match_id] = finished.result.void_reason
        while len(self._over) > _REMEMBERED:
            self._over.popitem(last=False)
        table.finish(finished)

    def lose(self, match_id: str) -> None:
        """Take in that the server has an open match no more: its store lost it, so it is void."""
        table = self._tables.get(match_id)
        if table is None:
            return
        log.warning("match %s: void, the server lost it", match_id)
        result = pb.MatchResult(
            termination=pb.TERMINATION_VOID,
            void_reason=pb.VOID_REASON_LOST_MOVES,
            seats=[pb.SeatResult(seat=seat) for seat in range(len(table.match.seats))],
        )
        end = pb.MatchFinished(
            match_id=match_id, version=table.version, seat=table.seat, result=result
        )
        self.finish(end)

    def note(self, result: pb.MoveResult) -> None:
        """Count a move; one that was refused for a passing reason is sent again."""
        if result.WhichOneof("outcome") == "receipt":
            self.tally.moves += not result.receipt.already
            return
        error = ShoalError.from_status(result.error)
        table = self._tables.get(result.match_id)
        self.tally.refused[error.reason or error.code.name] += 1
        level = logging.WARNING
        if error.reason == "TIME_EXPIRED" and table is not None:
            limit = error.metadata.get("limit_ms", "")
            table.silent(int(limit) if limit.isdecimal() else 0)
            level = logging.INFO
        log.log(level, "match %s: move refused: %s", result.match_id, error)
        if error.transient and table is not None:
            self._later(error, lambda: self._again(table))

    def refuse(self, refused: pb.SignalRefused) -> None:
        """Log a refused signal; one that was refused for a passing reason is sent again."""
        error = ShoalError.from_status(refused.error)
        table = self._tables.get(refused.match_id)
        log.warning("match %s: signal refused: %s", refused.match_id, error)
        if error.transient and table is not None:
            self._later(error, lambda: self._signal(table))

    def close(self) -> None:
        """End the tasks of the matches that are still open; on the server they stay open."""
        for task in self._tasks:
            task.cancel()

    def _seat(self, update: pb.MatchUpdate) -> Table:
        table = self._tables[update.match_id] = Table(update)
        self.tally.live = len(self._tables)
        player = Player(self._bot, table.match, self._crew)
        task = self._group.create_task(table.play(player, self.outbox, self.tally))
        self._tasks.add(task)
        task.add_done_callback(self._leave)
        return table

    def _leave(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            self._on_end()

    def _later(self, error: ShoalError, action: Callable[[], None]) -> None:
        delay = _PAUSE if error.retry_after is None else error.retry_after
        asyncio.get_running_loop().call_later(delay, action)

    def _again(self, table: Table) -> None:
        answer = table.open_answer()
        if answer is not None:
            self.outbox.add_move(answer)
        self._resign(table)

    def _signal(self, table: Table) -> None:
        self._resign(table)
        ready = table.ready()
        if ready is not None:
            self.outbox.add_ready(ready)

    def _resign(self, table: Table) -> None:
        resignation = table.resignation()
        if resignation is not None:
            self.outbox.add_resignation(resignation)
