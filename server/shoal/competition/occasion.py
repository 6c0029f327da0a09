"""Whether a specification can be held now, and by the bots that are there; `validation` looks at it alone."""

from collections.abc import Collection
from dataclasses import replace

from shoal.competition.problems import Problem
from shoal.competition.specification import Gauntlet, Specification
from shoal.competition.validation import check


def past(specification: Specification, now_ms: int) -> list[Problem]:
    """Return what would be over before it has begun. `now_ms` is since 1970, as the times are."""
    ends_ms = specification.ends_ms
    if ends_ms is None or not 0 <= ends_ms <= now_ms:
        return []
    return [Problem("ends_ms", f"must be later than now, {now_ms}, and is {ends_ms}")]


def unfit(specification: Specification, number: int, bots: Collection[str]) -> list[Problem]:
    """Return why so many bots cannot hold what is in order otherwise; `entrants` is the path of their list.

    They are `bots`, by name or by id, as the specification names them.
    """
    entry, form = specification.entry, specification.format
    if 0 < entry.entrants < number:
        return [Problem("entrants", f"{number} are listed, and {entry.entrants} may enter")]
    as_many = replace(specification, entry=replace(entry, entrants=number))
    problems = [
        replace(problem, path="entrants") if problem.path == "entry.entrants" else problem
        for problem in check(as_many)
    ]
    if isinstance(form, Gauntlet):
        problems += [
            Problem(f"format.challengers[{place}]", f"{bot!r} is none of the entrants")
            for place, bot in enumerate(form.challengers)
            if bot not in bots
        ]
    return sorted(problems)
