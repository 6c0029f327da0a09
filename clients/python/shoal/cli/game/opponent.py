"""A bot at the local table: it gets the messages that a server would send, and no more."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeAlias, TypeVar

from shoal.cli.local_table import LIMIT_MS, match_end
from shoal.cli.spec import describe, place
from shoal.client import Bot, MatchEnd, pb
from shoal.client.faults import Faults
from shoal.client.player import Crew
from shoal.client.player import Player as Caller
from shoal.client.runner import THREAD_NAME
from shoal.engine import Decision, Event, Move, Observation, Result, move_from_code
from shoal.wire.events import event_bytes
from shoal.wire.observation import decision_bytes, observation_bytes

T = TypeVar("T")

Say: TypeAlias = Callable[[str], None]


class Loop:
    """What the bots of one table share: an event loop, and a thread for those that do not await."""

    def __init__(self) -> None:
        """Make the loop and the thread; `with` ends them."""
        self._runner = asyncio.Runner()
        self.pool = ThreadPoolExecutor(1, thread_name_prefix=THREAD_NAME)
        self.gate = asyncio.Semaphore(1)

    def __enter__(self) -> Self:
        """Return the loop itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it, without waiting for a bot that is thinking."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._runner.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work returns; raise KeyboardInterrupt at Ctrl-C, whatever a bot is doing.

        A signal handler of the loop wakes it, which the one of `Runner.run` may fail to do in the moment
        before the loop goes to sleep.
        """
        loop = self._runner.get_loop()
        task = loop.create_task(work)
        try:
            loop.add_signal_handler(signal.SIGINT, task.cancel)
        except NotImplementedError:  # Windows: Ctrl-C is a KeyboardInterrupt there
            return loop.run_until_complete(task)
        try:
            return loop.run_until_complete(task)
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        finally:
            loop.remove_signal_handler(signal.SIGINT)


class Opponent:
    """One seat played by a bot."""

    def __init__(self, bot: Bot, match: pb.Match, seat: int, loop: Loop, say: Say) -> None:
        """Seat a bot. What goes wrong in it is told to `say` in one line, and nothing ends by it."""
        self._match = match
        self._seat = seat
        self._loop = loop
        self._events: list[pb.Event] = []
        self._heard = 0
        self._caller = Caller(bot, match, Crew(loop.pool, loop.gate, _Said(say)))
        loop.run(self._caller.start())

    def hear(self, events: Sequence[Event], view: Observation) -> None:  # noqa: ARG002
        """Keep the events until the bot is asked."""
        self._heard += 1
        self._events += [pb.Event.FromString(event_bytes(self._heard, each)) for each in events]

    def choose(self, view: Observation) -> Move:
        """Return the bot's move; the default where it fails to choose one."""
        assert view.question is not None
        assert view.default is not None
        asked = Decision(self._seat, view.question.kind, view.options, view.default)
        observation = pb.Observation.FromString(observation_bytes(view))
        name = f"{self._heard}.local"
        decision = pb.Decision.FromString(decision_bytes(asked, name, LIMIT_MS, LIMIT_MS))
        return move_from_code(self._loop.run(self._ask(observation, decision)))

    def end(self, result: Result) -> None:
        """Tell the bot how the match ended."""
        end = match_end(self._match, self._seat, result, self._caller.faults)
        self._loop.run(self._finish(end))

    async def _ask(self, observation: pb.Observation, decision: pb.Decision) -> int:
        await self._hear()
        chosen = await self._caller.choose(observation, decision)
        # At this table nobody leaves: a bot that would resign plays what is played for those who are gone.
        return decision.default_option_id if chosen is None else chosen

    async def _finish(self, end: MatchEnd) -> None:
        await self._hear()
        await self._caller.end(end)

    async def _hear(self) -> None:
        events, self._events = self._events, []
        await self._caller.hear(events)


class _Said(Faults):
    """Faults that are said at the table, each time, in place of the log."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    def say(self, match_id: str, what: str, error: BaseException) -> None:  # noqa: ARG002
        """Say where it was raised."""
        self._say(" ".join(f"{what} ({place(error)}{describe(error)})".split()))

    def say_wrong(self, match_id: str, what: str, value: object) -> None:  # noqa: ARG002
        """Say what it was."""
        self._say(f"{what} ({value!r:.60})")
