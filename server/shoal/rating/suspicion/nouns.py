"""What is asked of the blocks of a ladder, and what is found. Nouns only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

HOUR_MS: Final = 3_600_000


@unique
class Kind(Enum):
    """What a question is about. Each kind has its own share of the rate of false findings."""

    TRANSFER = "transfer"
    """Does a bot do better at tables of three or four when a certain other one sits there?"""

    OWNERS = "owners"
    """The same of all bots of two owners together, where one of them has several."""

    BOT_PERIOD = "bot_period"
    """Did a bot do better or worse in a period than else?"""

    PERIOD = "period"
    """Did strength count for more or less in a period than else, with all who played?"""

    OPPONENT = "opponent"
    """Does a bot do better or worse against a certain other one?"""

    RULESET = "ruleset"
    """Does a bot do better or worse in a ruleset?"""

    SEATS = "seats"
    """Does a bot do better or worse at tables of a size?"""


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """What is known beside the blocks, each with a default for who is not in it.

    `bots` are the bots by the names that they have in the blocks, where each release has a strength of its
    own: by default the name itself. `owners` are by bot; who has none is its own. `rulesets` are by block.
    """

    bots: Mapping[str, str] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    rulesets: Mapping[str, str] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """Something that no strength explains.

    `subject` did better, or worse, than its strength says by about so many displayed `points`: a bot, or an
    owner, or nobody for `Kind.PERIOD`, where `points` are of two that are 400 apart. `other` sat there too.
    `surplus` are the pairs that it won beyond expectation, a tie being half of one, and `from_other` those of
    them that it won against `other`. `z` is the surplus in standard deviations, by blocks, with all that is
    taken off for caution. `chance` is how often at least so much comes by luck, and `false_share` the part of
    false ones among all findings of this kind up to this one. `from_ms` and `until_ms` are of the period or,
    for the other kinds, of the blocks: the first moment, and the first after it.
    """

    kind: Kind
    subject: str
    other: str
    ruleset: str
    seats: int
    from_ms: int
    until_ms: int
    blocks: int
    points: float
    surplus: float
    from_other: float
    z: float
    chance: float
    false_share: float


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """How much was asked of a kind: false findings are kept to the part `rate` of the findings.

    `dispersion` is how far blocks scatter compared with the model, and `spread` by how much surpluses scatter
    more than their blocks say, with all who were asked about: 1 if strengths explain what is usual here.
    """

    kind: Kind
    questions: int
    rate: float
    dispersion: float
    spread: float


@final
@dataclass(frozen=True, slots=True)
class Report:
    """What was asked, and what was found: the surest first within each kind."""

    blocks: int = 0
    asked: tuple[Asked, ...] = ()
    findings: tuple[Finding, ...] = ()
