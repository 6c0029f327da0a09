"""What a move is answered with, and how an answer of before is found again in the log."""

import re
from typing import NamedTuple, final

from shoal.match import DECIDING, EntryKind, LoggedEntry, Match, Phase, bank_after, outcomes
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


def answer_again(
    match: Match,
    seat: int,
    decision_id: str,
    option: int,
    before: list[LoggedEntry],
    after: list[LoggedEntry],
) -> Receipt:
    """Answer for a decision that is not open: from the log, or by saying why not.

    `before` is the log up to the entry that asked the decision, from its beginning where the time control
    has banks; `after` is what followed. Raise Refusal.
    """
    version, piece = asked_at_version(decision_id)
    if not before or not before[-1].rev.startswith(piece):
        raise closed(match, seat)
    for offset, logged in enumerate(after, start=1):
        entry = logged.entry
        if entry.decision_id != decision_id:
            continue
        if entry.seat != seat:
            raise closed(match, seat)
        limit_ms = _limit_at(match, seat, before)
        if entry.kind is not EntryKind.MOVE:
            raise expired(logged.think_ms, limit_ms)
        if entry.value != option:
            raise Refusal(
                Reason.DECISION_ALREADY_MADE,
                "this decision was answered with another option",
                option_id=entry.value,
            )
        bank_ms = match.banks[seat]
        return Receipt(
            option, version + offset, logged.think_ms, limit_ms, 0, bank_ms, repeated=True
        )
    raise closed(match, seat)


def _limit_at(match: Match, seat: int, before: list[LoggedEntry]) -> int:
    """Return what a seat was allowed for the decision that came after this log."""
    control = match.meta.time
    bank_ms = control.bank_ms
    if control.has_banks:
        for entry, _, think_ms, _ in before:
            if entry.seat == seat and entry.kind in DECIDING:
                moved = entry.kind is EntryKind.MOVE
                bank_ms = bank_after(control, bank_ms, think_ms, moved=moved)
    return control.move_ms + bank_ms


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
