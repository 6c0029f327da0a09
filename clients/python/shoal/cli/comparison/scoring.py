"""What a match is worth to each seat: what was won, and in two seats that without what the cards brought."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple, TypeAlias, final

from shoal.competition.score import match_points
from shoal.engine import Event, Result, Ruleset
from shoal.luck import NEWEST, luck_of, uses_of

PLAIN: Final = "plain"
ADJUSTED: Final = NEWEST
"""Scores are named by what they are adjusted with: other numbers would make other scores."""

ADJUSTED_SEATS: Final = 2
"""Luck is in parts of the win. In two seats that is the score; in more a second place counts, too."""


@final
@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: all that can be asked of it.

    `events` are those of the deal, and then of each move, secrets included. `result` is None where the match
    was broken off, because nobody ended a round any more.
    """

    rules: Ruleset
    seats: int
    deal: bytes
    events: Sequence[Sequence[Event]]
    result: Result | None


@final
class Scores(NamedTuple):
    """What was won, and what of it was luck, by seat of a match or position of a table; `()` if not known."""

    plain: Sequence[float]
    luck: Sequence[float] = ()


Score: TypeAlias = Callable[[Played], Scores]
"""Gives each seat its part of the possible points, of mean ½ over the seats, and its luck, of mean 0."""


def scored(match: Played) -> Scores:
    """Return what was won, and in two seats what of it was luck."""
    return Scores(plain(match), luck(match) if match.seats == ADJUSTED_SEATS else ())


def plain(match: Played) -> Sequence[float]:
    """Return the part of the opponents that each seat left behind, half of one that tied; of two, the win.

    A match that was broken off is tied.
    """
    if match.result is None:
        return [0.5] * match.seats
    return [points / (match.seats - 1) for points in match_points(match.result.ranks)]


def luck(match: Played) -> Sequence[float]:
    """Return the part of the win that chance brought to each seat: less it, plain scores are adjusted.

    Also of a match that was broken off. Its luck has mean zero over all matches, and over those alone that
    have come to an end it need not.
    """
    return luck_of(
        uses_of(match.rules, match.seats, chain.from_iterable(match.events)), match.seats
    )
