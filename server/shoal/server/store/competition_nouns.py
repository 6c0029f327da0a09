"""What is stored of competitions, as data. Specifications and entrants are those of the pure half."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique

from shoal.competition.block import Attempt
from shoal.competition.plan import Entrant
from shoal.competition.rulings import Rulings
from shoal.competition.specification import Ladder, Specification


@unique
class State(Enum):
    """How far a competition is."""

    OPEN = "open"
    """It has not begun; who may enter can."""

    RUNNING = "running"
    PAUSED = "paused"
    """What is in play ends, and nothing new begins."""

    DRAINING = "draining"
    """Blocks in play are played to their end, no new ones begin, then it is finished if it is said why it is
    over, else paused."""

    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Competition:
    """A competition without what belongs to it. Times are wall time in ms, None if there is none yet."""

    competition_id: str
    specification: Specification
    state: State
    rev: int
    """Grows with every change that what is due depends on: entrants, state, finished blocks."""

    entered: int
    """How many have ever entered: the number of the next one."""

    rated: int
    """How many rated matches have been counted."""

    created_ms: int
    started_ms: int | None
    ended: str
    """Why it is over, or about to be; empty before."""

    rulings: Rulings = field(default_factory=Rulings)
    recounted: int = 0
    """The number of the rulings by which scores were last computed again."""

    forced: str = ""
    """The key of the block that is to begin next, in play without a match; empty if there is none."""

    @property
    def is_ladder(self) -> bool:
        """Whether it makes its tables of whoever is there."""
        return isinstance(self.specification.format, Ladder)

    @property
    def is_ending(self) -> bool:
        """Whether it is over, or will be when what is in play is."""
        return self.state is State.FINISHED or (self.state is State.DRAINING and self.ended != "")

    @property
    def is_recounting(self) -> bool:
        """Whether its scores are still those by earlier rulings."""
        return self.recounted != self.rulings.number


@dataclass(frozen=True, slots=True)
class Score:
    """What the rated matches of a bot have come to; `blocks` are those that were played to their end."""

    mu: float
    sigma: float
    matches: int
    wins: int
    placement_sum: int
    blocks: int = 0


@dataclass(frozen=True, slots=True)
class Try:
    """A match of a block that has ended."""

    match_id: str
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Block:
    """A block that has begun: its table in the order of rotation 0, what has ended, and what is in play.

    `match_id` is the reserved id of the match in play, of rotation `rotation`; empty while it waits for its
    bots. `why` says in words why there is this table, where no plan says so, `numbers` in numbers.
    """

    key: str
    bots: tuple[str, ...]
    ruleset: str
    rated: bool
    tries: tuple[Try, ...] = ()
    match_id: str = ""
    rotation: int = 0
    why: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ended:
    """A block that is over: how, and the placements of each match that counts (see `plan.Finished`)."""

    block: Block
    state: str
    matches: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Roster:
    """The entrants in seeded order, and the scores of all who ever played, both by bot."""

    entrants: Mapping[str, Entrant]
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the audit list: when (wall time in ms), who, what it did, with what, and why."""

    at_ms: int
    who: str
    action: str
    detail: str = ""
    why: str = ""
