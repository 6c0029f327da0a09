"""What a format says: blocks to play, and those that are finished. Nouns only, but for `finished`.

A format looks at the entrants and at the finished blocks, and says which others may be in play now. Each
has a key that depends on nothing else, so whoever asks again gets the same plan (T84), and a block that
has been started under its key is not started again (T76).
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from shoal.competition.block import Progress, State


@final
@dataclass(frozen=True, slots=True, order=True)
class BlockKey:
    """Names a block of a competition: the round, the table in it, the block at that table; from 0."""

    round: int
    table: int
    block: int

    def __str__(self) -> str:
        return f"{self.round}.{self.table}.{self.block}"


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part.

    `owner` is empty for a bot that is nobody's: a baseline. `gone_from` is the first round that it does
    not play any more, None while it takes part; a round that was paired before must stay as it was.
    """

    bot_id: str
    owner: str = ""
    gone_from: int | None = None


ANY_NUMBER: Final = sys.maxsize
"""More blocks than there ever are."""


@final
@dataclass(frozen=True, slots=True)
class Departure:
    """From which round on a bot that leaves now is gone, so that what was decided or paired stays as it was.

    It holds while fewer than `below` blocks are over, as long as nothing else changes; None: only until
    another is over.
    """

    gone_from: int
    below: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Planned:
    """A block that may be in play now; `bots` is the table in the order of its rotation 0."""

    key: BlockKey
    bots: tuple[str, ...]
    ruleset: str
    rated: bool


@final
@dataclass(frozen=True, slots=True)
class Finished:
    """A block that is over.

    `matches` has the placements of each match that counts, in the order of the rotations, by position in
    `bots`: all of them if it is complete, as many made up ones if it was forfeited, none if it is void.
    """

    key: BlockKey
    bots: tuple[str, ...]
    state: State
    matches: tuple[tuple[int, ...], ...]

    @property
    def was_played(self) -> bool:
        """Whether it tells anything of strength: ratings and tie-breaks look at nothing else."""
        return self.state is State.COMPLETE


def finished(key: BlockKey, bots: Sequence[str], so_far: Progress) -> Finished:
    """Return the block that has come so far; raise ValueError while it is open.

    Who forfeits shares the last place of every match, and those who came share the first.
    """
    match so_far.state:
        case State.OPEN:
            raise ValueError(f"block {key} is still open")
        case State.COMPLETE:
            matches = tuple(so_far.placements[rotation] for rotation in range(len(bots)))
        case State.FORFEIT:
            last = len(bots) - len(so_far.absent) + 1
            matches = (tuple(last if bot in so_far.absent else 1 for bot in bots),) * len(bots)
        case State.VOID:
            matches = ()
    return Finished(key, tuple(bots), so_far.state, matches)


def may_be_rated(entrants: Sequence[Entrant]) -> bool:
    """Tell whether no two of a table have the same owner (T59); a bot that is nobody's fits all."""
    owners = [entrant.owner for entrant in entrants if entrant.owner]
    return len(owners) == len(set(owners))
