"""A turn at the event loop, for work of which many tasks have some at the same moment."""

import asyncio
from typing import Self, final


@final
class Turn:
    """`async with` it around the work: one task has it at a time, in the order of asking.

    Between two of them the loop takes in what has come, as it never does between tasks that wake together.
    """

    def __init__(self) -> None:
        """Be free."""
        self._taken = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Wait for the turn."""
        await self._taken.acquire()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the loop look, and then the next one go on."""
        try:
            await asyncio.sleep(0)
        finally:
            self._taken.release()
