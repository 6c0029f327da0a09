"""Who plays whom. Pure: the same pool and seed give the same tables.

A hasty call fills every table that can be filled: that a bot is seated when anybody fits is a
promise. At which size of table and with whom (near strength, new faces) is a matter of taste, for
which a patient call passes over a seat while somebody is busy who may be better company.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from shoal.server.director.rating import BETA, Rating

_REPEAT: Final = 2.0
"""Cost of meeting the opponent of the last table again, in logits of strength; halves per table."""

_LOAD: Final = 0.5
"""Cost of each table that the other has been given in the same call."""

_WHIM: Final = 0.5
"""The largest random cost: without it close neighbors would meet for ever."""

_ASKED: Final = 64
"""Of how many that fit, drawn at random, the best company is taken."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that may be seated.

    `room` is how many more matches it takes, `seats` the table sizes it plays, `waiting_since` any
    growing clock. `idle` bots have no match at all. `owner` is empty for a bot that any other may
    meet in rated play: a baseline. `met` has the opponents of its latest tables, newest first.
    """

    bot_id: str
    room: int
    rulesets: frozenset[str]
    seats: frozenset[int]
    rating: Rating
    waiting_since: float = 0.0
    owner: str = ""
    idle: bool = True
    met: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, whether to settle for less, and how many tables one call may return.

    Unless `hasty`, while anybody has no room: nobody meets an opponent of its last table, nobody
    sits at a size it has played more than another, and bots of one owner do not meet.
    """

    ruleset: str
    sizes: Sequence[int]
    hasty: bool = True
    at_most: int = 64


@dataclass(frozen=True, slots=True)
class Table:
    """Bots by seat; a table with two bots of one owner is not rated."""

    bots: tuple[str, ...]
    rated: bool = True


@dataclass(slots=True, eq=False)
class _Guest:
    """A candidate while tables are being made."""

    who: Candidate
    room: int
    met: tuple[frozenset[str], ...]
    side: str
    """What no two guests of a rated table may share."""
    tables: int = 0


@dataclass(frozen=True, slots=True)
class _Hall:
    """Everybody present, and how tables are made of them."""

    guests: list[_Guest]
    sizes: list[int]
    hasty: bool
    chance: Random


def pair(pool: Iterable[Candidate], terms: Terms, seed: int) -> tuple[Table, ...]:
    """Return tables until no further one can be filled or there are `terms.at_most`.

    `pool` has everybody present, with room or without. The most uncertain bot chooses first, then
    whoever has waited longest, and nobody twice before everybody had a turn. A rated table never
    has two bots of one owner; where a bot with no match has no other choice, it gets an unrated
    one. Seats are drawn.
    """
    hall = _hall(pool, terms, seed)
    waiting = [guest for guest in hall.guests if guest.room > 0]
    tables: list[Table] = []
    while waiting and len(tables) < terms.at_most:
        first = min(waiting, key=_turn)
        party = _party(first, hall)
        if party:
            tables.append(_seat(party, hall.chance))
            waiting = [guest for guest in waiting if guest.room > 0]
        else:
            waiting.remove(first)  # rooms only shrink: nobody will fit later in this call either
    return tuple(tables)


def _hall(pool: Iterable[Candidate], terms: Terms, seed: int) -> _Hall:
    guests = [
        _Guest(who, who.room, who.met, f"owner {who.owner}" if who.owner else f"bot {who.bot_id}")
        for who in {who.bot_id: who for who in pool}.values()
        if terms.ruleset in who.rulesets
    ]
    return _Hall(
        guests=guests,
        sizes=[size for size in dict.fromkeys(terms.sizes) if _within_reach(size, guests)],
        hasty=terms.hasty or all(guest.room > 0 for guest in guests),
        chance=Random(seed),  # noqa: S311 - a draw of seats, not a secret
    )


def _within_reach(size: int, guests: list[_Guest]) -> bool:
    """Tell whether a table of this size could be filled if everybody had room, owners aside."""
    return sum(size in guest.who.seats for guest in guests) >= size


