"""How many more matches each bot takes now, over all competitions (T77)."""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import final

from shoal.server.director.absences import Absences
from shoal.server.director.attendance import Attendance
from shoal.server.director.matches import Matches
from shoal.server.store.presence import Presence, PresenceStore
from shoal.server.store.waits import Kept


@final
class Room:
    """Those of some bots that are present, and how many more matches each of them takes.

    `taken` counts, by bot, the matches that were to be created at any moment while the lists of live matches
    were read: one that was created meanwhile is in it, in a list, or in both, but never in neither. Places
    that are kept for somebody else are no room, also those that came to be kept since.
    """

    def __init__(
        self, there: Iterable[Presence], taken: Mapping[str, int], held: Collection[str]
    ) -> None:
        """Know what was read of these bots; `held` is that of the look, which goes on to change."""
        self.there = {each.bot_id: each for each in there}
        self._taken = Counter(taken)
        self._held = held

    def __contains__(self, bot: str) -> bool:
        """Tell whether a bot is present, and not left alone."""
        return bot in self.there

    def busy(self, bot: str) -> int:
        """Return how many places of a bot are taken or kept."""
        there = self.there.get(bot)
        running = 0 if there is None else there.live_count
        return running + self._taken.get(bot, 0) + (bot in self._held)

    def beside(self, bot: str) -> int:
        """Return what takes room of a bot, present or not, beside its live matches."""
        return self._taken.get(bot, 0) + (bot in self._held)

    def of(self, bot: str) -> int:
        """Return how many more matches a bot takes; 0 or less: none. One that is away takes none."""
        there = self.there.get(bot)
        return 0 if there is None else there.max_matches - self.busy(bot)

    def take(self, bots: Iterable[str]) -> None:
        """Take note that a match of these bots begins."""
        self._taken.update(bots)


@final
class Rooms:
    """The room of bots in one look of the director at all competitions, one after the other.

    What one competition starts, the next one sees in the bots' live matches, or among those that are to be
    created. `held` are the bots that a competition waits for, because others that it wants to seat with them
    are busy: what comes after it leaves one place of theirs free, or they would never be free together.
    """

    def __init__(
        self,
        presences: PresenceStore,
        matches: Matches,
        attendance: Attendance,
        absences: Absences,
    ) -> None:
        """Begin a look, in which nobody is asked for who is known to be away."""
        self._presences = presences
        self._matches = matches
        self._attendance = attendance
        self._absences = absences
        self._held: dict[str, Kept] = {}
        self.left_alone: frozenset[str] = frozenset()
        """Those who were present when it was asked last, but did not answer lately."""

    async def room(self, bots: Iterable[str]) -> Room:
        """Return the room of those of these bots that are present and not left alone."""
        asked = self._absences.worth_asking(bots, time.monotonic())
        with self._matches.noting() as taken, self._absences.reading() as heard:
            read = await self._presences.get_many(asked)
        now = time.monotonic()
        found = [there for there in read if there]
        away = (bot for bot, there in zip(asked, read, strict=True) if there is None)
        self._absences.were_away(away, heard, now)
        for there in found:
            self._attendance.is_here(there.bot_id, now)
        here = [there for there in found if not self._attendance.is_cooling(there.bot_id, now)]
        names = {there.bot_id for there in here}
        self.left_alone = frozenset(there.bot_id for there in found if there.bot_id not in names)
        return Room(here, taken, self._held)

    async def of_absent(self, bots: Sequence[str]) -> dict[str, int]:
        """Return the room of bots that are away: one place, for a match that they do not come to.

        However many competitions wait for one, it is taken by any match of it: it may come back meanwhile.
        """
        with self._matches.noting() as taken:
            live = await self._presences.live_counts(bots)
        return {bot: 1 - live[bot] - taken[bot] - (bot in self._held) for bot in bots}

    def hold(self, bots: Iterable[str], why: Kept) -> None:
        """Keep a place of these bots from all competitions that come after; the first reason is told."""
        for bot in bots:
            self._held.setdefault(bot, why)

    def held(self, bot: str) -> Kept | None:
        """Return what a place of a bot is kept for, from what comes now; None if none is."""
        return self._held.get(bot)

    def was_here_lately(self, bot: str) -> bool:
        """Tell whether a bot is, or was not long ago, present."""
        return self._attendance.was_here_lately(bot, time.monotonic())

    def is_waited_for(self, there: Presence, ruleset: str, size: int) -> bool:
        """Tell whether a bot that is present does not offer a table, and may still come to do so."""
        offer = (there.bot_id, ruleset, size)
        if ruleset in there.rulesets and size in there.seats:
            self._attendance.offers(offer)
            return False
        return not self._attendance.is_lacking(offer, time.monotonic())

    def is_given_up(self, bot: str) -> bool:
        """Tell, of a bot that is not among the present, whether it has been away for too long."""
        now = time.monotonic()
        return not self._attendance.is_cooling(bot, now) and self._attendance.is_given_up(bot, now)
