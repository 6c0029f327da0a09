"""What a match is worth to each seat: the door for scores that are adjusted for luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, final

from shoal.competition.score import match_points
from shoal.engine import Event, Result, Ruleset


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


class Score(Protocol):
    """Gives each seat its part of the possible points, or an unbiased estimate, which may be beyond 1."""

    def __call__(self, match: Played) -> Sequence[float]:
        """Return the scores by seat; their mean over the seats is ½."""


def plain(match: Played) -> Sequence[float]:
    """Return the part of the opponents that each seat left behind, half of one that tied; of two, the win.

    A match that was broken off is tied.
    """
    if match.result is None:
        return [0.5] * match.seats
    return [points / (match.seats - 1) for points in match_points(match.result.ranks)]
