"""Matches, their results and their logs as messages."""

from collections.abc import Mapping

from google.protobuf.timestamp_pb2 import Timestamp

from shoal.match import (
    EntryKind,
    LeaveReason,
    LoggedEntry,
    Match,
    Phase,
    Termination,
    VoidReason,
    outcomes,
)
from shoal.v1 import match_pb2, match_service_pb2

RECORD_FORMAT = 1
"""The format of the records that are made here: another number whenever a field changes its meaning."""

PHASES = {
    Phase.WAITING: match_pb2.MATCH_STATUS_WAITING,
    Phase.LIVE: match_pb2.MATCH_STATUS_LIVE,
    Phase.FINISHED: match_pb2.MATCH_STATUS_FINISHED,
}
_TERMINATIONS = {
    each: match_pb2.Termination.Value(f"TERMINATION_{each.name}") for each in Termination
}
_LEFT: Mapping[LeaveReason, match_pb2.LeaveReason.ValueType] = {
    each: match_pb2.LeaveReason.Value(f"LEAVE_REASON_{each.name}")
    for each in LeaveReason
    if each is not LeaveReason.NONE
}
_VOID: Mapping[VoidReason, match_pb2.VoidReason.ValueType] = {
    each: match_pb2.VoidReason.Value(f"VOID_REASON_{each.name}")
    for each in VoidReason
    if each is not VoidReason.NONE
}
_KINDS = {
    each: match_service_pb2.LogEntryKind.Value(f"LOG_ENTRY_KIND_{each.name}") for each in EntryKind
}


def termination(each: Termination) -> match_pb2.Termination.ValueType:
    """Return how a match ended."""
    return _TERMINATIONS[each]


def void_reason(each: VoidReason) -> match_pb2.VoidReason.ValueType:
    """Return why a match is void, unspecified if it is not."""
    return _VOID.get(each, match_pb2.VOID_REASON_UNSPECIFIED)


def leave_reason(each: LeaveReason) -> match_pb2.LeaveReason.ValueType:
    """Return why a seat left, unspecified if it did not."""
    return _LEFT.get(each, match_pb2.LEAVE_REASON_UNSPECIFIED)


def timestamp(milliseconds: int) -> Timestamp:
    """Return a wall-clock time in milliseconds as a message."""
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


EVERYBODY = "*"
"""Who sits everywhere: an organizer is told who sits at every seat."""


def match_message(match: Match, to: str = "") -> match_pb2.Match:
    """Return the match as a bot may see it, "" being no bot, and `EVERYBODY` an organizer.

    The only module that tells who sits where: it must not, for seats of others, while that is hidden.
    """
    meta = match.meta
    hidden = match.names_hidden and match.phase is not Phase.FINISHED
    message = match_pb2.Match(
        match_id=meta.match_id,
        status=PHASES[match.phase],
        ruleset=meta.ruleset,
        ruleset_version=meta.ruleset_version,
        time_control=match_pb2.TimeControl(
            move_ms=meta.time.move_ms,
            max_strikes=meta.time.max_strikes,
            bank_ms=meta.time.bank_ms,
            increment_ms=meta.time.increment_ms,
            max_illegal=meta.time.max_illegal,
            match_ms=meta.time.match_ms,
        ),
        seats=[
            match_pb2.Seat(seat=seat, bot_name=f"seat {seat}")
            if hidden and to not in {EVERYBODY, each.bot_id}
            else match_pb2.Seat(seat=seat, bot_id=each.bot_id, bot_name=each.bot_name)
            for seat, each in enumerate(meta.seats)
        ],
        ladder_id=meta.ladder,
        rated=meta.rated,
        create_time=timestamp(meta.created_ms),
        version=match.version,
        seed_commitment=bytes.fromhex(meta.commitment),
        names_hidden=match.names_hidden,
    )
    if match.phase is Phase.FINISHED:
        message.result.CopyFrom(result_message(match))
    return message


def result_message(match: Match) -> match_pb2.MatchResult:
    """Return how a finished match ended."""
    assert match.termination is not None
    return match_pb2.MatchResult(
        termination=_TERMINATIONS[match.termination],
        void_reason=void_reason(match.void),
        seats=[
            match_pb2.SeatResult(
                seat=each.seat,
                placement=each.placement,
                total=each.total,
                left=_LEFT.get(each.left),
            )
            for each in outcomes(match)
        ],
    )


def record_message(match: Match, entries: list[LoggedEntry]) -> match_service_pb2.MatchRecord:
    """Return all that there is to know of a finished match."""
    leaving = _leaving(match, entries)
    return match_service_pb2.MatchRecord(
        format=RECORD_FORMAT,
        match=match_message(match),
        server_seed=match.secret,
        nonces=[nonce or b"" for nonce in match.nonces],
        entries=[
            _entry(version, each, left=version in leaving)
            for version, each in enumerate(entries, start=1)
        ],
        ready_ms=match.meta.time.ready_ms,
        server_version=match.meta.server_version,
    )


def _leaving(match: Match, entries: list[LoggedEntry]) -> set[int]:
    """Return the versions with which seats left.

    A seat that has left is not heard of again: what made it leave is its last entry of that kind.
    """
    last: dict[int, int] = {}
    for version, (entry, *_) in enumerate(entries, start=1):
        if entry.seat >= 0 and match.left[entry.seat] in _LEAVING.get(entry.kind, ()):
            last[entry.seat] = version
    return set(last.values())


_LEAVING = {
    EntryKind.RESIGN: (LeaveReason.RESIGNED,),
    EntryKind.DEFAULT: (LeaveReason.STRIKES,),
    EntryKind.ABANDON: (LeaveReason.ABANDONED,),
    EntryKind.ILLEGAL: (LeaveReason.ILLEGAL,),
}
"""By kind of entry, how a seat may leave with it."""


def _entry(version: int, logged: LoggedEntry, *, left: bool) -> match_service_pb2.LogEntry:
    """Return one log entry; `left`: its seat left with it."""
    entry = logged.entry
    message = match_service_pb2.LogEntry(
        version=version,
        kind=_KINDS[entry.kind],
        decision_id=entry.decision_id,
        left=left,
        at_ms=logged.at_ms,
        think_ms=logged.think_ms,
        rev=logged.rev,
    )
    if entry.seat >= 0:
        message.seat = entry.seat
    if entry.kind is EntryKind.CREDIT:
        message.credit_ms = int(entry.value)
    elif isinstance(entry.value, int):
        message.option_id = entry.value
    return message
