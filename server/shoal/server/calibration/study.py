"""What a study of the ratings plays: which ladders, how many, and where outcomes come from. Nouns only."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from shoal.rating import Block, Table
from shoal.server.simulation.plan import Source

KINDS: Final = ((2,), (4,), (2, 3, 4))
"""The table sizes of the ladders that are studied."""

PARTS: Final = (4, 2, 1)
"""Ratings are looked at after a fourth of the blocks, after half of them, and at the end."""


@unique
class Pairing(Enum):
    """Who makes the tables."""

    LADDER = "ladder"
    """The scheduler of the ladders, which looks for matches that tell much."""

    RANDOM = "random"
    """Lots."""


@final
@dataclass(frozen=True, slots=True)
class Study:
    """So many ladders of each kind and pairing, of so many bots, until each bot has had so many blocks.

    `kinds` are the table sizes of each kind of ladder.
    `real_matches` is how many matches of the engine are played for each table size, for `Source.ENGINE`.
    The cost is measured with so many `rated_bots` and `rated_blocks`; with 0 blocks it is not.
    """

    kinds: tuple[tuple[int, ...], ...] = KINDS
    ladders: int = 40
    bots: int = 20
    blocks: int = 20
    outcomes: Source = Source.MODEL
    real_matches: int = 1000
    seed: int = 1
    rated_bots: int = 500
    rated_blocks: int = 100_000


@final
@dataclass(frozen=True, slots=True)
class Sample:
    """A ladder that was played: its blocks in the order of their ends, and the truth in displayed points."""

    blocks: tuple[Block, ...]
    truth: dict[str, float]


@final
@dataclass(frozen=True, slots=True)
class Judged:
    """The table that was made of a part of a ladder, and the truth in displayed points."""

    table: Table
    truth: dict[str, float]
