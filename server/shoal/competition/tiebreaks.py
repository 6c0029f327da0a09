"""How bots with equal scores are told apart, by the rules of chess.

Scores are in points, of which a meeting gives as many as it has matches. What was not played (a bye, a
forfeit, a void block, a round missed) cannot be taken as a result against somebody, so, as in the FIDE
handbook from 2017 (C.02, article 13):

- for the **bot** itself its opponent of that round is a virtual one, who had as many points before the
  round, what the bot left over in it, and draws in all rounds after it;
- as an **opponent** of others, a bot is taken to have drawn what it did not play.
"""

from collections.abc import Callable, Collection, Mapping
from enum import Enum, unique
from typing import Final, TypeAlias

from shoal.competition.meetings import Meeting, Meetings


@unique
class Tiebreak(Enum):
    """The tie-breaks by the name that people read; more is better in all of them."""

    BUCHHOLZ = "Buchholz"
    MEDIAN_BUCHHOLZ = "median Buchholz"
    BUCHHOLZ_CUT_1 = "Buchholz cut 1"
    SONNEBORN_BERGER = "Sonneborn-Berger"
    DIRECT_ENCOUNTER = "direct encounter"
    WINS = "wins"


SWISS_ORDER: Final = (
    Tiebreak.BUCHHOLZ_CUT_1,
    Tiebreak.BUCHHOLZ,
    Tiebreak.SONNEBORN_BERGER,
    Tiebreak.DIRECT_ENCOUNTER,
    Tiebreak.WINS,
)
"""Where the strength of opponents differs, it comes first."""

ROBIN_ORDER: Final = (Tiebreak.DIRECT_ENCOUNTER, Tiebreak.SONNEBORN_BERGER, Tiebreak.WINS)
"""Where everybody meets everybody, Buchholz says nothing."""

Rule: TypeAlias = Callable[[Meetings, str, Collection[str]], float]
"""Takes the meetings of all, a bot, and those who are tied with it (itself among them)."""


def buchholz(meetings: Meetings, bot: str, _tied: Collection[str]) -> float:
    """Return the sum of the opponents' scores."""
    return sum(_opponents(meetings, bot))


def median_buchholz(meetings: Meetings, bot: str, _tied: Collection[str]) -> float:
    """Return Buchholz without the best and the worst opponent; 0 where there are fewer than three."""
    return sum(sorted(_opponents(meetings, bot))[1:-1])


def buchholz_cut_1(meetings: Meetings, bot: str, _tied: Collection[str]) -> float:
    """Return Buchholz without the worst opponent."""
    return sum(sorted(_opponents(meetings, bot))[1:])


def sonneborn_berger(meetings: Meetings, bot: str, _tied: Collection[str]) -> float:
    """Return the opponents' scores, each times the part of the points that was taken off them."""
    parts = (each.points / each.possible for each in meetings[bot])
    return sum(part * score for part, score in zip(parts, _opponents(meetings, bot), strict=True))


def direct_encounter(meetings: Meetings, bot: str, tied: Collection[str]) -> float:
    """Return the points against those it is tied with, 0 unless they have all met each other."""
    for one in tied:
        met = {each.opponent for each in meetings[one] if each.was_played}
        if not met.issuperset(other for other in tied if other != one):
            return 0.0
    return sum(each.points for each in meetings[bot] if each.was_played and each.opponent in tied)


def wins(meetings: Meetings, bot: str, _tied: Collection[str]) -> float:
    """Return how many meetings it has won over the board."""
    return float(sum(each.was_won for each in meetings[bot]))


RULES: Final[Mapping[Tiebreak, Rule]] = {
    Tiebreak.BUCHHOLZ: buchholz,
    Tiebreak.MEDIAN_BUCHHOLZ: median_buchholz,
    Tiebreak.BUCHHOLZ_CUT_1: buchholz_cut_1,
    Tiebreak.SONNEBORN_BERGER: sonneborn_berger,
    Tiebreak.DIRECT_ENCOUNTER: direct_encounter,
    Tiebreak.WINS: wins,
}


def virtual_opponent(all_of_one: Collection[Meeting], unplayed: Meeting) -> float:
    """Return the score of who takes the place of an opponent in a round that was not played."""
    before = sum(each.points for each in all_of_one if each.round < unplayed.round)
    after = sum(each.possible for each in all_of_one if each.round > unplayed.round)
    return before + (unplayed.possible - unplayed.points) + after / 2


def as_opponent(all_of_one: Collection[Meeting]) -> float:
    """Return the score of a bot as it counts for those who met it."""
    return sum(each.points if each.was_played else each.possible / 2 for each in all_of_one)


def _opponents(meetings: Meetings, bot: str) -> list[float]:
    """Return the scores of the opponents, real and virtual, in the order of the meetings."""
    return [
        as_opponent(meetings[each.opponent])
        if each.was_played and each.opponent is not None
        else virtual_opponent(meetings[bot], each)
        for each in meetings[bot]
    ]
