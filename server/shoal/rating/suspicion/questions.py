"""The questions of each kind: which pairs of which blocks tell something about them, and to which side.

A question is a direction in which results may be off. For each block that tells something of it there is one
number for each pair: by how much the first is meant to win more often if what is asked is true.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Final, final

import numpy as np

from shoal.rating.suspicion.nouns import Kind
from shoal.rating.suspicion.played import Played, Tables
from shoal.rating.tally import Floats, Whole, pairs


@final
@dataclass(frozen=True, slots=True)
class Telling:
    """Blocks that tell something of questions: for each its row, its question, and a number for each pair.

    `from_other` are the numbers of those pairs in which the subject meets the other one.
    """

    rows: Whole
    questions: Whole
    pairs: Floats
    from_other: Floats


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, by numbers; -1 for what it is not about. `period` counts from 1970."""

    subject: int = -1
    other: int = -1
    ruleset: int = -1
    seats: int = 0
    period: int = -1


Ask = Callable[[Played, Tables, int], Iterator[Telling]]
"""Tell the questions of one table size; periods have so many ms."""


def subject_of(kind: Kind, played: Played, question: int) -> Subject:
    """Return what the question with this number is about."""
    match kind:
        case Kind.TRANSFER | Kind.OPPONENT:
            subject, other = divmod(question, len(played.bots))
            return Subject(subject, other)
        case Kind.OWNERS:
            subject, other = divmod(question, len(played.owners))
            return Subject(subject, other)
        case Kind.BOT_PERIOD:
            period, subject = divmod(question, len(played.bots))
            return Subject(subject, period=period)
        case Kind.PERIOD:
            return Subject(period=question)
        case Kind.RULESET:
            ruleset, subject = divmod(question, len(played.bots))
            return Subject(subject, ruleset=ruleset)
        case Kind.SEATS:
            seats, subject = divmod(question, len(played.bots))
            return Subject(subject, seats=seats)


def _transfer(played: Played, tables: Tables, _period_ms: int) -> Iterator[Telling]:
    """Yield, for each seat and each other one, all pairs of the one."""
    if tables.seats < 3:  # at a table of two there are no third parties: that is `Kind.OPPONENT`
        return
    for one, other in permutations(range(tables.seats), 2):
        questions = tables.bots[:, one] * len(played.bots) + tables.bots[:, other]
        mine = _all_pairs(tables.seats, one)
        yield _all(questions, mine, mine * _involved(tables.seats, other))


def _owners(played: Played, tables: Tables, _period_ms: int) -> Iterator[Telling]:
    """Yield the same by owner, where one of both has several bots: else it is asked of the bots already."""
    if tables.seats < 3:
        return
    for one, other in permutations(range(tables.seats), 2):
        mine, theirs = tables.owners[:, one], tables.owners[:, other]
        asked = (mine != theirs) & (played.several[mine] | played.several[theirs])
        questions = mine * len(played.owners) + theirs
        numbers = _all_pairs(tables.seats, one)
        whole = _all(questions, numbers, numbers * _involved(tables.seats, other))
        yield Telling(
            whole.rows[asked], questions[asked], whole.pairs[asked], whole.from_other[asked]
        )


def _bot_period(played: Played, tables: Tables, period_ms: int) -> Iterator[Telling]:
    yield from _each(played, tables, tables.ended_ms // period_ms)


def _ruleset(played: Played, tables: Tables, _period_ms: int) -> Iterator[Telling]:
    if len(played.rulesets) > 1:
        yield from _each(played, tables, tables.rulesets)


def _seats(played: Played, tables: Tables, _period_ms: int) -> Iterator[Telling]:
    if len(played.tables) > 1:
        yield from _each(played, tables, np.full_like(tables.ended_ms, tables.seats))


def _period(_played: Played, tables: Tables, period_ms: int) -> Iterator[Telling]:
    """Yield all pairs, by how far they are apart: whoever is stronger wins more often, or less."""
    first, second = pairs(tables.seats)
    apart = tables.strengths[:, first] - tables.strengths[:, second]
    rows = np.arange(len(apart))
    yield Telling(rows, tables.ended_ms // period_ms, apart, np.zeros_like(apart))


def _opponent(played: Played, tables: Tables, _period_ms: int) -> Iterator[Telling]:
    for column, (one, other) in enumerate(zip(*pairs(tables.seats), strict=True)):
        low = np.minimum(tables.bots[:, one], tables.bots[:, other])
        high = np.maximum(tables.bots[:, one], tables.bots[:, other])
        sign = np.where(tables.bots[:, one] == low, 1.0, -1.0)
        numbers = np.zeros((len(low), len(tables.surplus[0])))
        numbers[:, column] = sign
        yield Telling(np.arange(len(low)), low * len(played.bots) + high, numbers, numbers)


ASK: Final[Mapping[Kind, Ask]] = {
    Kind.TRANSFER: _transfer,
    Kind.OWNERS: _owners,
    Kind.BOT_PERIOD: _bot_period,
    Kind.PERIOD: _period,
    Kind.OPPONENT: _opponent,
    Kind.RULESET: _ruleset,
    Kind.SEATS: _seats,
}
"""How each kind is asked."""


def _each(played: Played, tables: Tables, which: Whole) -> Iterator[Telling]:
    """Yield, for each seat, all pairs of the bot there, asked by its bot and by `which`."""
    for seat in range(tables.seats):
        numbers = _all_pairs(tables.seats, seat)
        yield _all(which * len(played.bots) + tables.bots[:, seat], numbers, np.zeros_like(numbers))


def _all(questions: Whole, numbers: Floats, from_other: Floats) -> Telling:
    many = len(questions)
    return Telling(
        np.arange(many), questions, np.tile(numbers, (many, 1)), np.tile(from_other, (many, 1))
    )


def _all_pairs(seats: int, seat: int) -> Floats:
    """Return 1 for each pair in which this seat is the first, -1 where it is the second."""
    first, second = pairs(seats)
    result: Floats = (first == seat) * 1.0 - (second == seat) * 1.0
    return result


def _involved(seats: int, seat: int) -> Floats:
    first, second = pairs(seats)
    result: Floats = ((first == seat) | (second == seat)) * 1.0
    return result
