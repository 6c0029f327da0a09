"""A ladder on a clock that only moves when something happens. It does what a director does.

It pairs when somebody comes or comes free, and at every tick while somebody has room; starts the matches of
a block one after the other, and those that nobody came to again; and rates a block when it is complete.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, TypeAlias, assert_never, final

from shoal.competition.block import Attempt, Ending, State, progress, seating, wanted
from shoal.competition.pool import Candidate, Past, Table, Terms
from shoal.server.director.rating import rate
from shoal.server.simulation.agenda import (
    Agenda,
    Comes,
    Ends,
    Goes,
    Happening,
    InPlay,
    Missed,
    Recovers,
)
from shoal.server.simulation.ledger import Ledger, note_over, note_rated, note_start
from shoal.server.simulation.member import Member, candidate, end_wait, note_match, pass_time
from shoal.server.simulation.meter import Meter, start, stop
from shoal.server.simulation.outcomes import Outcomes
from shoal.server.simulation.plan import DAY_MS, Plan
from shoal.server.simulation.population import population
from shoal.server.simulation.waiting import Waiting

TICK_MS: Final = 500.0
"""How often a director looks at who is free when nothing has happened."""

ABSENT_MS: Final = 30_000.0
"""How long a match waits for a bot that does not come, until it is a no-show."""

NOTICE_MS: Final = 10_000.0
"""How long it takes to notice that a bot is gone."""

DOWN_MS: Final = 300_000.0
"""How long a bot that has crashed is away, on average."""

_TO_AND_FRO: Final = (0.8, 1.2)
"""How much shorter or longer a match is than its bots' matches mostly are."""

Scheduler: TypeAlias = Callable[[Iterable[Candidate], Terms, int], Sequence[Table]]
"""Makes tables of a pool with a seed, as `shoal.competition.ladder_pairing.pair` does."""


