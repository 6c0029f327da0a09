"""What may be tuned about the director. Times are in seconds."""

from dataclasses import dataclass
from typing import Final

from shoal.competition.specification import Ladder, Specification


def ladder(name: str, ruleset: str, seats: tuple[int, ...] = (2, 3, 4)) -> Specification:
    """Return a ladder as a competition; its name is its id."""
    return Specification(name, Ladder(), rulesets=(ruleset,), seats=seats)


MAIN: Final = ladder("main", "base")
"""The ladder that every server has."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How often the director looks, and how long it waits."""

    ladders: tuple[Specification, ...] = (MAIN,)
    """Made at the start if they are not there."""

    lease: float = 5.0
    """How long the lease outlives its holder."""

    tick: float = 0.5
    """The longest time between two looks at who is free."""

    breath: float = 0.02
    """The shortest time between them."""

    poll: float = 1.0
    """The longest time between two looks at the outboxes."""

    cool_off: float = 10.0
    """How long a bot that did not answer is left alone."""

    absence: float = 60.0
    """After how long without a bot its blocks of a tournament are started without it, to be forfeited."""

    recall: float = 30.0
    """Within what time a bot that is away is asked for again, though nobody has said that it came."""

    lately: float = 3600.0
    """For how long a bot of a ladder may be away until its stopping rule is applied without it."""

    challenge_rest: float = 10.0
    """How long after a casual match a bot is left to competitions."""

    first_retrial: float = 30.0
    """How long a paused bot of a ladder waits for its next trial; it doubles with each that it fails."""

    last_retrial: float = 3600.0
    """The longest such wait."""

    check: float = 10.0
    """How often it is looked whether the matches in play are still there."""

    attempts: int = 5
    """How often, a tick apart, a match is tried to be created."""

    tidy: float = 5.0
    """How often the lists of live matches of some bots are looked through."""

    settled: float = 5.0
    """For how long a match must have been seen to be over until it is taken from a list that still has it."""

    retention: float = 7 * 86_400.0
    """How long a match stays in the store after its end, where there is an archive."""

    archive: float = 5.0
    """How often it is looked for matches that may go into the archive."""

    adjust: float = 5.0
    """How often it is looked for results of which luck is not noted yet."""

    publish: float = 180.0
    """How often ratings are worked out anew from all that was played, where something has changed."""

    first_delay: float = 0.1
    """The first wait after a failure; it doubles up to the last."""

    last_delay: float = 2.0
