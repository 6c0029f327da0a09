"""The answers of all blocks to each question of a kind, added up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from shoal.rating.suspicion.nouns import Kind
from shoal.rating.suspicion.orders import moments
from shoal.rating.suspicion.played import Played, Tables
from shoal.rating.suspicion.questions import ASK, Telling
from shoal.rating.tally import PAIR_WEIGHT, UNIT, Floats, Whole, pairs

_AT_ONCE: Final = 10_000
"""So many blocks are looked at together: the orders of their matches should fit into a cache."""

_QUESTIONS_AT_ONCE: Final = 2_000
_SEATS: Final = 4


@final
@dataclass(frozen=True, slots=True)
class Sums:
    """By question. `score` is what was won beyond expectation, weighted as the fit weighs it.

    `squares` are those of the scores of the blocks, `variance`, `variances` (its squares) and `third` what
    they were to be by the model. `information` is on a shift of strength in this direction, `explained` the
    part of it that strengths take away, since they follow. `surplus` and `from_other` are in pairs won.
    """

    question: Whole
    blocks: Whole
    first_ms: Whole
    last_ms: Whole
    score: Floats
    squares: Floats
    variance: Floats
    variances: Floats
    third: Floats
    information: Floats
    explained: Floats
    surplus: Floats
    from_other: Floats

    def of(self, some: NDArray[np.bool_]) -> "Sums":
        """Return these questions alone."""
        return Sums(*(getattr(self, each.name)[some] for each in fields(Sums)))


@final
@dataclass(frozen=True, slots=True)
class _Told:
    """By block and question: see `Sums`. `pull` is what the question has to do with the strengths `names`."""

    question: Whole
    ended_ms: Whole
    score: Floats
    variance: Floats
    third: Floats
    information: Floats
    surplus: Floats
    from_other: Floats
    names: Whole
    pull: Floats


def sums(played: Played, kind: Kind, period_ms: int) -> Sums | None:
    """Return the sums of the questions of a kind, None if none can be asked."""
    parts = [
        _told(tables, telling)
        for tables in played.tables
        for whole in ASK[kind](played, tables, period_ms)
        for telling in _slices(whole)
    ]
    if not parts:
        return None
    told = _joined(parts)
    known, place = np.unique(told.question, return_inverse=True)
    place = place.ravel()
    first, last = np.full(len(known), np.iinfo(np.int64).max), np.zeros(len(known), np.int64)
    np.minimum.at(first, place, told.ended_ms)
    np.maximum.at(last, place, told.ended_ms)

    def added(values: Floats) -> Floats:
        result: Floats = np.bincount(place, values, len(known)).astype(np.float64)
        return result

    return Sums(
        question=known,
        blocks=np.bincount(place, minlength=len(known)),
        first_ms=first,
        last_ms=last,
        score=added(told.score),
        squares=added(told.score**2),
        variance=added(told.variance),
        variances=added(told.variance**2),
        third=added(told.third),
        information=added(told.information),
        explained=_explained(told, place, len(known), played.inverse),
        surplus=added(told.surplus),
        from_other=added(told.from_other),
    )


def _told(tables: Tables, telling: Telling) -> _Told:
    """Return what some blocks tell of a question each."""
    seats, rows, matches = tables.seats, telling.rows, tables.matches[telling.rows]
    first, second = pairs(seats)
    weighted = PAIR_WEIGHT[seats] / UNIT * telling.pairs
    surplus, expected = tables.surplus[rows], tables.expected[rows]
    each = weighted * matches[:, None] * expected * (1 - expected)
    pull = np.zeros((len(rows), _SEATS))
    for column, (one, other) in enumerate(zip(first, second, strict=True)):
        pull[:, one] += each[:, column]
        pull[:, other] -= each[:, column]
    names = np.zeros((len(rows), _SEATS), np.int64)
    names[:, :seats] = tables.names[rows]
    variance, third = moments(tables.strengths[rows], weighted)
    return _Told(
        question=telling.questions,
        ended_ms=tables.ended_ms[rows],
        score=(weighted * surplus).sum(axis=1),
        variance=matches * variance,
        third=matches * third,
        information=(each * telling.pairs).sum(axis=1),
        surplus=(np.sign(telling.pairs) * surplus).sum(axis=1),
        from_other=(np.sign(telling.from_other) * surplus).sum(axis=1),
        names=names,
        pull=pull,
    )


def _explained(told: _Told, place: Whole, many: int, inverse: Floats) -> Floats:
    """Return what part of the information on each question the strengths take away."""
    result = np.zeros(many)
    order = np.argsort(place, kind="stable")
    sorted_place = place[order]
    for begin in range(0, many, _QUESTIONS_AT_ONCE):
        end = min(begin + _QUESTIONS_AT_ONCE, many)
        some = order[np.searchsorted(sorted_place, begin) : np.searchsorted(sorted_place, end)]
        pulls = np.zeros((end - begin, len(inverse)))
        np.add.at(pulls, (place[some][:, None] - begin, told.names[some]), told.pull[some])
        result[begin:end] = ((pulls @ inverse) * pulls).sum(axis=1)
    return result


def _slices(telling: Telling) -> Iterator[Telling]:
    for begin in range(0, len(telling.rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        yield Telling(*(getattr(telling, each.name)[part] for each in fields(Telling)))


def _joined(parts: Sequence[_Told]) -> _Told:
    return _Told(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(_Told))
    )
