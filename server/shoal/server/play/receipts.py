"""What a move is answered with: its receipt, or why it does not count."""

import re
from typing import NamedTuple, final

from shoal.match import Match, Phase, outcomes
from shoal.server.errors import Reason, Refusal, malformed

_DECISION_ID = re.compile(r"([1-9][0-9]{0,8})\.([0-9a-f]{12})")


@final
class Receipt(NamedTuple):
    """A move that counts. Times: `think_ms` was charged of `limit_ms`, `overhead_us` was ours.

    `bank_ms` is what the seat's bank has now.
    """

    option: int
    version: int
    think_ms: int
    limit_ms: int
    overhead_us: int
    bank_ms: int
    repeated: bool


def asked_at_version(decision_id: str) -> tuple[int, str]:
    """Return the version at which a decision was asked, and the piece of that version's rev.

    Raise the refusal of a malformed id.
    """
    parts = _DECISION_ID.fullmatch(decision_id)
    if parts is None:
        raise malformed("decision_id", "not one that this server gave out")
    return int(parts[1]), parts[2]


def expired(elapsed_ms: int, limit_ms: int) -> Refusal:
    """Return the refusal of a move that came too late."""
    return Refusal(
        Reason.TIME_EXPIRED,
        f"the time for this decision ran out: {elapsed_ms} ms of {limit_ms} ms",
        elapsed_ms=elapsed_ms,
        limit_ms=limit_ms,
    )


def closed(match: Match, seat: int) -> Refusal:
    """Return why a decision is not open, whichever of the reasons it is."""
    if match.phase is Phase.FINISHED:
        return over(match)
    if match.game is not None and seat in match.game.left:
        return Refusal(Reason.SEAT_LEFT, f"the seat has left the match: {match.left[seat].value}")
    asked = match.asked
    if asked is None or asked.seat != seat:
        return Refusal(Reason.NO_OPEN_DECISION, "the seat is not asked for anything now")
    return Refusal(
        Reason.STALE_DECISION,
        "this decision is not the open one",
        decision_id=match.decision_id,
    )


def over(match: Match) -> Refusal:
    """Return the refusal of anything that a finished match no longer takes."""
    assert match.termination is not None
    return Refusal(
        Reason.MATCH_OVER,
        f"the match is over: {match.termination.value}",
        termination=f"TERMINATION_{match.termination.name}",
        placements=",".join(str(each.placement) for each in outcomes(match)),
        totals=",".join(str(each.total) for each in outcomes(match)),
    )
