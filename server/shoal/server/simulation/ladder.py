"""A ladder on a clock that only moves when something happens.

It pairs when somebody comes or comes free, and at every tick while somebody has room. What it remembers of
bots, what a match makes of its block and of ratings, and who is left alone for a while is the director's own
code. It has no store, so everything is read and written at once; there are no trials, nobody is paused, and
there is no other competition.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, TypeAlias, assert_never, final

from shoal.competition.block import State, seating
from shoal.competition.plan import Entrant
from shoal.competition.pool import Candidate, Table, Terms
from shoal.competition.rating import Rating
from shoal.match.model import LeaveReason, Termination, VoidReason
from shoal.match.outcome import RATED
from shoal.server.director.attendance import Attendance
from shoal.server.director.memory import Memory
from shoal.server.director.progress import after, attempt, dissolved, goes_on
from shoal.server.director.result import Finished, absent, scores_after
from shoal.server.director.rooms import Room
from shoal.server.director.settings import Settings
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
from shoal.server.simulation.ledger import Ledger, note_over, note_rated, note_start, note_wait
from shoal.server.simulation.member import Member, end_wait, pass_time, presence
from shoal.server.simulation.meter import Meter, start, stop
from shoal.server.simulation.outcomes import Outcomes
from shoal.server.simulation.plan import DAY_MS, Plan
from shoal.server.simulation.population import population
from shoal.server.simulation.waiting import Waiting
from shoal.server.store.competition_nouns import Block, Ended, Roster, Score

_SETTINGS: Final = Settings()

TICK_MS: Final = _SETTINGS.tick * 1000
"""How often a director looks at who is free when nothing has happened."""

ABSENT_MS: Final = 30_000.0
"""How long a match waits for a bot that does not come, until it is a no-show."""

NOTICE_MS: Final = 10_000.0
"""How long it takes to notice that a bot is gone."""

DOWN_MS: Final = 300_000.0
"""How long a bot that has crashed is away, on average."""

_PLAYED: Final = Termination.TARGET
"""How a match ends that is played."""

_TO_AND_FRO: Final = (0.8, 1.2)
"""How much shorter or longer a match is than its bots' matches mostly are."""

Scheduler: TypeAlias = Callable[[Iterable[Candidate], Terms, int], Sequence[Table]]
"""Makes tables of a pool with a seed, as `shoal.competition.ladder_pairing.pair` does."""


