"""One round of a Swiss tournament: who meets whom, and what stood in the way of others.

From the best score downwards, bots with equal scores are paired with each other: the upper half with the
lower half, the first with the first of it. Who cannot be paired so goes down to the next score, where it
is paired first, with the best that it may meet. Nobody meets twice, and bots of one owner do not meet,
as long as there is any such pairing of the whole round; each pair is only made if the rest can still be
paired. So there always is a pairing, and it is always the same one.

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
    allowed, bye = _allowance(players)
    desk = _Desk(players, allowed, _graph(players, allowed))
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
        allowed=allowed,
    )


@dataclass(frozen=True, slots=True)
class _Desk:
    """The players by rank, what is allowed in this round, and as bits whom each may meet by that."""

    players: Sequence[Player]
    allowed: int
    may_meet: Sequence[int]

    def can_all_be_paired(self, places: Sequence[int]) -> bool:
        return len(matching(places, self.may_meet)) == len(places)


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


def _allowance(players: Sequence[Player]) -> tuple[int, int | None]:
    """Return the least that must be allowed so that all can be paired, and the place of the bye."""
    everybody = range(len(players))
    allowed = 0
    while True:
        desk = _Desk(players, allowed, _graph(players, allowed))
        if len(players) % 2 == 0:
            if desk.can_all_be_paired(everybody):
                return allowed, None
        else:
            fewest = min(player.byes for player in players)
            for bye in reversed(everybody):
                rest = [place for place in everybody if place != bye]
                if players[bye].byes == fewest and desk.can_all_be_paired(rest):
                    return allowed, bye
        allowed += 1


_Made: TypeAlias = tuple[int, int, tuple[Passed, ...]]


def _pair_group(
    desk: _Desk, floaters: Sequence[int], group: Sequence[int], below: Sequence[int]
) -> tuple[list[_Made], list[int]]:
    """Pair those of one score and those who come from above; return the pairs, and who goes down."""
    down = _chosen_to_float(desk, floaters, group, below)
    rest = [place for place in (*floaters, *group) if place not in down]
    possible = number_of_pairs(rest, desk.may_meet)
    made: list[_Made] = []
    while rest:
        first = rest[0]
        others, passed = rest[1:], []
        for other in _preferred(desk, first, floaters, others):
            if not desk.may_meet[first] >> other & 1:
                passed.append(_met(desk.players[first], desk.players[other]))
                continue
            left = [place for place in others if place != other]
            if number_of_pairs(left, desk.may_meet) == possible - 1 and desk.can_all_be_paired(
                [*left, *down, *below]
            ):
                made.append((first, other, tuple(passed)))
                rest = left
                break
            passed.append(Passed(desk.players[other].bot_id, Obstacle.STRANDS))
        else:
            down.append(first)
            rest = others
        possible = number_of_pairs(rest, desk.may_meet)
    return made, sorted(down)


def _met(one: Player, other: Player) -> Passed:
    return Passed(other.bot_id, Obstacle.MET if _times_met(one, other) else Obstacle.OWNER)


def _chosen_to_float(
    desk: _Desk, floaters: Sequence[int], group: Sequence[int], below: Sequence[int]
) -> list[int]:
    """Of an odd number one must go down: the lowest that did not last time and without whom all is well."""
    everybody = [*floaters, *group]
    if len(everybody) % 2 == 0 or not below:
        return []
    lowest_first = sorted(group, key=lambda place: (desk.players[place].floated_down, -place))
    for place in lowest_first:
        rest = [other for other in everybody if other != place]
        if desk.can_all_be_paired(rest) and desk.can_all_be_paired([place, *below]):
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
