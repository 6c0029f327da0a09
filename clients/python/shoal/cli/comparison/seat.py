"""A bot at a seat of a match that nobody watches: it is called, and told no more than by a server."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, final

from shoal.cli.local_table import LIMIT_MS, match_end
from shoal.cli.spec import describe, place
from shoal.client import Bot, Resign, pb
from shoal.client.faults import FAULTS
from shoal.engine import Decision, Event, Move, Result, State, move_from_code, observe, redact
from shoal.wire.events import event_bytes
from shoal.wire.observation import decision_bytes, observation_bytes

T = TypeVar("T")


@final
class Seat:
    """One seat. What goes wrong in the bot is counted and kept in `faults`; the default is played then."""

    def __init__(self, bot: Bot, match: pb.Match, seat: int, runner: asyncio.Runner) -> None:
        """Seat a bot."""
        self._runner = runner
        self._match = match
        self._seat = seat
        self._heard = 0
        self._events: list[pb.Event] = []
        self.faults: list[str] = []
        self._bot = bot
        made = self._call("for_match", bot.for_match, match)
        if isinstance(made, Bot):
            self._bot = made
        self._listens = self._has("on_events")
        if self._has("on_match_start"):
            self._call("on_match_start", self._bot.on_match_start, match)

    def hear(self, events: Sequence[Event]) -> None:
        """Keep the events until the bot is asked, if it hears them at all."""
        self._heard += 1
        if self._listens:
            told = (redact(event, self._seat) for event in events)
            self._events += [pb.Event.FromString(event_bytes(self._heard, each)) for each in told]

    def choose(self, state: State, asked: Decision) -> Move:
        """Return the bot's move; a bot that would resign plays the default, for nobody leaves this table."""
        self._tell()
        observation = pb.Observation.FromString(observation_bytes(observe(state, self._seat)))
        decision = pb.Decision.FromString(
            decision_bytes(asked, f"{self._heard}.local", LIMIT_MS, LIMIT_MS)
        )
        failures = len(self.faults)
        try:
            chosen = self._call("choose", self._bot.choose, observation, decision)
        except Resign:
            return asked.default
        if isinstance(chosen, pb.Option):
            if any(chosen.option_id == option.option_id for option in decision.options):
                return move_from_code(chosen.option_id)
            self.faults.append("choose() returned an option that is not open")
        elif len(self.faults) == failures:
            self.faults.append(f"choose() returned no option ({chosen!r:.60})")
        return asked.default

    def end(self, result: Result) -> None:
        """Tell the bot how the match ended."""
        self._tell()
        if not self._has("on_match_end"):
            return
        end = match_end(self._match, self._seat, result, len(self.faults))
        self._call("on_match_end", self._bot.on_match_end, end)

    def _tell(self) -> None:
        events, self._events = self._events, []
        if events:
            self._call("on_events", self._bot.on_events, self._match.match_id, events)

    def _has(self, hook: str) -> bool:
        return getattr(type(self._bot), hook, None) is not getattr(Bot, hook)

    def _call(
        self, name: str, function: Callable[..., T | Awaitable[T]], *given: object
    ) -> T | None:
        """Return what the author's code returns, awaited if need be; None where it fails. Raise Resign."""
        try:
            found = function(*given)
            if isinstance(found, Awaitable):
                made: T = self._runner.run(_awaited(found))
                return made
        except FAULTS as error:
            if isinstance(error, Resign) and name == "choose":
                raise
            self.faults.append(f"{name}() failed: {place(error)}{describe(error)}")
            return None
        else:
            return found


async def _awaited(work: Awaitable[T]) -> T:
    return await work