@final
class Ladder:
    """Runs a plan with outcomes and a scheduler."""

    def __init__(
        self,
        plan: Plan,
        outcomes: Outcomes,
        pair: Scheduler,
        over: Callable[[Ended], None] | None = None,
    ) -> None:
        """Let everybody come whose time it is; `over` hears of each block that is over."""
        self.now_ms = 0.0
        self.ledger = Ledger(plan.bots)
        self.meter = Meter()
        self._plan = plan
        self._outcomes = outcomes
        self._pair = pair
        self._told_over = over
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
        self._memory = Memory()
        self._attendance = Attendance(
            _SETTINGS.cool_off, _SETTINGS.absence, _SETTINGS.lately, began=0.0
        )
        self._scores: dict[str, Score] = {}
        self._roster = Roster(
            {bot: Entrant(bot, each.profile.owner) for bot, each in self._by_id.items()},
            self._scores,
        )
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
        self._make_tables(is_tick=at_ms == tick_ms)

    def settle(self) -> None:
        """Count everybody's time until now; before figures are taken."""
        self._waiting.pass_time(self.now_ms)
        for member in self.members:
            note_wait(self.ledger, member, self.now_ms)
            pass_time(member, self.now_ms)
            end_wait(member)

    def truth(self, member: Member) -> float:
        """Return how strong a bot really is now, in units of mu."""
        return self._outcomes.truth(self._strength(member))

    def _make_tables(self, *, is_tick: bool) -> None:
        cools = self._attendance.is_cooling
        now = self.now_ms / 1000
        present = [
            member
            for member in self.members
            if member.is_here and not cools(member.profile.bot_id, now)
        ]
        if any(member.at_tables < member.profile.at_once for member in present):
            seed = self._chance.getrandbits(32)
            there = [presence(member) for member in present]
            start(self.meter)
            pool = self._memory.candidates(
                self._roster, Room(there, {}, ()), self.now_ms, is_tick=is_tick
            )
            tables = self._pair(pool, self._terms, seed)
            stop(self.meter)
            for table in tables:
                self._seat(table, len(present))
        self._waiting.look([member for member in present if member.room > 0])

    def _seat(self, table: Table, present: int) -> None:
        members = tuple(self._by_id[bot] for bot in table.bots)
        block = Block("", table.bots, table.ruleset, table.rated)
        in_play = InPlay(block, members, self.now_ms)
        self.in_play.add(in_play)
        note_start(self.ledger, in_play, present)
        self._memory.seated(table.bots, table.ruleset)
        for member in members:
            pass_time(member, self.now_ms)
            end_wait(member)
            member.has_been_seated = True
            member.at_tables += 1
            member.blocks += 1
            member.last_opponents = frozenset(table.bots) - {member.profile.bot_id}
        self._start_match(in_play)

    def _start_match(self, table: InPlay) -> None:
        self.ledger.started_matches += 1
        bots = seating(table.block.bots, table.block.rotation)
        seated = [self._by_id[bot] for bot in bots]
        for member in seated:
            if not member.is_down and self._chance.random() < member.profile.crash:
                self._crash(member)
        left = tuple(
            LeaveReason.NO_SHOW if member.is_down else LeaveReason.NONE for member in seated
        )
        if any(member.is_down for member in seated):
            placements, ending = (0,) * len(seated), Termination.NO_SHOW
            took_ms = ABSENT_MS
        else:
            strengths = [self._strength(member) for member in seated]
            placements, ending = self._outcomes.placements(strengths, self._chance), _PLAYED
            longest = max(member.profile.match_ms for member in seated)
            took_ms = longest * self._chance.uniform(*_TO_AND_FRO)
        match = Finished(
            match_id="",
            competition="",
            rated=table.block.rated,
            bots=bots,
            placements=placements,
            termination=ending,
            left=left,
            void=VoidReason.NONE,
            payload=b"",
        )
        self._agenda.plan(self.now_ms + took_ms, Ends(table, match, took_ms))

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
                note_wait(self.ledger, member, self.now_ms)
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

    def _ends(self, end: Ends) -> None:
        """Count a match as a director does, and go on with its block, or not."""
        table, match = end.table, end.match
        self.ledger.matches[attempt(match, table.block.rotation).ending] += 1
        self._memory.lasted(match.bots, end.took_ms)
        silent = absent(match)
        self._attendance.was_silent(silent, self.now_ms / 1000)
        if match.termination in RATED:
            for member in table.members:
                member.match_ms = self._memory.match_ms(member.profile.bot_id)
        became = after(table.block, match)
        if not isinstance(became, Ended) and not goes_on(became, silent, self._by_id):
            became = dissolved(became)
        self._rate(match)
        if isinstance(became, Ended):
            self._over(table, became)
        else:
            table.block = became
            self._start_match(table)

    def _over(self, table: InPlay, ended: Ended) -> None:
        self.in_play.discard(table)
        note_over(self.ledger, table, State(ended.state), self.now_ms)
        if self._told_over is not None:
            self._told_over(ended)
        for member in table.members:
            pass_time(member, self.now_ms)
            member.at_tables -= 1

    def _rate(self, match: Finished) -> None:
        """Rate a match, if it is rated, at once: also one of a block that is dissolved then."""
        scores = scores_after(match, [self._scores.get(bot) for bot in match.bots])
        self._scores.update(scores)
        for bot, score in scores.items():
            member = self._by_id[bot]
            member.rating = Rating(score.mu, score.sigma)
            member.rated_matches = score.matches
            note_rated(self.ledger, member, self.truth(member))

    def _strength(self, member: Member) -> float:
        """Return how strong a bot is now: it may have drifted since somebody looked."""
        passed = self.now_ms - member.strength_at_ms
        if self._plan.drift and passed:
            points = self._plan.drift * (passed / DAY_MS) ** 0.5
            member.strength = self._outcomes.drifted(member.strength, points, self._chance)
            member.strength_at_ms = self.now_ms
        return member.strength
