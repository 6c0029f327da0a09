"""Calling the author's code: the only place where it runs, and where its mistakes end."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from shoal.client import pb
from shoal.client.bot import Bot, MatchEnd, Resign
from shoal.client.faults import FAULTS, Faults

log = logging.getLogger("shoal.client")

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Raised:
    """An exception on its way out of a thread."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Crew:
    """What the players of a run share: threads for plain functions, how many may work at once, faults."""

    pool: Executor
    gate: asyncio.Semaphore
    faults: Faults = field(default_factory=Faults)

    async def call(
        self, function: Callable[P, R | Awaitable[R]], *args: P.args, **kw: P.kwargs
    ) -> R:
        """Return what the function returns, from a thread if it is a plain one; raise what it raises.

        An exception leaves the thread as a value: a future cannot carry a StopIteration, and would
        never be done.
        """

        def guarded() -> R | Awaitable[R] | _Raised:
            try:
                return function(*args, **kw)
            except FAULTS as error:
                return _Raised(error)
            except BaseException as error:  # noqa: BLE001
                return _Raised(RuntimeError(repr(error)))  # it would end more than this call

        async with self.gate:
            outcome: R | Awaitable[R] | _Raised
            if inspect.iscoroutinefunction(function):
                outcome = function(*args, **kw)
            else:
                loop = asyncio.get_running_loop()
                outcome = await loop.run_in_executor(self.pool, guarded)
            if isinstance(outcome, _Raised):
                raise outcome.error
            return await outcome if isinstance(outcome, Awaitable) else outcome


class Player:
    """The author's object for one match. Nothing that it does raises here: mistakes are counted."""

    def __init__(self, bot: Bot, match: pb.Match, crew: Crew) -> None:
        """Prepare to call `bot`, or what its `for_match` returns."""
        self._bot = bot
        self._match = match
        self._crew = crew
        self.faults = 0

    async def start(self) -> None:
        """Make the player of the match and tell it."""
        try:
            self._bot = await self._crew.call(self._bot.for_match, self._match)
        except FAULTS as error:
            self._crew.faults.say(self._match.match_id, "for_match() failed", error)
        if self._listens("on_match_start"):
            await self._tell("on_match_start", self._bot.on_match_start, self._match)

    async def hear(self, events: Sequence[pb.Event]) -> None:
        """Tell the player what happened."""
        if events and self._listens("on_events"):
            await self._tell("on_events", self._bot.on_events, self._match.match_id, events)

    async def choose(self, observation: pb.Observation, decision: pb.Decision) -> int | None:
        """Return the id of the option that the player chose, the default's where it failed to.

        None if it resigns.
        """
        legal = {option.option_id for option in decision.options}
        try:
            chosen = await self._crew.call(self._bot.choose, observation, decision)
        except Resign:
            return None
        except FAULTS as error:
            what = "choose() failed, playing the default"
            self._crew.faults.say(self._match.match_id, what, error)
        else:
            if isinstance(chosen, pb.Option) and chosen.option_id in legal:
                return chosen.option_id
            what = "choose() returned none of the options, playing the default"
            self._crew.faults.say_wrong(self._match.match_id, what, chosen)
        self.faults += 1
        return decision.default_option_id

    async def end(self, end: MatchEnd) -> None:
        """Tell the player how the match ended."""
        if self.faults:
            log.warning(
                "match %s: the default was played %d times", self._match.match_id, self.faults
            )
        if self._listens("on_match_end"):
            await self._tell("on_match_end", self._bot.on_match_end, end)

    def _listens(self, hook: str) -> bool:
        """Return whether the author wrote this hook: a thread for an empty one is wasted."""
        return getattr(type(self._bot), hook, None) is not getattr(Bot, hook)

    async def _tell(
        self,
        name: str,
        hook: Callable[P, Awaitable[None] | None],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        try:
            await self._crew.call(hook, *args, **kwargs)
        except FAULTS as error:
            self._crew.faults.say(self._match.match_id, f"{name}() failed", error)
