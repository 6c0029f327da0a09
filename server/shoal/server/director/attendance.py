"""Who did not answer and is left alone, and who has been away since when. All of it may be forgotten."""

from collections.abc import Iterable


class Attendance:
    """What a director has seen of bots since it began; a successor begins anew. Times are in seconds."""

    def __init__(self, cool_off: float, absence: float) -> None:
        """Leave a silent bot alone for `cool_off`, and wait for one that is away for `absence`."""
        self._cool_off = cool_off
        self._absence = absence
        self._cooling: dict[str, float] = {}
        self._away: dict[str, float] = {}

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

    def is_here(self, bot: str) -> None:
        """Take note of a bot that is present."""
        self._away.pop(bot, None)

    def is_given_up(self, bot: str, now: float) -> bool:
        """Tell, of a bot that is not present, whether it has been away for too long."""
        return now - self._away.setdefault(bot, now) >= self._absence
