"""How bots with equal scores are told apart, by the rules of chess.

Scores are in points, of which a meeting gives as many as it has matches. What was not played (a bye, a
forfeit, a void block, a round missed) cannot be taken as a result against somebody, so, as in the FIDE
handbook from 2017 (C.02, article 13):

- for the **bot** itself its opponent of that round is a virtual one, who had as many points before the
  round, what the bot left over in it, and draws in all rounds after it;
- as an **opponent** of others, a bot is taken to have drawn what it did not play.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from itertools import groupby
from typing import Final, TypeAlias, final

from shoal.competition.meetings import Meeting, Meetings


@unique
class Tiebreak(Enum):
    """The tie-breaks by the name that people read; more is better in all of them."""

    BUCHHOLZ = "Buchholz"
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


@final
@dataclass(frozen=True, slots=True)
class Season:
    """The meetings of each bot, and the scores of its opponents, real and virtual, in their order."""

    meetings: Meetings
    opponents: Mapping[str, Sequence[float]]


Rule: TypeAlias = Callable[[Season, Collection[str]], Mapping[str, float]]
"""Takes all that happened, and those who are tied with each other; returns the value of each of these."""


def season(meetings: Meetings) -> Season:
    """Return the meetings with the scores of the opponents.

    The score of each bot is worked out once: of hundreds who have all met, most of the time would go into it.
    """
    scores = {bot: as_opponent(all_of_one) for bot, all_of_one in meetings.items()}
    return Season(
        meetings,
        {
            bot: [
                scores[each.opponent] if each.was_played and each.opponent is not None else virtual
                for each, virtual in zip(all_of_one, virtual_opponents(all_of_one), strict=True)
            ]
            for bot, all_of_one in meetings.items()
        },
    )


def buchholz(played: Season, tied: Collection[str]) -> Mapping[str, float]:
    """Return the sums of the opponents' scores."""
    return {bot: sum(played.opponents[bot]) for bot in tied}


def buchholz_cut_1(played: Season, tied: Collection[str]) -> Mapping[str, float]:
    """Return Buchholz without the worst opponent."""
    return {bot: sum(sorted(played.opponents[bot])[1:]) for bot in tied}


def sonneborn_berger(played: Season, tied: Collection[str]) -> Mapping[str, float]:
    """Return the opponents' scores, each times the part of the points that was taken off them."""
    return {
        bot: sum(
            each.points / each.possible * score
            for each, score in zip(played.meetings[bot], played.opponents[bot], strict=True)
        )
        for bot in tied
    }


def direct_encounter(played: Season, tied: Collection[str]) -> Mapping[str, float]:
    """Return the points against those it is tied with, 0 unless they have all met each other."""
    among = set(tied)
    values = dict.fromkeys(tied, 0.0)
    for bot in tied:
        met = [each for each in played.meetings[bot] if each.was_played and each.opponent in among]
        if len({each.opponent for each in met}) < len(among) - 1:
            return dict.fromkeys(tied, 0.0)
        values[bot] = sum(each.points for each in met)
    return values


def wins(played: Season, tied: Collection[str]) -> Mapping[str, float]:
    """Return how many meetings each has won over the board."""
    return {bot: float(sum(each.was_won for each in played.meetings[bot])) for bot in tied}


RULES: Final[Mapping[Tiebreak, Rule]] = {
    Tiebreak.BUCHHOLZ: buchholz,
    Tiebreak.BUCHHOLZ_CUT_1: buchholz_cut_1,
    Tiebreak.SONNEBORN_BERGER: sonneborn_berger,
    Tiebreak.DIRECT_ENCOUNTER: direct_encounter,
    Tiebreak.WINS: wins,
}


def virtual_opponents(all_of_one: Collection[Meeting]) -> list[float]:
    """Return the score of who takes the place of an opponent not met, for each meeting of a bot, by round."""
    scores: list[float] = []
    before, after = 0.0, sum(each.possible for each in all_of_one)
    for _, some in groupby(all_of_one, key=lambda each: each.round):
        of_round = list(some)
        after -= sum(each.possible for each in of_round)
        scores.extend(before + (each.possible - each.points) + after / 2 for each in of_round)
        before += sum(each.points for each in of_round)
    return scores


def as_opponent(all_of_one: Collection[Meeting]) -> float:
    """Return the score of a bot as it counts for those who met it."""
    return sum(each.points if each.was_played else each.possible / 2 for each in all_of_one)
