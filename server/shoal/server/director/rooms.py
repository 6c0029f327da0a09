"""How many more matches each bot takes now, over all competitions (T77)."""

import time
from collections import Counter
from collections.abc import Iterable
from typing import final

from shoal.server.director.attendance import Attendance
from shoal.server.director.matches import Matches
from shoal.server.store.presence import Presence, PresenceStore


@final
class Rooms:
    """The room of bots in one look of the director at all competitions, one after the other.

    What one competition starts, the next one sees in the bots' live matches, or among those that are to be
    created. `held` are the bots that a competition waits for, because others that it wants to seat with them
    are busy: what comes after it leaves one place of theirs free, or they would never be free together.
    """

    def __init__(self, presences: PresenceStore, matches: Matches, attendance: Attendance) -> None:
        """Begin a look."""
        self._presences = presences
        self._matches = matches
        self._attendance = attendance
        self._held: set[str] = set()
        self.left_alone: frozenset[str] = frozenset()
        """Those who were present when it was asked last, but did not answer lately."""

    async def present(self, bots: Iterable[str]) -> list[Presence]:
        """Return those of these bots that are present and not left alone."""
        now = time.monotonic()
        found = [there for there in await self._presences.get_many(list(bots)) if there]
        for there in found:
            self._attendance.is_here(there.bot_id)
        here = [there for there in found if not self._attendance.is_cooling(there.bot_id, now)]
        names = {there.bot_id for there in here}
        self.left_alone = frozenset(there.bot_id for there in found if there.bot_id not in names)
        return here

    def taken(self) -> Counter[str]:
        """Return what takes room of bots beside their live matches, now."""
        return self._matches.of_bots + Counter(self._held)

    def hold(self, bots: Iterable[str]) -> None:
        """Keep a place of these bots from all competitions that come after."""
        self._held.update(bots)

    def is_held(self, bot: str) -> bool:
        """Tell whether a place of a bot is kept from what comes now."""
        return bot in self._held

    def is_given_up(self, bot: str) -> bool:
        """Tell, of a bot that is not among the present, whether it has been away for too long."""
        now = time.monotonic()
        return not self._attendance.is_cooling(bot, now) and self._attendance.is_given_up(bot, now)
