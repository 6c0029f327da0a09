"""What a finished match means for each seat, and as the message that the director reads."""

import json
from typing import NamedTuple, final

from shoal.match.model import LeaveReason, Match, Termination

RATED = frozenset({Termination.TARGET, Termination.MERMAIDS, Termination.LAST_SEAT})
"""The endings that count for ratings, in a rated match."""


@final
class SeatOutcome(NamedTuple):
    """What one seat got: placement 1 is the best, and ties share one (1, 1, 3)."""

    seat: int
    placement: int
    total: int
    left: LeaveReason


def outcomes(match: Match) -> list[SeatOutcome]:
    """Return what each seat got; placements are 0 where nothing was decided (no-show, void, aborted)."""
    result = match.game.result if match.game is not None else None
    seats = range(len(match.meta.seats))
    if result is None:
        return [SeatOutcome(seat, 0, 0, match.left[seat]) for seat in seats]
    return [
        SeatOutcome(seat, result.ranks[seat], result.totals[seat], match.left[seat])
        for seat in seats
    ]


def outbox_payload(match: Match) -> bytes:
    """Return the finished match as the director reads it from the outbox (JSON)."""
    assert match.termination is not None
    seats = outcomes(match)
    return json.dumps(
        {
            "match": match.meta.match_id,
            "ladder": match.meta.ladder,
            "rated": match.meta.rated and match.termination in RATED,
            "ruleset": match.meta.ruleset,
            "bots": [seat.bot_id for seat in match.meta.seats],
            "placements": [seat.placement for seat in seats],
            "totals": [seat.total for seat in seats],
            "termination": match.termination.value,
            "void": match.void.value,
            "left": [seat.left.value for seat in seats],
            "created_ms": match.meta.created_ms,
        }
    ).encode()
