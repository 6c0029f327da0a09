"""Who may enter a competition, and what for not."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from shoal.competition.plan import Entrant
from shoal.competition.size import most_entrants
from shoal.competition.specification import Ladder, Specification


@unique
class Refusal(Enum):
    """Why a bot may not enter."""

    NOT_OPEN_YET = "entries are not open yet"
    CLOSED = "entries are closed"
    STARTED = "it has begun"
    NOT_INVITED = "it is for those who are invited"
    OWNER_FULL = "its owner has as many bots in it as one may have"
    FULL = "as many have entered as may"
    ENTERED = "it has entered already"


@final
@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal with its number: a moment in ms, or how many there may be; 0 where there is none."""

    refusal: Refusal
    number: int = 0


def refused(
    specification: Specification, entrants: Sequence[Entrant], bot: Entrant, now_ms: int
) -> Refused | None:
    """Return why a bot may not enter now, None if it may. Who has left does not take a place.

    A ladder may be entered while it runs; anything else closes when it starts at the latest, and is full, if
    no number is given, when its plan would be too large.
    """
    entry, starts_ms = specification.entry, specification.starts_ms
    here = [one for one in entrants if one.gone_from is None]
    siblings = sum(one.owner == bot.owner != "" for one in here)
    has_begun = starts_ms is not None and now_ms >= starts_ms
    is_ladder = isinstance(specification.format, Ladder)
    most = entry.entrants or (0 if is_ladder else most_entrants(specification))
    reasons = (
        (
            entry.opens_ms is not None and now_ms < entry.opens_ms,
            Refusal.NOT_OPEN_YET,
            entry.opens_ms,
        ),
        (
            entry.closes_ms is not None and now_ms >= entry.closes_ms,
            Refusal.CLOSED,
            entry.closes_ms,
        ),
        (has_begun and not is_ladder, Refusal.STARTED, starts_ms),
        (bool(entry.invited) and bot.bot_id not in entry.invited, Refusal.NOT_INVITED, 0),
        (any(one.bot_id == bot.bot_id for one in here), Refusal.ENTERED, 0),
        (0 < entry.bots_per_owner <= siblings, Refusal.OWNER_FULL, entry.bots_per_owner),
        (0 < most <= len(here), Refusal.FULL, most),
    )
    return next((Refused(why, number or 0) for applies, why, number in reasons if applies), None)
