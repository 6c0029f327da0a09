"""Who did not answer and is left alone, who has been away since when. All of it may be forgotten."""

from collections.abc import Iterable
from typing import TypeAlias

Offer: TypeAlias = tuple[str, str, int]
"""A bot, a ruleset and a table size."""


class Attendance:
    """What a director has seen of bots since it began; a successor begins anew. Times are in seconds."""

    def __init__(self, cool_off: float, absence: float, lately: float, began: float) -> None:
        """Leave a silent bot alone for `cool_off`, and wait for one that is away for `absence`.

        Who was here within the last `lately` was here lately; all were when the director `began`.
        """
        self._cool_off = cool_off
        self._absence = absence
        self._lately = lately
        self._began = began
        self._cooling: dict[str, float] = {}
        self._away: dict[str, float] = {}
        self._lacking: dict[Offer, float] = {}
        self._seen: dict[str, float] = {}

    @property
    def size(self) -> int:
        """Of how many bots it is kept when they were here."""
        return len(self._seen)

    def was_silent(self, bots: Iterable[str], now: float) -> None:
        """Take note of bots that did not answer in a match."""
        self._cooling.update(dict.fromkeys(bots, now + self._cool_off))

    def is_cooling(self, bot: str, now: float) -> bool:
        """Tell whether a bot is to be left alone."""
        end = self._cooling.get(bot)
        if end is not None and end <= now:
            del self._cooling[bot]
            return False
        return end is not None

    def is_here(self, bot: str, now: float) -> None:
        """Take note of a bot that is present."""
        self._away.pop(bot, None)
        self._seen.pop(bot, None)
        self._seen[bot] = now
        if now - self._began < self._lately:
            return
        # The one who was here the longest time ago comes first; who is not among them was not here lately.
        while now - self._seen[oldest := next(iter(self._seen))] >= self._lately:
            del self._seen[oldest]

    def was_here_lately(self, bot: str, now: float) -> bool:
        """Tell whether a bot is, or was not long ago, present."""
        return now - self._seen.get(bot, self._began) < self._lately

    def is_given_up(self, bot: str, now: float) -> bool:
        """Tell, of a bot that is not present, whether it has been away for too long."""
        return now - self._away.setdefault(bot, now) >= self._absence

    def offers(self, offer: Offer) -> None:
        """Take note of a table that a bot offers to play."""
        self._lacking.pop(offer, None)

    def is_lacking(self, offer: Offer, now: float) -> bool:
        """Tell, of a table that a bot does not offer, whether that was waited for for too long."""
        return now - self._lacking.setdefault(offer, now) >= self._absence
