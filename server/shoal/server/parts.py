"""Work for the parts of a store, of which one may be away while the others are there."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeAlias, final

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


@final
class Parts:
    """Work that is done for each part on its own, so that none waits for one that is away.

    One is done at a time for each. Of what comes for it meanwhile only the newest is done, when it has ended:
    whatever is given must do all that there is to do then.
    """

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        """Begin without any, and do it in this group, which ends with the first error."""
        self._tasks = tasks
        self._busy: set[Hashable] = set()
        self._next: dict[Hashable, Work] = {}

    def do(self, part: Hashable, work: Work) -> None:
        """Do this work for a part: now, or when what is being done for it has ended."""
        if part in self._busy:
            self._next[part] = work
            return
        self._busy.add(part)
        self._tasks.create_task(self._do(part, work))

    async def _do(self, part: Hashable, work: Work) -> None:
        """Do work for a part until there is none."""
        todo: Work | None = work
        while todo is not None:
            await todo()
            todo = self._next.pop(part, None)
        self._busy.remove(part)


@final
class Outages:
    """Which parts are away, so that each outage is told of once, and those that begin together at a time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._away: set[int] = set()
        self._untold: set[int] = set()

    def note(self, part: int, *, away: bool) -> None:
        """Note whether a part is away."""
        if not away:
            self._away.discard(part)
            self._untold.discard(part)
        elif part not in self._away:
            self._away.add(part)
            self._untold.add(part)

    def take_untold(self) -> list[int]:
        """Return those that went away since this was called, in order."""
        untold, self._untold = self._untold, set()
        return sorted(untold)
