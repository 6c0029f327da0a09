"""What a director remembers from table to table. All of it may be forgotten: it only guides taste."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from shoal.server.director.pairing import Candidate
from shoal.server.director.rating import Rating
from shoal.server.director.result import NEWCOMER
from shoal.server.store.ladders import Roster
from shoal.server.store.presence import Presence

_TABLES = 12
"""How many tables back opponents and the size are remembered."""


class Memory:
    """Who met whom, who waits since when, and who is left alone for a while."""

    def __init__(self, cool_off: float) -> None:
        """Leave a bot that was absent alone for so many seconds."""
        self._cool_off = cool_off
        self._met: defaultdict[str, deque[frozenset[str]]] = defaultdict(
            lambda: deque(maxlen=_TABLES)
        )
        self._waiting: dict[str, float] = {}
        self._cooling: dict[str, float] = {}

    def seated(self, bots: tuple[str, ...]) -> None:
        """Remember a table: whom its bots met, and that they do not wait any more."""
        for bot in bots:
            self._met[bot].appendleft(frozenset(bots) - {bot})
            self._waiting.pop(bot, None)

    def was_absent(self, bot: str, now: float) -> None:
        """Remember not to pair this bot for a while."""
        self._cooling[bot] = now + self._cool_off

    def candidates(
        self,
        roster: Roster,
        presences: Mapping[str, Presence],
        pending: Mapping[str, int],
        now: float,
    ) -> list[Candidate]:
        """Return the members that are present and not left alone, room or no room.

        `pending` counts, by bot, the matches that are committed and not created.
        """
        self._forget(roster, presences, now)
        return [
            self._candidate(bot, roster, presence, pending.get(bot, 0), now)
            for bot, presence in presences.items()
            if bot in roster.members and bot not in self._cooling
        ]

    def _candidate(
        self, bot: str, roster: Roster, presence: Presence, pending: int, now: float
    ) -> Candidate:
        member = roster.members[bot]
        score = roster.scores.get(bot, NEWCOMER)
        running = presence.live_count + pending
        return Candidate(
            bot_id=bot,
            room=presence.max_matches - running,
            rulesets=frozenset(presence.rulesets),
            seats=frozenset(presence.seats),
            rating=Rating(score.mu, score.sigma),
            waiting_since=self._waiting.setdefault(bot, now),
            owner="" if member.baseline else member.owner,
            idle=running == 0,
            met=tuple(self._met[bot]),
        )

    def _forget(self, roster: Roster, presences: Iterable[str], now: float) -> None:
        """Drop what is over."""
        here = set(presences)
        self._cooling = {bot: end for bot, end in self._cooling.items() if end > now}
        self._waiting = {bot: since for bot, since in self._waiting.items() if bot in here}
        for bot in [bot for bot in self._met if bot not in roster.members]:
            del self._met[bot]
