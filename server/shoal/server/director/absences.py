"""Who was away when it was looked for, and has not been heard of since: nobody asks for it at every look."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import Final, final
from zlib import crc32

_SPREAD: Final = 1 << 32
"""How many values the sum has by which bots are spread over the time in which they are asked for again."""


@final
class Absences:
    """Bots that need not be asked for, since the store says when one of them comes.

    Most members of a ladder that has run for weeks are away, and a director looks many times a second. What
    is said may be lost: so each of them is asked for again now and then, not all at the same look, and all at
    once when the connection was lost. While nobody listens, everybody is asked for. Times are in seconds.
    """

    def __init__(self, again: float) -> None:
        """Ask for each that is away once within `again`."""
        self._again = again
        self._away: set[str] = set()
        self._due: list[tuple[float, str]] = []
        self._readings: list[set[str | None]] = []
        self._listens = False

    def hear(self, bot: str | None) -> None:
        """Take note that a bot has come; None: it is said from now on, and who came before may be unheard."""
        if bot is None:
            self._listens = True
            self._away.clear()
            self._due.clear()
        else:
            self._away.discard(bot)
        for reading in self._readings:
            reading.add(bot)

    def worth_asking(self, bots: Iterable[str], now: float) -> list[str]:
        """Return those of these bots that may be here."""
        while self._due and self._due[0][0] <= now:
            self._away.discard(heappop(self._due)[1])
        return [bot for bot in bots if bot not in self._away]

    @contextmanager
    def reading(self) -> Iterator[set[str | None]]:
        """Collect who comes while it is read who is here: what was read may be older than that."""
        heard: set[str | None] = set()
        self._readings.append(heard)
        try:
            yield heard
        finally:
            self._readings = [each for each in self._readings if each is not heard]

    def were_away(self, bots: Iterable[str], heard: set[str | None], now: float) -> None:
        """Take note of bots that were not here when that was read, but for who was heard of meanwhile."""
        if not self._listens or None in heard:
            return
        for bot in bots:
            if bot not in heard and bot not in self._away:
                self._away.add(bot)
                heappush(self._due, (now + self._again * (1 + _place(bot)) / 2, bot))


def _place(bot: str) -> float:
    """Return a number from 0 to 1 that is another one for each bot, and the same for ever."""
    return crc32(bot.encode()) / _SPREAD
