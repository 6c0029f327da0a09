"""One round of a Swiss tournament: who meets whom, and what stood in the way of others.

From the best score downwards, bots with equal scores are paired with each other: the upper half with the
lower half, the first with the first of it. Who cannot be paired so goes down to the next score, where it
is paired first, with the best that it may meet. Nobody meets twice, and bots of one owner do not meet,
as long as there is any such pairing of the whole round; each pair is only made if the rest can still be
paired. So there always is a pairing, and it is always the same one.

Where rematches are needed, one is only made if the rest then needs one less. So a round has no more than it
needs, unless somebody would have to meet a third time for that.

The bye goes to the lowest of those who have had the fewest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from itertools import groupby
from typing import TypeAlias, final

from shoal.competition.matching import matching, number_of_pairs


@final
@dataclass(frozen=True, slots=True)
class Player:
    """A bot before a round. `byes` are rounds that it got for nothing; `met` counts its opponents.

    It floated `down` or `up` if its last opponent had a lower or a higher score; a bye is a float down.
    """

    bot_id: str
    score: float
    owner: str = ""
    byes: int = 0
    met: Mapping[str, int] | None = None
    floated_down: bool = False
    floated_up: bool = False


@unique
class Obstacle(Enum):
    """Why one who would have come first was passed over as an opponent."""

    MET = "they have met"
    OWNER = "they have the same owner"
    STRANDS = "somebody else would be left without an opponent, or with one of another score"


@final
@dataclass(frozen=True, slots=True)
class Passed:
    """An opponent that would have come first, and why it was passed over."""

    bot_id: str
    obstacle: Obstacle


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """Two who meet. `group` is the score with which the first was paired, which is that of the other."""

    first: Player
    second: Player
    group: float
    passed: tuple[Passed, ...]

    @property
    def times_met(self) -> int:
        """How often they have met before: more than 0 only where nothing else was possible."""
        return _times_met(self.first, self.second)


@final
@dataclass(frozen=True, slots=True)
class RoundPairing:
    """Who meets whom, from the best score downwards, and who has a bye.

    `no_bye` are those below the bye who had it already, or without whom the rest could not be paired.
    `allowed` is what every round before could do without: 0 nothing, 1 that bots of one owner meet, 2 that
    two meet a second time, 3 both, and so on.
    """

    pairs: tuple[Pair, ...]
    bye: Player | None = None
    no_bye: tuple[Player, ...] = ()
    allowed: int = 0


def pair_round(players: Sequence[Player]) -> RoundPairing:
    """Return the pairing of a round; players are in the order of their ranks, the best score first."""
    desk, bye = _desk(players)
    below = [place for place in range(len(players)) if place != bye]
    floaters: list[int] = []
    pairs: list[Pair] = []
    for score, places in groupby(list(below), key=lambda place: players[place].score):
        group = list(places)
        below = below[len(group) :]
        made, floaters = _pair_group(desk, floaters, group, below)
        pairs.extend(Pair(players[a], players[b], score, passed) for a, b, passed in made)
    return RoundPairing(
        pairs=tuple(pairs),
        bye=None if bye is None else players[bye],
        no_bye=() if bye is None else tuple(players[bye + 1 :]),
        allowed=desk.allowed,
    )


@dataclass(frozen=True, slots=True)
class _Desk:
    """The players by rank, what is allowed in this round, and as bits whom each may meet by that.

    Where rematches are allowed, `fresh` has whom each may meet without the worst of them: else the same.
    """

    players: Sequence[Player]
    allowed: int
    may_meet: Sequence[int]
    fresh: Sequence[int]

    def can_all_be_paired(self, places: Sequence[int]) -> bool:
        return len(matching(places, self.may_meet)) == len(places)

    @property
    def has_rematches(self) -> bool:
        return self.allowed > 1

    def fresh_pairs(self, places: Sequence[int]) -> int:
        """Return how many pairs there can be without the worst rematches."""
        return number_of_pairs(places, self.fresh)


def _times_met(one: Player, other: Player) -> int:
    return one.met.get(other.bot_id, 0) if one.met else 0


def _obstacle(one: Player, other: Player) -> int:
    """Return how bad it is that these two meet, as `RoundPairing.allowed` counts."""
    return 2 * _times_met(one, other) + (one.owner == other.owner != "")


def _graph(players: Sequence[Player], allowed: int) -> list[int]:
    may_meet = [0] * len(players)
    for place, one in enumerate(players):
        for other in range(place):
            if _obstacle(one, players[other]) <= allowed:
                may_meet[place] |= 1 << other
                may_meet[other] |= 1 << place
    return may_meet


def _desk(players: Sequence[Player]) -> tuple[_Desk, int | None]:
    """Return the desk with the least that must be allowed so that all can be paired, and who has the bye."""
    allowed = 0
    while True:
        may_meet = _graph(players, allowed)
        fresh = _graph(players, allowed // 2 * 2 - 1) if allowed > 1 else may_meet
        desk = _Desk(players, allowed, may_meet, fresh)
        if len(players) % 2 == 0:
            if desk.can_all_be_paired(range(len(players))):
                return desk, None
        elif (bye := _bye(desk)) is not None:
            return desk, bye
        allowed += 1


def _bye(desk: _Desk) -> int | None:
    """Return the lowest of those with the fewest byes without whom the others can be paired best."""
    everybody = range(len(desk.players))
    fewest = min(player.byes for player in desk.players)
    best: tuple[int, int] | None = None
    for bye in reversed(everybody):
        rest = [place for place in everybody if place != bye]
        if desk.players[bye].byes != fewest or not desk.can_all_be_paired(rest):
            continue
        if not desk.has_rematches:
            return bye
        if best is None or desk.fresh_pairs(rest) > best[0]:
            best = (desk.fresh_pairs(rest), bye)
    return None if best is None else best[1]


_Made: TypeAlias = tuple[int, int, tuple[Passed, ...]]


def _pair_group(
    desk: _Desk, floaters: Sequence[int], group: Sequence[int], below: Sequence[int]
) -> tuple[list[_Made], list[int]]:
    """Pair those of one score and those who come from above; return the pairs, and who goes down."""
    down = _chosen_to_float(desk, floaters, group, below)
    rest = [place for place in (*floaters, *group) if place not in down]
    made: list[_Made] = []
    while rest:
        first, others = rest[0], rest[1:]
        preferred = _preferred(desk, first, floaters, others)
        found = _opponent(desk, first, preferred, others, [*down, *below])
        if found is None or (below and not found[2]):
            down.append(first)
            rest = others
        else:
            other, passed, _ = found
            made.append((first, other, passed))
            rest = [place for place in others if place != other]
    return made, sorted(down)


def _opponent(
    desk: _Desk,
    first: int,
    preferred: Iterator[int],
    others: Sequence[int],
    later: Sequence[int],
) -> tuple[int, tuple[Passed, ...], bool] | None:
    """Return whom the first one meets, who was passed over for that, and whether all is well with it.

    All is well if of its score, and of all, as many pairs without a rematch are possible as before. Otherwise
    it is the first with whom all can be paired at all; None if there is nobody.
    """
    of_score = desk.fresh_pairs([first, *others])
    of_all = desk.fresh_pairs([first, *others, *later])
    passed: list[Passed] = []
    stopgap: tuple[int, tuple[Passed, ...], bool] | None = None
    for other in preferred:
        if not desk.may_meet[first] >> other & 1:
            passed.append(_met(desk.players[first], desk.players[other]))
            continue
        left = [place for place in others if place != other]
        is_fresh = desk.fresh[first] >> other & 1
        if desk.can_all_be_paired([*left, *later]):
            if desk.fresh_pairs(left) == of_score - is_fresh and (
                not desk.has_rematches or desk.fresh_pairs([*left, *later]) == of_all - is_fresh
            ):
                return other, tuple(passed), True
            stopgap = stopgap or (other, tuple(passed), False)
        if is_fresh:
            passed.append(Passed(desk.players[other].bot_id, Obstacle.STRANDS))
        else:
            passed.append(_met(desk.players[first], desk.players[other]))
    return stopgap


def _met(one: Player, other: Player) -> Passed:
    return Passed(other.bot_id, Obstacle.MET if _times_met(one, other) else Obstacle.OWNER)


def _chosen_to_float(
    desk: _Desk, floaters: Sequence[int], group: Sequence[int], below: Sequence[int]
) -> list[int]:
    """Of an odd number one must go down: the lowest that did not last time and without whom all is well."""
    everybody = [*floaters, *group]
    if len(everybody) % 2 == 0 or not below:
        return []
    of_all = desk.fresh_pairs([*everybody, *below])
    lowest_first = sorted(group, key=lambda place: (desk.players[place].floated_down, -place))
    for place in lowest_first:
        rest = [other for other in everybody if other != place]
        if 2 * desk.fresh_pairs(rest) != len(rest) or not desk.can_all_be_paired([place, *below]):
            continue
        if not desk.has_rematches or desk.fresh_pairs([place, *below]) == of_all - len(rest) // 2:
            return [place]
    return []


def _preferred(
    desk: _Desk, first: int, floaters: Sequence[int], others: Sequence[int]
) -> Iterator[int]:
    """Return the opponents in the order in which they are tried; what is better avoided comes last."""

    def badness(other: int) -> int:
        obstacle = _obstacle(desk.players[first], desk.players[other])
        return obstacle if obstacle <= desk.allowed else 0

    by_rank = _by_rank(desk, first, floaters, others)
    return iter(sorted(by_rank, key=badness)) if desk.allowed else by_rank


def _by_rank(
    desk: _Desk, first: int, floaters: Sequence[int], others: Sequence[int]
) -> Iterator[int]:
    residents = [place for place in others if place not in floaters]
    if first in floaters:
        yield from sorted(residents, key=lambda place: desk.players[place].floated_up)
        yield from (place for place in others if place in floaters)
        return
    half = (len(residents) + 1) // 2 - 1
    yield from residents[half:]
    yield from reversed(residents[:half])