@final
class Ladder:
    """Runs a plan with outcomes and a scheduler."""

    def __init__(self, plan: Plan, outcomes: Outcomes, pair: Scheduler) -> None:
        """Let everybody come whose time it is."""
        self.now_ms = 0.0
        self.ledger = Ledger(plan.bots)
        self.meter = Meter()
        self._plan = plan
        self._outcomes = outcomes
        self._pair = pair
        self._terms = Terms(sizes=plan.sizes)
        self._chance = Random(f"{plan.seed} ladder")
        self._agenda = Agenda()
        self._waiting = Waiting()
        self.in_play: set[InPlay] = set()
        self.members = tuple(
            Member(number, profile, outcomes.newcomer(self._chance), plan.match_s * 1000)
            for number, profile in enumerate(population(plan))
        )
        self._by_id = {member.profile.bot_id: member for member in self.members}
        for member in self.members:
            for comes_ms, goes_ms in member.profile.stays:
                self._agenda.plan(comes_ms, Comes(member))
                if goes_ms < float("inf"):
                    self._agenda.plan(goes_ms, Goes(member))

    def step(self) -> None:
        """Go on to the next moment at which anything happens, and make what tables there are."""
        has_room = any(member.room > 0 for member in self.members if member.is_here)
        tick_ms = (self.now_ms // TICK_MS + 1) * TICK_MS if has_room else float("inf")
        at_ms = min(tick_ms, self._agenda.next_ms())
        self._waiting.pass_time(at_ms)
        self.now_ms = at_ms
        while self._agenda.next_ms() <= at_ms:
            self._happen(self._agenda.pop())
        if at_ms == tick_ms:
            for member in self.members:
                member.ticks += member.is_here and member.room > 0
        self._make_tables()

    def settle(self) -> None:
        """Count everybody's time until now; before figures are taken."""
        self._waiting.pass_time(self.now_ms)
        for member in self.members:
            pass_time(member, self.now_ms)
            end_wait(member)

    def truth(self, member: Member) -> float:
        """Return how strong a bot really is now, in units of mu."""
        return self._outcomes.truth(self._strength(member))

    def _make_tables(self) -> None:
        present = [member for member in self.members if member.is_here]
        if any(member.room > 0 for member in present):
            seed = self._chance.getrandbits(32)
            start(self.meter)
            pool = [candidate(member, self.now_ms) for member in present]
            tables = self._pair(pool, self._terms, seed)
            stop(self.meter)
            for table in tables:
                self._seat(table, len(present))
        self._waiting.look([member for member in present if member.room > 0])

    def _seat(self, table: Table, present: int) -> None:
        members = tuple(self._by_id[bot] for bot in table.bots)
        block = InPlay(table, members, self.now_ms)
        self.in_play.add(block)
        note_start(self.ledger, block, present)
        for member in members:
            pass_time(member, self.now_ms)
            end_wait(member)
            member.has_been_seated = True
            member.at_tables += 1
            member.blocks += 1
            member.ticks = 0
            member.free_since_ms = self.now_ms
            others = frozenset(table.bots) - {member.profile.bot_id}
            member.recent.appendleft(Past(others, table.ruleset))
        self._start_match(block, 0)

    def _start_match(self, block: InPlay, rotation: int) -> None:
        self.ledger.started_matches += 1
        seated = [self._by_id[bot] for bot in seating(block.table.bots, rotation)]
        for member in seated:
            if not member.is_down and self._chance.random() < member.profile.crash:
                self._crash(member)
        absent = frozenset(seat for seat, member in enumerate(seated) if member.is_down)
        if absent:
            attempt = Attempt(rotation, Ending.NO_SHOW, absent=absent)
            took_ms = ABSENT_MS
        else:
            strengths = [self._strength(member) for member in seated]
            placements = self._outcomes.placements(strengths, self._chance)
            attempt = Attempt(rotation, Ending.PLAYED, placements)
            longest = max(member.profile.match_ms for member in seated)
            took_ms = longest * self._chance.uniform(*_TO_AND_FRO)
        self._agenda.plan(self.now_ms + took_ms, Ends(block, attempt, took_ms))

    def _crash(self, member: Member) -> None:
        member.is_down = True
        self._agenda.plan(self.now_ms + NOTICE_MS, Missed(member))
        away_ms = NOTICE_MS + self._chance.expovariate(1 / DOWN_MS)
        self._agenda.plan(self.now_ms + away_ms, Recovers(member))

    def _happen(self, happening: Happening) -> None:
        match happening:
            case Comes(member):
                if not member.is_down:
                    self._comes(member)
            case Recovers(member):
                member.is_down = False
                if any(comes <= self.now_ms < goes for comes, goes in member.profile.stays):
                    self._comes(member)
            case Goes(member) | Missed(member):
                pass_time(member, self.now_ms)
                end_wait(member)
                member.is_here = False
            case Ends():
                self._ends(happening)
            case _:
                assert_never(happening)

    def _comes(self, member: Member) -> None:
        pass_time(member, self.now_ms)
        member.came_ms = self.now_ms
        member.is_here = True
        member.ticks = 0
        member.free_since_ms = self.now_ms

    def _ends(self, end: Ends) -> None:
        block = end.block
        block.attempts.append(end.attempt)
        self.ledger.matches[end.attempt.ending] += 1
        if end.attempt.ending is Ending.PLAYED:
            for member in block.members:
                note_match(member, end.took_ms)
        so_far = progress(block.table.bots, block.attempts)
        if so_far.state is State.OPEN:
            self._start_match(block, wanted(block.table.bots, so_far)[0])
            return
        if so_far.state is State.COMPLETE and block.table.rated:
            for rotation in sorted(so_far.placements):
                self._rate(block.members, so_far.placements[rotation])
        self.in_play.discard(block)
        note_over(self.ledger, block, so_far.state, self.now_ms)
        for member in block.members:
            self._gets_up(member)

    def _gets_up(self, member: Member) -> None:
        pass_time(member, self.now_ms)
        if member.room <= 0:
            member.free_since_ms = self.now_ms
            member.ticks = 0
        member.at_tables -= 1

    def _rate(self, members: Sequence[Member], placements: Sequence[int]) -> None:
        after = rate([member.rating for member in members], placements)
        for member, rating in zip(members, after, strict=True):
            member.rating = rating
            member.rated_matches += 1
            note_rated(self.ledger, member, self.truth(member))

    def _strength(self, member: Member) -> float:
        """Return how strong a bot is now: it may have drifted since somebody looked."""
        passed = self.now_ms - member.strength_at_ms
        if self._plan.drift and passed:
            points = self._plan.drift * (passed / DAY_MS) ** 0.5
            member.strength = self._outcomes.drifted(member.strength, points, self._chance)
            member.strength_at_ms = self.now_ms
        return member.strength
