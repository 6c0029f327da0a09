"""A ladder on a clock that only moves when something happens: bots come, wait, play blocks and leave.

It does with `pair` what a director does: pairs when somebody comes free, and at every tick.
"""

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

from shoal.competition.fair_share import Usage, share, used
from shoal.competition.ladder_pairing import pair
from shoal.competition.pool import Candidate, Past, Table, Terms

TICK_MS = 500.0


@dataclass
class Bot:
    """A bot as it comes, and what became of it."""

    who: Candidate
    comes_ms: float = 0.0
    leaves_ms: float = float("inf")
    at_tables: int = 0
    blocks: int = 0
    free_since: float = 0.0
    ticks: int = 0
    usage: Usage = field(default_factory=lambda: Usage(0.0))
    recent: deque[Past] = field(default_factory=lambda: deque(maxlen=12))
    longest_wait: float = 0.0
    """In its own match lengths."""
    first_seated: float | None = None
    played_ms: float = 0.0


class Ladder:
    """Runs the blocks of a pool."""

    def __init__(self, bots: Iterable[Candidate], terms: Terms, seed: int = 0) -> None:
        self.bots = {who.bot_id: Bot(who) for who in bots}
        self.terms = terms
        self.seed = count(seed * 1_000_003)
        self.chance = Random(seed)
        self.now = 0.0
        self.tables: list[Table] = []
        self.met: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._ends: list[tuple[float, int, Table]] = []
        self._number = count()

    def present(self) -> list[Candidate]:
        """The pool as the scheduler is shown it."""
        return [
            replace(
                bot.who,
                room=bot.who.room - bot.at_tables,
                at_once=bot.who.room,
                idle=bot.at_tables == 0,
                blocks=bot.blocks,
                waited_ms=self.now - bot.free_since if self._is_free(bot) else 0.0,
                ticks=bot.ticks if self._is_free(bot) else 0,
                share=share(used(bot.usage, self.now, bot.at_tables)),
                recent=tuple(bot.recent),
            )
            for bot in self.bots.values()
            if bot.comes_ms <= self.now < bot.leaves_ms
        ]

    def run(self, until_ms: float) -> None:
        """Go on until then."""
        while self.now < until_ms:
            self._pair()
            tick = (self.now // TICK_MS + 1) * TICK_MS
            at = min(tick, self._ends[0][0] if self._ends else tick)
            self.now = at
            while self._ends and self._ends[0][0] <= at:
                self._finish(heapq.heappop(self._ends)[2])
            if at == tick:
                for bot in self.bots.values():
                    if bot.comes_ms <= at and self._is_free(bot):
                        bot.ticks += 1

    def _is_free(self, bot: Bot) -> bool:
        return bot.at_tables < bot.who.room

    def _pair(self) -> None:
        for table in pair(self.present(), self.terms, next(self.seed)):
            self._start(table)

    def _start(self, table: Table) -> None:
        self.tables.append(table)
        longest = max(self.bots[bot].who.match_ms for bot in table.bots)
        longest *= self.chance.uniform(0.8, 1.2)
        heapq.heappush(
            self._ends, (self.now + longest * len(table.bots), next(self._number), table)
        )
        for name in table.bots:
            bot = self.bots[name]
            waited = (self.now - max(bot.free_since, bot.comes_ms)) / bot.who.match_ms
            bot.longest_wait = max(bot.longest_wait, waited)
            bot.usage = used(bot.usage, self.now, bot.at_tables)
            bot.at_tables += 1
            bot.blocks += 1
            bot.ticks = 0
            bot.free_since = self.now
            bot.first_seated = self.now if bot.first_seated is None else bot.first_seated
            bot.played_ms += longest * len(table.bots)
            others = frozenset(table.bots) - {name}
            bot.recent.appendleft(Past(others, table.ruleset))
            self.met[name].update(sorted(others))

    def _finish(self, table: Table) -> None:
        for name in table.bots:
            bot = self.bots[name]
            if not self._is_free(bot):
                bot.free_since = self.now
                bot.ticks = 0
            bot.usage = used(bot.usage, self.now, bot.at_tables)
            bot.at_tables -= 1
