"""What is rated, and what a published table says. Nouns only."""

from dataclasses import dataclass
from typing import Final, final

WIN: Final = 1_000_000
"""So many make a win: parts of it without luck are whole numbers, which add up to this everywhere alike."""


@final
@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played: bots and placements by seat, 1 is the best, and equal seats share one.

    `ended_ms` is when it ended, in ms of wall time: rulings speak of times. `adjusted` are by seat the
    parts of the win without luck, in `WIN` (docs/luck.md); empty where they are not known.
    """

    match_id: str
    bots: tuple[str, ...]
    placements: tuple[int, ...]
    ended_ms: int = 0
    adjusted: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Block:
    """What counts of a block: matches of the same bots, each in another rotation of the seats.

    A whole one has as many as seats, and every bot sat in every seat once. One that was cut short has fewer;
    one of which the store had lost how far it was, and that was played on from there, may have more.
    """

    key: str
    matches: tuple[Match, ...]


class BadBlock(ValueError):
    """What is to be rated is no block, or was counted twice; the message names it."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, in displayed points: a whole number, as it is published.

    The truth is within `interval` of `rating` with a probability of 95 %: compared with the anchors of its
    group or, where it has none, with the average seat of it. It is 0 for a bot that is `anchored`: its
    rating is given. Two ratings can be compared if their `group` is the same. `blocks` are whole ones and
    such as were cut short. `wins` counts shared first places too. A rating is `provisional` while it may be
    off by a lot, or stands apart from the ladder.

    `adjusted_rating` and `adjusted_interval` are the same of results without luck, None where of no match
    of its group any is known; `adjusted_matches` is of how many matches of this bot luck was taken away.
    """

    rank: int
    bot_id: str
    rating: int
    interval: int
    blocks: int
    matches: int
    wins: int
    placement_sum: int
    group: int
    anchored: bool
    provisional: bool
    adjusted_rating: int | None = None
    adjusted_interval: int | None = None
    adjusted_matches: int = 0


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Bots that can be compared: joined by a chain of matches, or each with an anchor by one.

    Group 1 is the ladder: that of the anchors or, without any, the one in which most was played. What is
    rated in another group says nothing about the bots of this one. `is_anchored` tells that the scale is that
    of the anchors; otherwise 1500 is the average seat.
    """

    number: int
    bots: int
    matches: int
    is_anchored: bool


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A published table: best first within each group, the groups in their order.

    `dispersion` tells how much blocks of group 1 scatter, compared with what the model expects: 1 is as much.
    """

    rows: tuple[Row, ...] = ()
    groups: tuple[Group, ...] = ()
    blocks: int = 0
    matches: int = 0
    dispersion: float = 1.0
