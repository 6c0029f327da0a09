"""Whether a specification can be held: every problem it has, not only the first."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from shoal.competition.problems import Problem
from shoal.competition.reachable import Pace, unreachable
from shoal.competition.size import too_large
from shoal.competition.specification import (
    Anchor,
    Entry,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Stopping,
    Swiss,
    TimeControl,
)
from shoal.engine.ruleset import RULESETS

_LONGEST_NAME: Final = 64
_LADDER_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_LADDER_NAMES: Final = (
    'a ladder is found by its name: 1 to 40 of a-z, 0-9 and "-", beginning with a letter or digit'
)
_MOST_BLOCKS: Final = 10_000
_MOST_ROUNDS: Final = 100
_MOST_ENTRANTS: Final = 10_000
_MOST_FAULTS: Final = 100
_RATINGS: Final = (0, 5000)
_SEATS: Final = (2, 3, 4)

_TIMES: Final = {
    "move_ms": (100, 600_000),
    "bank_ms": (0, 3_600_000),
    "increment_ms": (0, 60_000),
    "max_strikes": (1, 100),
    "max_illegal": (1, 100),
    "match_ms": (60_000, 7 * 24 * 3_600_000),
}
"""What the server allows where it is not left to itself by a 0."""


def check(specification: Specification, pace: Pace | None = None) -> tuple[Problem, ...]:
    """Return all problems in the order of their paths, none if it can be held.

    `pace` is how fast bots can play at most; what is too large or cannot be reached is only looked for where
    nothing else is wrong, since it would be said of the wrong numbers.
    """
    problems = [
        *_names(specification),
        *_tables(specification),
        *_time_control(specification.time_control),
        *_format(specification),
        *_entry(specification.entry),
        *_numbers_of_entrants(specification),
        *_times(specification),
    ]
    problems = problems or too_large(specification) or unreachable(specification, pace or Pace())
    return tuple(sorted(problems))


def _names(spec: Specification) -> Iterator[Problem]:
    if not spec.name.strip():
        yield Problem("name", "must not be empty")
    elif isinstance(spec.format, Ladder) and not _LADDER_NAME.fullmatch(spec.name):
        yield Problem("name", _LADDER_NAMES)
    elif len(spec.name) > _LONGEST_NAME or not spec.name.isprintable():
        yield Problem("name", f"must be at most {_LONGEST_NAME} printable characters")
    if not spec.rulesets:
        yield Problem("rulesets", "must have one at least")
    for number, name in enumerate(spec.rulesets):
        if name not in RULESETS:
            yield Problem(f"rulesets[{number}]", f"{name!r} is none of {', '.join(RULESETS)}")
    yield from _twice("rulesets", spec.rulesets)


def _tables(spec: Specification) -> Iterator[Problem]:
    if not spec.seats:
        yield Problem("seats", "must have one size at least")
    for number, size in enumerate(spec.seats):
        if size not in _SEATS:
            yield Problem(f"seats[{number}]", f"a table has 2 to 4 seats, not {size}")
    yield from _twice("seats", spec.seats)
    if isinstance(spec.format, Swiss | Knockout) and set(spec.seats) - {2}:
        name = "a Swiss tournament" if isinstance(spec.format, Swiss) else "a knock-out"
        asked = " and ".join(str(size) for size in spec.seats)
        yield Problem("seats", f"{name} has tables of 2 seats, not {asked}")


def _time_control(control: TimeControl) -> Iterator[Problem]:
    for name, (least, most) in _TIMES.items():
        value = getattr(control, name)
        if value != 0:
            yield from _range(f"time_control.{name}", value, least, most)


def _format(spec: Specification) -> Iterator[Problem]:
    match spec.format:
        case Ladder(stopping=stopping, faults=faults, anchors=anchors):
            yield from _stopping(stopping)
            yield from _anchors(anchors)
            yield from _range("format.faults", faults, 0, _MOST_FAULTS)
        case RoundRobin(cycles, blocks):
            yield from _range("format.cycles", cycles, 1, _MOST_ROUNDS)
            yield from _range("format.blocks_per_pairing", blocks, 1, _MOST_BLOCKS)
        case Gauntlet(challengers, blocks):
            if not challengers:
                yield Problem("format.challengers", "must have one at least")
            yield from _twice("format.challengers", challengers)
            yield from _range("format.blocks_per_pairing", blocks, 1, _MOST_BLOCKS)
        case Swiss(rounds, blocks):
            yield from _range("format.rounds", rounds, 0, _MOST_ROUNDS)
            yield from _range("format.blocks_per_pairing", blocks, 1, _MOST_BLOCKS)
        case Knockout(best_of, tie_cap):
            yield from _range("format.best_of", best_of, 1, _MOST_BLOCKS)
            yield from _range("format.tie_cap", tie_cap, 0, _MOST_BLOCKS)


def _anchors(anchors: Sequence[Anchor]) -> Iterator[Problem]:
    for number, anchor in enumerate(anchors):
        if not anchor.bot_id:
            yield Problem(f"format.anchors[{number}].bot_id", "must be given")
        least, most = _RATINGS
        if not least <= anchor.rating <= most:
            yield Problem(
                f"format.anchors[{number}].rating",
                f"must be from {least} to {most}, not {anchor.rating:g}",
            )
    yield from _twice("format.anchors", [anchor.bot_id for anchor in anchors])


def _stopping(stop: Stopping) -> Iterator[Problem]:
    if stop.blocks_per_bot is not None and stop.blocks_per_bot < 1:
        yield Problem(
            "format.stopping.blocks_per_bot", f"must be positive, not {stop.blocks_per_bot}"
        )
    if stop.interval is not None and not 0 < stop.interval < float("inf"):
        yield Problem("format.stopping.interval", f"must be positive, not {stop.interval:g}")
    if stop.minutes is not None and stop.minutes < 1:
        yield Problem("format.stopping.minutes", f"must be positive, not {stop.minutes}")


def _entry(entry: Entry) -> Iterator[Problem]:
    yield from _range("entry.entrants", entry.entrants, 0, _MOST_ENTRANTS)
    yield from _range("entry.bots_per_owner", entry.bots_per_owner, 0, _MOST_ENTRANTS)
    yield from _twice("entry.invited", entry.invited)


def _numbers_of_entrants(spec: Specification) -> Iterator[Problem]:
    """Tell whether those who may enter can fill a table, and the rounds."""
    entry = spec.entry
    limits = [limit for limit in (entry.entrants, len(entry.invited)) if limit > 0]
    if not limits:
        return
    most = min(limits)
    path = "entry.entrants" if most == entry.entrants else "entry.invited"
    needed = max(spec.seats, default=2)
    if most < needed:
        yield Problem(path, f"a table of {needed} cannot be filled by {most}")
    elif isinstance(spec.format, Swiss) and spec.format.rounds > _longest_swiss(most):
        message = (
            f"{spec.format.rounds} rounds without a rematch are too many for {most}, who can play"
        )
        yield Problem("format.rounds", f"{message} {_longest_swiss(most)}")
    if isinstance(spec.format, Gauntlet):
        yield from _challengers(spec.format, entry, most, path)


def _challengers(gauntlet: Gauntlet, entry: Entry, most: int, path: str) -> Iterator[Problem]:
    number = len(gauntlet.challengers)
    if number >= most:
        yield Problem(path, f"{number} challengers and nobody to play them: {most} may enter")
    uninvited = [bot for bot in gauntlet.challengers if entry.invited and bot not in entry.invited]
    if uninvited:
        yield Problem("format.challengers", f"not invited: {', '.join(uninvited)}")


def _longest_swiss(entrants: int) -> int:
    return entrants - 1 if entrants % 2 == 0 else entrants


def _times(spec: Specification) -> Iterator[Problem]:
    entry = spec.entry
    moments = (
        ("entry.opens_ms", entry.opens_ms),
        ("entry.closes_ms", entry.closes_ms),
        ("starts_ms", spec.starts_ms),
        ("ends_ms", spec.ends_ms),
    )
    for path, moment in moments:
        if moment is not None and moment < 0:
            yield Problem(path, f"must not be negative: {moment}")
    ordered = [
        (moments[0], moments[1]),
        (moments[2], moments[3]),
        (moments[0], moments[3]),
    ]
    if not isinstance(spec.format, Ladder):
        ordered.append((moments[1], moments[2]))
    for (earlier, before), (later, after) in ordered:
        strict = later != "starts_ms"
        if (
            before is not None
            and after is not None
            and (after < before or (strict and after == before))
        ):
            yield Problem(later, f"must be after {earlier}, {before}, and is {after}")


def _range(path: str, value: int, least: int, most: int) -> Iterator[Problem]:
    if not least <= value <= most:
        yield Problem(path, f"must be {least} to {most}, not {value}")


def _twice(path: str, values: Sequence[object]) -> Iterator[Problem]:
    for number, value in enumerate(values):
        if value in values[:number]:
            yield Problem(f"{path}[{number}]", f"{value!r} is listed twice")
