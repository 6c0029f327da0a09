"""Who plays whom on a ladder. Pure: the same pool and seed give the same tables, in whatever order it comes.

Bots take turns: who has waited too long, then newcomers, then who has had the least time at tables. The
bot whose turn it is gets the company that is worth most to it: the information that a match is expected
to give, less for opponents that it has met lately. Of table sizes and rulesets it gets what it has played
least.

Whoever can be seated is: that is a promise. But those who come free together are those of one table, and
would meet each other for ever. So while somebody is busy who may be better company,

- a bot that has just come free takes only a size that it has played least; on the second tick, any (T73);
- two that have just met wait for others, the longer the more often they have met in a row, but never
  longer than one match takes. This alone can pass over a pair for more than two ticks (T64, T78). At a
  table of three or four, one may meet one again whom it has met but once: bots come free in couples, and
  if all had to be strangers there would hardly ever be enough of them for a large table.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from shoal.competition.guests import (
    OVERDUE,
    Guest,
    Hall,
    Kind,
    Party,
    hall_of,
    plays,
    seat,
    times_met,
    too_soon,
    turn_of,
)
from shoal.competition.information import information, odds
from shoal.competition.pool import Candidate, Company, Table, Terms

_REPEAT: Final = 2.0
"""What the opponent of the last table is worth less, as a logarithm; it fades with each table since."""

_LOAD: Final = 0.5
"""The same for each table that it has been given in this call already."""

_WAITING: Final = 0.5
"""What company is worth more for each of its match lengths that it has waited; up to `OVERDUE` of them."""

_SHARE: Final = 4.0
"""What company is worth more if it had no time at tables lately; nothing if it sat at one all the time."""

_WHIM: Final = 0.5
"""The largest random part of what company is worth: without it close neighbors would meet for ever."""


def pair(pool: Iterable[Candidate], terms: Terms, seed: int) -> tuple[Table, ...]:
    """Return tables until no further one can be filled or there are `terms.at_most`.

    `pool` has everybody present, with room or without. A rated table never has two bots of one owner;
    where bots at no table at all have no other choice, they get an unrated one (T59, T79).
    """
    pool = tuple(pool)
    if sum(who.room > 0 for who in pool) < min(terms.sizes, default=0):
        return ()  # mostly one that is left over: it is looked at with every tick
    hall = hall_of(pool, terms, seed)
    turns = list(hall.open)
    while turns and len(hall.tables) < terms.at_most:
        first = min(turns, key=turn_of)
        patient = hall.somebody_is_busy and first.is_patient
        party = _party(first, hall, patient=patient)
        if party is None:
            turns.remove(first)  # rooms only shrink: there will be no table for it later either
        else:
            seat(party, hall, patient=patient)
            turns = [guest for guest in turns if guest.room > 0]
    return tuple(hall.tables)


def _party(first: Guest, hall: Hall, *, patient: bool) -> Party | None:
    """Return who is to play what with this bot, None if there is no table for it.

    Of what it has played equally often it gets one that leaves nobody else alone with free room:
    otherwise large tables would fall apart into small ones for good.
    """
    kinds = [kind for kind in hall.kinds if plays(first, kind)]
    hall.chance.shuffle(kinds)
    kinds.sort(key=first.played.__getitem__)
    avoiding = hall.somebody_is_busy and not first.takes_anything
    best: Party | None = None
    for kind in kinds:
        least = first.played[best.kind if best else kinds[0]]
        if first.played[kind] > least and (best or patient):
            break
        party = _best_company(first, kind, hall, avoiding=avoiding)
        if party and not _strands_one(party, hall.open):
            return party
        best = best or party
    if best or patient or not first.who.idle or first.tables:
        return best
    if avoiding and any(_best_company(first, kind, hall, avoiding=False) for kind in kinds):
        return None  # it has company, and waits for other
    return _siblings(first, kinds, hall)


def _strands_one(party: Party, guests: Sequence[Guest]) -> bool:
    return sum(guest.room - (guest in party.guests) > 0 for guest in guests) == 1


def _best_company(first: Guest, kind: Kind, hall: Hall, *, avoiding: bool) -> Party | None:
    """Return a party of that kind: one after the other joins who is worth most to those before.

    When `avoiding`, nobody meets again too soon, but for what `_may_join` lets pass.
    """
    fitting = [other for other in hall.open if plays(other, kind) and other is not first]
    if len({guest.side for guest in (first, *fitting)}) < kind[0]:
        return None
    offers = [(_WHIM * hall.chance.random() + _merit(other), other) for other in fitting]
    found = _fill([first], offers, kind[0], _Search(avoiding, hall.grace))
    return Party(kind, *found) if found else None


@dataclass(slots=True)
class _Search:
    """Whether too early rematches are avoided, and how many more dead ends are looked into."""

    avoiding: bool
    grace: int
    dead_ends: int = 64


_Offers: TypeAlias = Sequence[tuple[float, Guest]]
"""What each is worth to those of the party before the newest one."""


def _fill(
    party: list[Guest], offers: _Offers, size: int, search: _Search
) -> tuple[list[Guest], list[Company]] | None:
    """Return the party filled up, and what is to be told of the company; None if it cannot be.

    Whoever has another side can join any party. Only rematches that are avoided may lead into dead ends.
    """
    if len(party) == size:
        return party, []
    newest = party[-1]
    kept = [
        (worth + _worth(newest, other), other)
        for worth, other in offers
        if other.side != newest.side
        and not (search.avoiding and _is_kept_apart(newest, other, size, search.grace))
    ]
    kept.sort(key=lambda offer: -offer[0])
    if search.avoiding and size > 2:  # strangers first
        kept.sort(key=lambda offer: _acquainted(party, offer[1], search.grace))
    for place, (_, other) in enumerate(kept):
        if search.dead_ends == 0:
            return None
        if search.avoiding and not _may_join(party, other, search.grace):
            continue
        if found := _fill([*party, other], kept[place + 1 :], size, search):
            return found[0], [_told(party[0], other, len(kept)), *found[1]]
    search.dead_ends -= 1
    return None


def _is_kept_apart(one: Guest, other: Guest, size: int, grace: int) -> bool:
    """Tell whether these two may not meet again yet at a table of that size, whoever else sits there.

    At a large table they may if they have met but once: the others are new to them.
    """
    return too_soon(one, other, grace) and (size == 2 or times_met(one, other) > 1)


def _acquainted(party: Sequence[Guest], other: Guest, grace: int) -> int:
    """Return how many of a party meet this one again too soon."""
    return sum(too_soon(guest, other, grace) for guest in party)


def _may_join(party: Sequence[Guest], other: Guest, grace: int) -> bool:
    """Tell whether nobody at the table would meet more than one again too soon."""
    met = [guest for guest in party if too_soon(guest, other, grace)]
    return not met or (len(met) == 1 and _acquainted(party, met[0], grace) == 0)


def _merit(other: Guest) -> float:
    """Return what makes a bot better company for anybody."""
    owed = 1 - min(other.share, 1.0)
    return _WAITING * min(other.waited, OVERDUE) + _SHARE * owed - _LOAD * other.tables


def _worth(one: Guest, other: Guest) -> float:
    """Return what it is worth that these two meet, as a logarithm."""
    mine, yours = one.who, other.who
    told = information(mine.mu, mine.sigma, yours.mu, yours.sigma)
    return math.log(max(told, 1e-12)) - _REPEAT * one.repeats.get(yours.bot_id, 0.0)


def _told(first: Guest, other: Guest, asked: int) -> Company:
    mine, yours = first.who, other.who
    return Company(
        bot_id=yours.bot_id,
        information=information(mine.mu, mine.sigma, yours.mu, yours.sigma),
        odds=odds(mine.mu, mine.sigma, yours.mu, yours.sigma),
        repeats=first.repeats.get(yours.bot_id, 0.0),
        waited=other.waited,
        asked=asked,
    )


def _siblings(first: Guest, kinds: Sequence[Kind], hall: Hall) -> Party | None:
    """Return the smallest party of bots at no table, whoever owns them: it will not be rated."""
    for kind in sorted(kinds, key=lambda kind: kind[0]):
        idle = [
            other
            for other in hall.open
            if other is not first and other.who.idle and not other.tables and plays(other, kind)
        ]
        if len(idle) >= kind[0] - 1:
            others = hall.chance.sample(idle, kind[0] - 1)
            company = [_told(first, other, len(idle)) for other in others]
            return Party(kind, [first, *others], company)
    return None
