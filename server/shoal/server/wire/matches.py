"""Matches, their results and their logs as messages."""

from google.protobuf.timestamp_pb2 import Timestamp

from shoal.match import (
    EntryKind,
    LeaveReason,
    LoggedEntry,
    Match,
    Phase,
    Termination,
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
_LEFT = {
    LeaveReason.NONE: None,
    LeaveReason.RESIGNED: match_pb2.LEAVE_REASON_RESIGNED,
    LeaveReason.STRIKES: match_pb2.LEAVE_REASON_STRIKES,
    LeaveReason.NO_SHOW: match_pb2.LEAVE_REASON_NO_SHOW,
}
_KINDS = {
    each: match_service_pb2.LogEntryKind.Value(f"LOG_ENTRY_KIND_{each.name}") for each in EntryKind
}


def timestamp(milliseconds: int) -> Timestamp:
    """Return a wall-clock time in milliseconds as a message."""
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def match_message(match: Match) -> match_pb2.Match:
    """Return the match as anybody may see it."""
    meta = match.meta
    message = match_pb2.Match(
        match_id=meta.match_id,
        status=PHASES[match.phase],
        ruleset=meta.ruleset,
        ruleset_version=meta.ruleset_version,
        time_control=match_pb2.TimeControl(move_ms=meta.move_ms, max_strikes=meta.max_strikes),
        seats=[
            match_pb2.Seat(seat=seat, bot_id=each.bot_id, bot_name=each.bot_name)
            for seat, each in enumerate(meta.seats)
        ],
        ladder_id=meta.ladder,
        rated=meta.rated,
        create_time=timestamp(meta.created_ms),
        version=match.version,
        seed_commitment=bytes.fromhex(meta.commitment),
    )
    if match.phase is Phase.FINISHED:
        message.result.CopyFrom(result_message(match))
    return message


def result_message(match: Match) -> match_pb2.MatchResult:
    """Return how a finished match ended."""
    assert match.termination is not None
    return match_pb2.MatchResult(
        termination=_TERMINATIONS[match.termination],
        seats=[
            match_pb2.SeatResult(
                seat=each.seat,
                placement=each.placement,
                total=each.total,
                left=_LEFT[each.left],
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
        ready_ms=match.meta.ready_ms,
        server_version=match.meta.server_version,
    )


def _leaving(match: Match, entries: list[LoggedEntry]) -> set[int]:
    """Return the versions with which seats left.

    A seat that has left is not asked again: the silence that made it leave is its last one.
    """
    last_silence = {}
    leaving = set()
    for version, (entry, *_) in enumerate(entries, start=1):
        if entry.kind is EntryKind.RESIGN:
            leaving.add(version)
        elif entry.kind is EntryKind.DEFAULT and match.left[entry.seat] is LeaveReason.STRIKES:
            last_silence[entry.seat] = version
    return leaving | set(last_silence.values())


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
    if isinstance(entry.value, int):
        message.option_id = entry.value
    return message
