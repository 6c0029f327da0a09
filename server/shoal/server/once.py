"""Work that many ask for and that is done once: whoever asks meanwhile waits for it, and it is kept."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, final

State = TypeVar("State")
Result = TypeVar("Result")


@final
@dataclass(frozen=True, slots=True)
class _Work(Generic[State, Result]):
    """Work that has begun: with which state, as the how manieth, and when by the loop's clock."""

    state: State
    number: int
    begun: float
    task: "asyncio.Task[Result]"

    @property
    def is_lost(self) -> bool:
        """Whether nothing came of it."""
        done = self.task.done()
        return done and (self.task.cancelled() or self.task.exception() is not None)


@final
class Once(Generic[State, Result]):
    """Does some work for each key one at a time, and keeps what came of it while its state stays as it was.

    Who stops waiting does not stop the work: the next one who asks has its result.
    """

    def __init__(self, most: int, keep: float) -> None:
        """Keep the results of so many keys, each for so many seconds."""
        self._most = most
        self._keep = keep
        self._works: dict[str, _Work[State, Result]] = {}
        self._begun = 0

    async def get(
        self,
        key: str,
        read: Callable[[], Awaitable[State]],
        work: Callable[[State], Coroutine[Any, Any, Result]],
    ) -> Result:
        """Return what `work` makes of what `read` returns, now or later; raise what they raise."""
        asked = self._begun
        while True:
            state = await read()
            known = self._works.get(key)
            if known is not None and self._is_good(known, state, asked):
                return await asyncio.shield(known.task)
            if known is None or known.task.done():
                return await asyncio.shield(self._begin(key, state, work(state)))
            await asyncio.wait([known.task])

    def forget(self, key: str) -> None:
        """Keep nothing of a key, unless it is being worked at."""
        known = self._works.get(key)
        if known is not None and known.task.done():
            del self._works[key]

    def _is_good(self, known: _Work[State, Result], state: State, asked: int) -> bool:
        """Tell whether some work is as good as if it were done anew."""
        if known.number > asked:  # whatever it has read, it has read after the question
            return True
        young = asyncio.get_running_loop().time() - known.begun < self._keep
        return known.state == state and young and not known.is_lost

    def _begin(
        self, key: str, state: State, work: Coroutine[Any, Any, Result]
    ) -> "asyncio.Task[Result]":
        loop = asyncio.get_running_loop()
        self._begun += 1
        begun = _Work(state, self._begun, loop.time(), loop.create_task(work))
        begun.task.add_done_callback(
            lambda _: begun.is_lost
        )  # so that nobody need have waited for it
        self._works.pop(key, None)
        self._works[key] = begun
        self._forget()
        return begun.task

    def _forget(self) -> None:
        """Let go of what was begun first, but of nothing that is still being done."""
        over = [key for key, work in self._works.items() if work.task.done()]
        for key in over[: max(0, len(self._works) - self._most)]:
            del self._works[key]
