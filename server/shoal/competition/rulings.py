"""What an organizer has decided about a competition: who is not paired, and which results do not count.

What counts is a question of the results and of this alone, so ratings and standings can be worked out again
at any time. A match that does not count is played again while its block is in play; a block that is over
stays where the plan has it, since later pairings were built on it, but nothing of it counts.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Exclusion:
    """A bot that is not paired: since when (wall time in ms), and why.

    `left` says that a tournament has let it leave because of that: it did not leave by itself before.
    """

    at_ms: int
    why: str = ""
    left: bool = False


@final
@dataclass(frozen=True, slots=True)
class Uncounted:
    """A time of which results do not count: of matches with this bot, or of all if `bot_id` is empty.

    By when they ended, in ms of wall time: the first moment of it, and the first after it, None while it
    goes on.
    """

    bot_id: str
    from_ms: int
    until_ms: int | None = None
    why: str = ""


@final
@dataclass(frozen=True, slots=True)
class Rulings:
    """All that was decided. `number` grows whenever what counts may be another than before."""

    excluded: Mapping[str, Exclusion] = field(default_factory=dict)
    uncounted: tuple[Uncounted, ...] = ()
    voided: Mapping[str, str] = field(default_factory=dict)
    """Why, by match id."""

    number: int = 0


def counts(rulings: Rulings, match_id: str, bots: Collection[str], ended_ms: int) -> bool:
    """Tell whether the result of a match counts."""
    return match_id not in rulings.voided and not any(
        time.bot_id in {"", *bots} and _covers(time, ended_ms) for time in rulings.uncounted
    )


def with_excluded(
    rulings: Rulings, bot_id: str, exclusion: Exclusion, uncounted: Uncounted | None
) -> Rulings:
    """Return the rulings with a bot excluded, one that is stays so; and a time of it that does not count."""
    excluded = {bot_id: exclusion, **rulings.excluded}
    after = replace(rulings, excluded=excluded)
    return after if uncounted is None else with_uncounted(after, uncounted)


def with_readmitted(rulings: Rulings, bot_id: str, now_ms: int, *, restore: bool) -> Rulings:
    """Return the rulings with a bot readmitted: from now on it counts, or, with `restore`, it always did."""
    excluded = {bot: one for bot, one in rulings.excluded.items() if bot != bot_id}
    uncounted = tuple(
        replace(one, until_ms=now_ms) if one.bot_id == bot_id and one.until_ms is None else one
        for one in rulings.uncounted
        if not (restore and one.bot_id == bot_id)
    )
    number = rulings.number + (uncounted != rulings.uncounted)
    return replace(rulings, excluded=excluded, uncounted=uncounted, number=number)


def with_uncounted(rulings: Rulings, uncounted: Uncounted) -> Rulings:
    """Return the rulings with a time that does not count; one that is there already stays as it is."""
    if any(replace(one, why="") == replace(uncounted, why="") for one in rulings.uncounted):
        return rulings
    more = (*rulings.uncounted, uncounted)
    return replace(rulings, uncounted=more, number=rulings.number + 1)


def with_voided(rulings: Rulings, match_id: str, why: str) -> Rulings:
    """Return the rulings with a match that does not count."""
    if match_id in rulings.voided:
        return rulings
    voided = {**rulings.voided, match_id: why}
    return replace(rulings, voided=voided, number=rulings.number + 1)


def _covers(time: Uncounted, ended_ms: int) -> bool:
    return time.from_ms <= ended_ms and (time.until_ms is None or ended_ms < time.until_ms)
