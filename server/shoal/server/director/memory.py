"""What a director remembers of the bots of a ladder. All of it may be forgotten: it only guides taste."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from shoal.competition.fair_share import Usage, share, used
from shoal.competition.pool import Candidate, Past
from shoal.server.director.result import NEWCOMER
from shoal.server.director.rooms import Room
from shoal.server.store.competition_nouns import Roster, Score
from shoal.server.store.presence import Presence

_TABLES: Final = 12
"""How many tables back opponents and what was played are remembered."""

_FIRST_MATCH_MS: Final = 10_000.0
"""How long a bot's matches are taken to be before it has played one."""

_WEIGHT: Final = 0.3
"""What the latest match counts for in how long a bot's matches are."""


@dataclass(slots=True)
class _Bot:
    """What is remembered of one bot. Times are in ms of a clock that only grows.

    `blocks` are those that count for it since it was first seen here, and `begun` those that it has begun
    since then: one that is dissolved or not rated counts nowhere else.
    """

    usage: Usage
    blocks: int
    begun: int = 0
    free_since: float | None = None
    ticks: int = 0
    tables: int = 0
    match_ms: float = _FIRST_MATCH_MS
    recent: deque[Past] = field(default_factory=lambda: deque(maxlen=_TABLES))
    shown: "_Shown | None" = None
    """What was shown of it when it had no room, as long as nothing of it changes: most bots play."""


class _Shown(NamedTuple):
    """What a bot was shown as, and what that was made of."""

    candidate: Candidate
    there: Presence
    score: Score


class Memory:
    """Who met whom, who waits since when, and who has sat at tables for how long."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._bots: dict[str, _Bot] = {}

    def seated(self, bots: Sequence[str], ruleset: str) -> None:
        """Remember a table that has begun: whom its bots met, and that they do not wait any more."""
        self.resumed(bots)
        for bot in bots:
            if known := self._bots.get(bot):
                known.recent.appendleft(Past(frozenset(bots) - {bot}, ruleset))
                known.begun += 1
                known.tables += 1
                known.shown = None

    def resumed(self, bots: Iterable[str]) -> None:
        """Remember that a table goes on that was held up: its bots do not wait any more."""
        for bot in bots:
            if known := self._bots.get(bot):
                known.free_since, known.ticks = None, 0

    def begins_anew(self, bots: Iterable[str]) -> None:
        """Forget bots that have come with another release: it is a newcomer."""
        for bot in bots:
            self._bots.pop(bot, None)

    def lasted(self, bots: Iterable[str], match_ms: float) -> None:
        """Remember how long a match took."""
        for bot in bots:
            if known := self._bots.get(bot):
                known.match_ms += _WEIGHT * (match_ms - known.match_ms)
                known.shown = None

    def match_ms(self, bot: str) -> float:
        """Return how long a bot's matches are taken to be."""
        known = self._bots.get(bot)
        return _FIRST_MATCH_MS if known is None else known.match_ms

    def candidates(
        self,
        roster: Roster,
        room: Room,
        now_ms: float,
        *,
        is_tick: bool,
    ) -> list[Candidate]:
        """Return the entrants that are present, room or no room.

        `is_tick` says that this look counts as one more tick of waiting.
        """
        for bot in [bot for bot in self._bots if bot not in roster.entrants]:
            del self._bots[bot]
        found = [there for there in room.there.values() if there.bot_id in roster.entrants]
        away = self._bots.keys() - room.there.keys()
        for bot in away:
            known = self._bots[bot]
            known.free_since, known.ticks, known.tables, known.shown = None, 0, 0, None
            known.usage = used(known.usage, now_ms, 0, present=False)
        return [
            self._candidate(there, roster, room.busy(there.bot_id), now_ms, is_tick=is_tick)
            for there in found
        ]

    def _candidate(
        self, there: Presence, roster: Roster, running: int, now_ms: float, *, is_tick: bool
    ) -> Candidate:
        bot_id = there.bot_id
        score = roster.scores.get(bot_id, NEWCOMER)
        known = self._bots.get(bot_id)
        if known is None:
            known = self._bots[bot_id] = _Bot(Usage(now_ms), score.blocks)
        room = there.max_matches - running
        before = known.shown
        if before is not None and running == known.tables and _is_the_same(before, there, score):
            return before.candidate
        if room > 0:
            known.free_since = now_ms if known.free_since is None else known.free_since
            known.ticks += is_tick
        else:
            known.free_since, known.ticks = None, 0
        known.usage = used(known.usage, now_ms, known.tables)
        known.tables = running
        shown = Candidate(
            bot_id=bot_id,
            room=room,
            rulesets=frozenset(there.rulesets),
            seats=frozenset(there.seats),
            mu=score.mu,
            sigma=score.sigma,
            owner=roster.entrants[bot_id].owner,
            at_once=there.max_matches,
            idle=running == 0,
            blocks=known.blocks + known.begun,
            waited_ms=0.0 if known.free_since is None else now_ms - known.free_since,
            ticks=known.ticks,
            match_ms=known.match_ms,
            share=share(known.usage),
            recent=tuple(known.recent),
        )
        known.shown = _Shown(shown, there, score) if room <= 0 else None
        return shown


def _is_the_same(shown: _Shown, there: Presence, score: Score) -> bool:
    """Tell whether a bot that sits at as many tables is as it was shown."""
    return (shown.score is score or shown.score == score) and (
        shown.there is there
        or (
            shown.there.max_matches == there.max_matches
            and shown.there.rulesets == there.rulesets
            and shown.there.seats == there.seats
        )
    )
