"""What is counted while a simulation runs. Its size follows from the number of bots alone."""

from array import array
from dataclasses import dataclass, field
from typing import Final, final

from shoal.competition.block import Ending, State
from shoal.server.simulation.agenda import InPlay
from shoal.server.simulation.member import Member

CHECKPOINTS: Final = (4, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
"""After so many rated matches of a bot its rating is looked at."""


@final
@dataclass(frozen=True, slots=True)
class Belief:
    """What a rating said of a bot, and the truth then, both in units of mu."""

    mu: float
    sigma: float
    truth: float


@final
@dataclass(slots=True)
class Ledger:
    """The counts of a run of so many bots."""

    bots: int
    started_blocks: int = 0
    unrated_blocks: int = 0
    blocks: dict[State, int] = field(default_factory=lambda: dict.fromkeys(State, 0))
    """Blocks that are over, by how."""
    started_matches: int = 0
    matches: dict[Ending, int] = field(default_factory=lambda: dict.fromkeys(Ending, 0))
    """Matches that have ended, by how."""
    by_size: dict[int, int] = field(default_factory=dict)
    """Blocks that have started, by their table size."""
    seat_ms: float = 0.0
    """The time of all seats at tables that were left."""
    meetings: int = 0
    """How often somebody who had sat at a table before met somebody; each table has several."""
    repeats: int = 0
    """How many of them were with somebody from its last table."""
    repeats_by_chance: float = 0.0
    """How many that would be if company were drawn from all who are here."""
    newcomer_wait_ms: float = 0.0
    """The longest time from coming to the first table, whether or not one could have been made.

    Who has not been seated when it goes, or at the end, has waited until then.
    """
    beliefs: dict[int, list[Belief]] = field(default_factory=dict)
    """Ratings after so many rated matches, once for each bot."""
    met: "array[int]" = field(init=False)
    """How often each bot has met each other: a square, row after row."""

    def __post_init__(self) -> None:
        self.met = array("L", bytes(array("L").itemsize * self.bots * self.bots))

    @property
    def over(self) -> int:
        """How many blocks are over."""
        return sum(self.blocks.values())


def note_start(ledger: Ledger, block: InPlay, present: int) -> None:
    """Count a block that starts, before its bots have it among their tables."""
    size = len(block.members)
    ledger.started_blocks += 1
    ledger.unrated_blocks += not block.block.rated
    ledger.by_size[size] = ledger.by_size.get(size, 0) + 1
    for member in block.members:
        note_wait(ledger, member, block.began_ms)
        before = member.last_opponents
        for other in block.members:
            if other is not member:
                ledger.met[member.number * ledger.bots + other.number] += 1
                if before is not None:
                    ledger.meetings += 1
                    ledger.repeats += other.profile.bot_id in before
                    ledger.repeats_by_chance += min(1.0, len(before) / max(1, present - 1))


def note_wait(ledger: Ledger, member: Member, now_ms: float) -> None:
    """Count how long a bot that is here and has never been seated has waited; before it is, or is gone."""
    if member.is_here and not member.has_been_seated:
        ledger.newcomer_wait_ms = max(ledger.newcomer_wait_ms, now_ms - member.came_ms)


def note_over(ledger: Ledger, block: InPlay, state: State, now_ms: float) -> None:
    """Count a block that is over."""
    ledger.blocks[state] += 1
    ledger.seat_ms += (now_ms - block.began_ms) * len(block.members)


def note_rated(ledger: Ledger, member: Member, truth: float) -> None:
    """Look at a rating if the bot has just come to one of the checkpoints with its latest match."""
    if member.rated_matches in CHECKPOINTS:
        belief = Belief(member.rating.mu, member.rating.sigma, truth)
        ledger.beliefs.setdefault(member.rated_matches, []).append(belief)
