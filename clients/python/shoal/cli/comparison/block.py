"""Playing a block: A's matches and B's at the same table, or those of A and B against each other.

All matches of a block have the same deals, and the bots' dice are thrown the same for a seat: what happens
before A and B decide differently is the same for both, and so is much of their luck, which cancels out.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.row import Row
from shoal.cli.comparison.scoring import Played, Score, Scores
from shoal.cli.comparison.seat import Seat
from shoal.client import Bot, pb
from shoal.client.bots import BASELINES
from shoal.competition.block import seating
from shoal.engine import Ruleset, apply, new_match, opening_events
from shoal.match.step import LONGEST_LOG
from shoal.sequential import BlockScore

A: Final = "A"
B: Final = "B"
FIELD: Final = "the field"

LONGEST: Final = LONGEST_LOG
"""A match that is not over after so many decisions never is: its bots end no round. A server voids it."""


@final
class BlockPlayed(NamedTuple):
    """A block that was played, and the first words of each side's bots about a failure."""

    row: Row
    said: dict[str, str]


@final
@dataclass(slots=True)
class _Failures:
    """How often each side's bots failed, and the first words of each."""

    counts: Counter[str] = field(default_factory=Counter)
    said: dict[str, str] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits down: a side, its SPEC, and the bot, which plays all matches here; None for a baseline."""

    side: str
    spec: str
    bot: Bot | None

    def sitter(self, dice: str) -> Bot:
        """Return the bot for one match; a baseline is made anew, so that its dice follow from the seed."""
        return self.bot if self.bot is not None else BASELINES[self.spec](seed=dice)  # type: ignore[call-arg]


@final
class Tables:
    """Plays the blocks of a plan, one after another, in any order."""

    def __init__(
        self,
        plan: Plan,
        rules: Ruleset,
        chairs: Sequence[Chair],
        score: Score,
        runner: asyncio.Runner,
    ) -> None:
        """Take the chairs of A, B and the field, in this order."""
        self._plan = plan
        self._rules = rules
        self._a, self._b, *self._field = chairs
        self._score = score
        self._runner = runner

    def play(self, block: int) -> BlockPlayed:
        """Play a block."""
        failures = _Failures()
        if not self._plan.field:
            scores = self._rotations(block, (self._a, self._b), failures)
            score, luck = BlockScore(*scores.plain), scores.luck
        else:
            others = [self._field[place] for place in self._plan.opponents(block)]
            a = self._rotations(block, (self._a, *others), failures)
            b = self._rotations(block, (self._b, *others), failures, first=self._plan.seats)
            score, luck = BlockScore(a.plain[0], b.plain[0]), (*a.luck[:1], *b.luck[:1])
        row = Row(block, score, BlockScore(*luck) if luck else None, failures.counts)
        return BlockPlayed(row, failures.said)

    def _rotations(
        self, block: int, table: Sequence[Chair], failures: _Failures, first: int = 0
    ) -> Scores:
        """Play a table in every rotation, numbered from `first`; return the mean scores by position in it."""
        size = len(table)
        sums = [0.0] * size
        luck: list[float] = []
        for rotation in range(size):
            order = [int(each) for each in seating([str(n) for n in range(size)], rotation)]
            chairs = [table[position] for position in order]
            scores = self._match(block, chairs, f"local-{block}-{first + rotation}", failures)
            for position, score in zip(order, scores.plain, strict=True):
                sums[position] += score / size
            luck = luck or [0.0] * len(scores.luck)
            for position, score in zip(order[: len(luck)], scores.luck, strict=True):
                luck[position] += score / size
        return Scores(sums, luck)

    def _match(self, block: int, chairs: Sequence[Chair], name: str, failures: _Failures) -> Scores:
        deal = self._plan.deal(block)
        dice = f"{self._plan.seed} {block}"
        # Bots that throw the dice of the module, as many do, throw the same again; the process is theirs.
        random.seed(dice)
        sitting = [
            pb.Seat(seat=seat, bot_id=f"local-{seat}", bot_name=_name(chair))
            for seat, chair in enumerate(chairs)
        ]
        seats = []
        for seat, chair in enumerate(chairs):
            match = pb.Match(
                match_id=name,
                status=pb.MATCH_STATUS_LIVE,
                ruleset=self._rules.name,
                ruleset_version=self._rules.version,
                seats=sitting,
            )
            seats.append(Seat(chair.sitter(f"{dice} {seat}"), match, seat, self._runner))
        state = new_match(self._rules, len(seats), deal)
        events = [opening_events(state)]
        for each in seats:
            each.hear(events[0])
        while (asked := state.asked) is not None and len(events) <= LONGEST:
            happened = apply(state, seats[asked.seat].choose(state, asked))
            events.append(happened)
            for each in seats:
                each.hear(happened)
        for each, chair in zip(seats, chairs, strict=True):
            if state.result is not None:
                each.end(state.result)
            else:
                each.faults.append(f"a match was broken off after {LONGEST} decisions, and is tied")
            if each.faults:
                failures.counts[chair.side] += len(each.faults)
                failures.said.setdefault(chair.side, f"{chair.spec}: {each.faults[0]}")
        return self._score(Played(self._rules, len(seats), deal, events, state.result))


def _name(chair: Chair) -> str:
    """Return what others at the table are told; not which side it is."""
    return (chair.bot.name or type(chair.bot).__name__) if chair.bot is not None else chair.spec
