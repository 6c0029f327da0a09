"""The blocks of a plan that are still to be played, found by the bots that are free for them.

A round robin of 500 bots has 124,750 blocks, and whoever looks for what can begin looks several times a
second: so a block that is over is taken out, and only the blocks of bots that are free are looked at.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush
from typing import final

from shoal.competition.plan import Planned


@final
class Agenda:
    """Blocks in the order in which they should begin, by key as text."""

    def __init__(self, due: Iterable[Planned]) -> None:
        """Begin with all of these."""
        self._blocks = dict(enumerate(due))
        self._places = {str(block.key): place for place, block in self._blocks.items()}
        self._of_bot: dict[str, dict[int, None]] = {}
        for place, block in self._blocks.items():
            for bot in block.bots:
                self._of_bot.setdefault(bot, {})[place] = None

    def __len__(self) -> int:
        return len(self._blocks)

    def __contains__(self, key: object) -> bool:
        """Tell whether a block, by its key as text, is still to be played."""
        return key in self._places

    def __iter__(self) -> Iterator[Planned]:
        return iter(self._blocks.values())

    @property
    def bots(self) -> Collection[str]:
        """Those who have something to play."""
        return self._of_bot.keys()

    def of_bots(self, bots: Iterable[str]) -> list[Planned]:
        """Return, in their order, the blocks in which any of these plays."""
        places = {place for bot in bots for place in self._of_bot.get(bot, ())}
        return [self._blocks[place] for place in sorted(places)]

    def finish(self, key: str) -> None:
        """Take a block out; one that is not there may have been."""
        place = self._places.pop(key, None)
        if place is None:
            return
        for bot in self._blocks.pop(place).bots:
            mine = self._of_bot[bot]
            del mine[place]
            if not mine:
                del self._of_bot[bot]

    def of_free_bots(self, is_free: Callable[[str], bool]) -> Iterator[Planned]:
        """Yield, in their order, the blocks of which at least one bot is free.

        Who is no longer free, which may come of what was yielded before, is not asked about again. Nothing
        may be finished meanwhile.
        """
        heap: list[tuple[int, str]] = []
        rest = {bot: iter(mine) for bot, mine in self._of_bot.items() if is_free(bot)}

        def push(bot: str) -> None:
            place = next(rest[bot], None)
            if place is not None:
                heappush(heap, (place, bot))

        for bot in rest:
            push(bot)
        last = -1
        while heap:
            place, bot = heappop(heap)
            if not is_free(bot):
                continue
            push(bot)
            if place != last:
                last = place
                yield self._blocks[place]