def _turn(guest: _Guest) -> tuple[int, float, float, str]:
    who = guest.who
    return (guest.tables, -who.rating.sigma, who.waiting_since, who.bot_id)


def _seat(party: list[_Guest], chance: Random) -> Table:
    chance.shuffle(party)
    ids = frozenset(guest.who.bot_id for guest in party)
    for guest in party:
        guest.room -= 1
        guest.tables += 1
        guest.met = (ids - {guest.who.bot_id}, *guest.met)
    return Table(
        bots=tuple(guest.who.bot_id for guest in party),
        rated=len({guest.side for guest in party}) == len(party),
    )


def _party(first: _Guest, hall: _Hall) -> list[_Guest]:
    """Return the guests of a table for `first`, or nothing if there is none.

    The size that it has played least is the best one, and of several such one that leaves nobody
    alone with free room: otherwise large tables would fall apart into small ones for good, since
    those who come free together are those of one table.
    """
    played = Counter(len(opponents) + 1 for opponents in first.met)
    sizes = [size for size in hall.sizes if size in first.who.seats]
    hall.chance.shuffle(sizes)
    sizes.sort(key=played.__getitem__)
    parties: list[list[_Guest]] = []
    for size in sizes:
        best = played[len(parties[0]) if parties else sizes[0]]
        if played[size] > best and (parties or not hall.hasty):
            break
        if party := _rated(first, size, hall):
            parties.append(party)
    if parties:
        return min(parties, key=lambda party: _strands_one(party, hall.guests))
    if hall.hasty and first.who.idle and not first.tables:
        return _siblings(first, hall)
    return []


def _strands_one(party: list[_Guest], guests: list[_Guest]) -> bool:
    return sum(guest.room - (guest in party) > 0 for guest in guests) == 1


def _rated(first: _Guest, size: int, hall: _Hall) -> list[_Guest]:
    """Return a party of this size without two bots of one owner, best company first, or nothing."""
    party = [first]
    while len(party) < size:
        sides = {guest.side for guest in party}
        fitting = [
            other
            for other in _open(hall.guests, size)
            if other.side not in sides
            and (hall.hasty or not any(_just_met(other, guest) for guest in party))
        ]
        if not fitting:
            return []
        asked = hall.chance.sample(fitting, min(len(fitting), _ASKED))
        costs = [_cost(other, party) + _WHIM * hall.chance.random() for other in asked]
        party.append(asked[costs.index(min(costs))])
    return party


def _siblings(first: _Guest, hall: _Hall) -> list[_Guest]:
    """Return the smallest unrated party, whoever owns them, or nothing."""
    for size in sorted(set(hall.sizes) & first.who.seats):
        others = [other for other in _open(hall.guests, size) if other is not first]
        idle = [other for other in others if other.who.idle and not other.tables]
        if len(idle) >= size - 1:
            return [first, *hall.chance.sample(idle, size - 1)]
    return []


def _open(guests: list[_Guest], size: int) -> Iterator[_Guest]:
    return (guest for guest in guests if guest.room > 0 and size in guest.who.seats)


def _just_met(one: _Guest, other: _Guest) -> bool:
    return other.who.bot_id in _last(one) or one.who.bot_id in _last(other)


def _last(guest: _Guest) -> frozenset[str]:
    return guest.met[0] if guest.met else frozenset()


def _cost(other: _Guest, party: list[_Guest]) -> float:
    return _LOAD * other.tables + sum(_distaste(other, guest) for guest in party)


def _distaste(one: _Guest, other: _Guest) -> float:
    """Return how little these two should meet, in logits of strength."""
    mine, yours = one.who.rating, other.who.rating
    doubt = math.sqrt(mine.sigma**2 + yours.sigma**2 + 2 * BETA**2)
    repeats = sum(0.5**age for age, met in enumerate(one.met) if other.who.bot_id in met)
    return abs(mine.mu - yours.mu) / doubt + _REPEAT * repeats
