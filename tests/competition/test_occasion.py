"""Whether a specification can be held now, by those who are there."""

import pytest

from shoal.competition.occasion import past, unfit
from shoal.competition.problems import Problem
from shoal.competition.specification import (
    Entry,
    Format,
    Gauntlet,
    Knockout,
    RoundRobin,
    Specification,
    Swiss,
)

BOTS = ["ann", "bob", "cem"]


def paths(problems: list[Problem]) -> list[str]:
    return [problem.path for problem in problems]


@pytest.mark.parametrize(
    ("ends_ms", "is_past"), [(None, False), (5, True), (100, True), (101, False)]
)
def test_an_end_that_has_passed_is_a_problem(ends_ms: int | None, *, is_past: bool) -> None:
    cup = Specification("cup", RoundRobin(), ends_ms=ends_ms)
    assert paths(past(cup, 100)) == (["ends_ms"] if is_past else [])


@pytest.mark.parametrize(
    ("form", "more", "path"),
    [
        (Swiss(rounds=9), {}, "format.rounds"),
        (RoundRobin(), {"seats": (4,)}, "entrants"),
        (RoundRobin(), {"entry": Entry(entrants=2)}, "entrants"),
        (RoundRobin(), {"entry": Entry(invited=("ann", "bob", "cem", "dan"))}, ""),
        (Gauntlet(("nobody", "ann")), {}, "format.challengers[0]"),
        (Gauntlet(("ann", "bob", "cem")), {}, "entrants"),
        (Gauntlet(("ann",)), {}, ""),
        (Swiss(rounds=3), {}, ""),
        (Knockout(), {}, ""),
        (RoundRobin(), {"seats": (3, 2)}, ""),
    ],
    ids=str,
)
def test_what_so_many_cannot_hold_is_said(form: Format, more: dict[str, object], path: str) -> None:
    """As if so many were all who may enter, by the path of their list."""
    cup = Specification("cup", form, **more)  # type: ignore[arg-type]
    assert paths(unfit(cup, len(BOTS), BOTS)) == ([path] if path else [])
