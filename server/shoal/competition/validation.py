"""Whether a specification can be held: every problem it has, not only the first."""

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from shoal.competition.problems import Problem
from shoal.competition.reachable import Pace, unreachable
from shoal.competition.size import too_large
from shoal.competition.specification import (
    OFFICIAL,
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
_MOST_STOPPING: Final = 10_000_000
"""How many blocks of each bot, or minutes, end a ladder at the latest: those are 19 years."""

_LAST_MS: Final = 253_402_300_799_999
"""The last moment of the year 9999, which is the last that can be told as a date."""

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

MOVE_MS: Final = 10_000
MATCH_MS: Final = 4 * 3_600_000
"""What the server does by itself."""

DECISIONS: Final = 75
"""How many decisions a seat has in a match that is none of the longest: at random it has 110 to 150."""


def check(specification: Specification, pace: Pace | None = None) -> tuple[Problem, ...]:
    """Return all problems in the order of their paths, none if it can be held.

    `pace` is how fast bots can play at most; what is too large or cannot be reached is only looked for where
    nothing else is wrong, since it would be said of the wrong numbers.
    """
    problems = [
        *_names(specification),
        *_tables(specification),
        *_time_control(specification.time_control),
        *_length_of_a_match(specification),
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


def _length_of_a_match(spec: Specification) -> Iterator[Problem]:
    """Tell whether a match can come to its end though all seats use all their time.

    Where it cannot, whoever is about to lose need only think for long: a match that its ceiling ends is void.
    """
    control = spec.time_control
    move_ms, match_ms = control.move_ms or MOVE_MS, control.match_ms or MATCH_MS
    seats = max(spec.seats, default=2)
    of_a_seat = DECISIONS * (move_ms + control.increment_ms) + control.bank_ms
    if not list(_time_control(control)) and match_ms < seats * of_a_seat:
        yield Problem(
            "time_control.match_ms",
            f"{match_ms} is too short: {seats} seats with {DECISIONS} decisions each may think for "
            f"{seats * of_a_seat}",
        )


def _format(spec: Specification) -> Iterator[Problem]:
    match spec.format:
        case Ladder(stopping=stopping, faults=faults, anchors=anchors, official=official):
            if official not in OFFICIAL:
                yield Problem("format.official", f"{official!r} is none of {', '.join(OFFICIAL)}")
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
    for name in ("blocks_per_bot", "minutes"):
        value = getattr(stop, name)
        if value is not None:
            yield from _range(f"format.stopping.{name}", value, 1, _MOST_STOPPING)
    if stop.interval is not None and not 0 < stop.interval < float("inf"):
        yield Problem("format.stopping.interval", f"must be positive, not {stop.interval:g}")


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
        if moment is not None:
            yield from _range(path, moment, 0, _LAST_MS)
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


def _twice(path: str, values: Sequence[Hashable]) -> Iterator[Problem]:
    before: set[Hashable] = set()
    for number, value in enumerate(values):
        if value in before:
            yield Problem(f"{path}[{number}]", f"{value!r} is listed twice")
        before.add(value)
