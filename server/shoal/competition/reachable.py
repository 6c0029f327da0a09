"""Whether a stopping rule, or the end of a tournament, can be reached at all (T57).

Only what is impossible is a problem, and the numbers say why. The bounds are generous: bots as fast as
the server, a rating as certain as the results could make it at best.
"""

import math
from dataclasses import dataclass, replace
from typing import Final, final

from shoal.competition.problems import Problem
from shoal.competition.scale import POINTS
from shoal.competition.specification import (
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Stopping,
    Swiss,
)

MINUTE_MS: Final = 60_000

SCATTER: Final = 0.75
"""How little blocks may scatter at best, compared with what the model of the published ratings expects.

Those of four among equals had 0.87 of it.
"""

MOST_BLOCKS: Final = 100_000
"""More blocks no bot plays on a ladder that nothing else ends."""


@final
@dataclass(frozen=True, slots=True)
class Pace:
    """What a bot can play at most: a match takes `match_ms`, and so many are played at once."""

    match_ms: int = 200
    at_once: int = 64

    def matches(self, minutes: float) -> float:
        """How many matches one bot can play in so many minutes."""
        return minutes * MINUTE_MS * self.at_once / self.match_ms

    def minutes(self, matches: float) -> float:
        """How long one bot needs for so many matches."""
        return matches * self.match_ms / self.at_once / MINUTE_MS


def unreachable(specification: Specification, pace: Pace) -> list[Problem]:
    """Return what can never be reached in a specification that is in order otherwise."""
    form = specification.format
    if not isinstance(form, Ladder):
        return _unreachable_end(specification, pace)
    if specification.rated:
        return _unreachable_stops(specification, form, pace)
    timed = replace(form, stopping=Stopping(minutes=form.stopping.minutes))
    return [*_unrated_stops(form), *_unreachable_stops(specification, timed, pace)]


def narrowest_interval(blocks: float, seats: int) -> float:
    """Return how certain a published rating can be after so many blocks, as ± displayed points (95 %).

    A block tells most when all are equally strong: of a bot its pairs, a quarter each, with the weights that
    the fit gives them. It is held against the average seat, of which it is itself a part: the larger one the
    fewer bots there are, and there are as many as a table has seats.
    """
    told = blocks * seats * (seats - 1) * 3 / (seats + 1) / 4
    others = (seats - 1) / seats
    return math.inf if not told else 1.96 * POINTS * others * math.sqrt(SCATTER / told)


def _unreachable_stops(spec: Specification, ladder: Ladder, pace: Pace) -> list[Problem]:
    stop, problems = ladder.stopping, []
    window, seats = _window(spec), max(spec.seats)
    if stop.minutes is not None and window is not None and stop.minutes > window:
        message = (
            f"{stop.minutes} minutes are never over: the ladder ends after {round(window, 1):g}"
        )
        problems.append(Problem("format.stopping.minutes", message))
    limits = [limit for limit in (stop.minutes, window) if limit is not None]
    minutes = min(limits) if limits else None
    most = math.inf if minutes is None else pace.matches(minutes) / min(spec.seats)
    if stop.blocks_per_bot is not None and stop.blocks_per_bot > most:
        message = (
            f"{stop.blocks_per_bot} blocks for each bot cannot be played in {round(minutes or 0, 1):g} "
            f"minutes: at {pace.match_ms} ms a match and {pace.at_once} at once, {most:.0f} can"
        )
        problems.append(Problem("format.stopping.blocks_per_bot", message))
    if stop.interval is not None:
        blocks = min(most, math.inf if stop.blocks_per_bot is None else stop.blocks_per_bot)
        reached = narrowest_interval(min(blocks, MOST_BLOCKS), seats)
        if stop.interval < reached:
            ends = (
                f"even {MOST_BLOCKS} blocks for each bot"
                if blocks > MOST_BLOCKS
                else f"the ladder ends after {blocks:.0f} blocks for each bot, which"
            )
            message = f"±{stop.interval:g} is never reached: {ends} leave ±{reached:.1f} at best"
            problems.append(Problem("format.stopping.interval", message))
    return problems


def _unrated_stops(ladder: Ladder) -> list[Problem]:
    """Return the stops that go by rated blocks and by ratings, which a casual ladder does not have."""
    stop = ladder.stopping
    return [
        Problem(f"format.stopping.{name}", "is never reached: nothing on a casual ladder is rated")
        for name, value in (("blocks_per_bot", stop.blocks_per_bot), ("interval", stop.interval))
        if value is not None
    ]


def _unreachable_end(spec: Specification, pace: Pace) -> list[Problem]:
    """Tell whether one bot's matches fit between start and end, if as many enter as may."""
    window, matches = _window(spec), _matches_of_one(spec)
    if window is None or pace.minutes(matches) <= window:
        return []
    message = (
        f"the end comes after {round(window, 1):g} minutes, but a bot has {matches:.0f} matches to play, "
        f"which take {pace.minutes(matches):.1f} at {pace.match_ms} ms each and {pace.at_once} at once"
    )
    return [Problem("ends_ms", message)]


def _matches_of_one(spec: Specification) -> float:
    """Return how many matches the busiest bot has at the least, 0 where nobody knows yet."""
    entrants = spec.entry.entrants
    match spec.format:
        case RoundRobin(cycles, blocks):
            each = sum(seats * max(0, entrants - 1) / (seats - 1) for seats in spec.seats)
            return each * cycles * blocks * len(spec.rulesets)
        case Gauntlet(challengers, blocks):
            field = max(0, entrants - len(challengers))
            each = sum(seats * field / (seats - 1) for seats in spec.seats)
            return each * blocks * len(spec.rulesets)
        case Swiss(rounds, blocks):
            return 2.0 * (rounds or math.ceil(math.log2(max(1, entrants)))) * blocks
        case Knockout(best_of):
            return 2.0 * math.ceil(math.log2(max(1, entrants))) * (best_of // 2 + 1)
        case Ladder():
            return 0.0


def _window(spec: Specification) -> float | None:
    """Return the minutes between start and end, None if there is no end or the start is not known."""
    if spec.starts_ms is None or spec.ends_ms is None:
        return None
    return (spec.ends_ms - spec.starts_ms) / MINUTE_MS
