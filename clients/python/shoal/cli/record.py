"""Records where the command meets them: in files of both notations, and from a server."""

import sys
from dataclasses import replace
from pathlib import Path

from shoal.cli.files import unread
from shoal.client import pb
from shoal.match import (
    DECIDING,
    Entry,
    EntryKind,
    LeaveReason,
    MatchMeta,
    SeatMeta,
    Termination,
    TimeControl,
    VoidReason,
)
from shoal.record import (
    LARGEST_FILE,
    BadRecord,
    LogEntry,
    Outcome,
    Record,
    Retelling,
    SeatResult,
    from_json,
    from_text,
)

MESSAGE_FORMAT = 1
"""The format of the message that is read here."""

STDIN = "-"


def read_record(file: str) -> Record:
    """Return the record in a file, of either notation, or on standard input; raise BadRecord."""
    try:
        if file == STDIN:
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadRecord("", unread(error)) from None
    except ValueError as error:
        raise BadRecord("", str(error)) from None
    if len(data) > LARGEST_FILE:
        raise BadRecord("", f"not a record: larger than {LARGEST_FILE >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")  # editors on Windows begin a file with a byte order mark
    except UnicodeDecodeError:
        raise BadRecord("", "not a record: not UTF-8 text") from None
    if not text.strip():
        raise BadRecord("", "not a record: empty")
    return from_json(text) if text.lstrip().startswith(("{", "[")) else from_text(text)


def record_of(message: pb.MatchRecord) -> Record:
    """Return the record that a server's message is; raise BadRecord where it cannot be followed.

    What the message says stands in the record, true or not: `verify` compares it with what it leads to.
    """
    if message.format != MESSAGE_FORMAT:
        raise BadRecord("format", f"{message.format}, this version reads {MESSAGE_FORMAT}")
    retelling = Retelling(_meta(message), message.server_seed)
    entries = [
        _entry(retelling, message, place, said) for place, said in enumerate(message.entries)
    ]
    if retelling.match.termination is None:
        raise BadRecord("entries", f"after {len(entries)} of them the match is not over")
    return replace(retelling.record(entries), result=_result(message.match.result))


def _meta(message: pb.MatchRecord) -> MatchMeta:
    """Return what was fixed before the match."""
    match = message.match
    return MatchMeta(
        match_id=match.match_id,
        ruleset=match.ruleset,
        ruleset_version=match.ruleset_version,
        seats=tuple(SeatMeta(seat.bot_id, seat.bot_name) for seat in match.seats),
        time=TimeControl(
            move_ms=match.time_control.move_ms,
            max_strikes=match.time_control.max_strikes,
            ready_ms=message.ready_ms,
            bank_ms=match.time_control.bank_ms,
            increment_ms=match.time_control.increment_ms,
            max_illegal=match.time_control.max_illegal,
            match_ms=match.time_control.match_ms,
        ),
        ladder=match.ladder_id,
        rated=match.rated,
        created_ms=match.create_time.ToMilliseconds(),
        commitment=match.seed_commitment.hex(),
        server_version=message.server_version,
    )


def _entry(
    retelling: Retelling, message: pb.MatchRecord, place: int, said: pb.LogEntry
) -> LogEntry:
    """Return a log entry with what follows from it."""
    name = pb.LogEntryKind.Name(said.kind).removeprefix("LOG_ENTRY_KIND_").lower()
    seat = said.seat if said.HasField("seat") else -1
    value: int | str = ""
    try:
        kind = EntryKind(name)
        if kind is EntryKind.READY:
            value = message.nonces[seat].hex()
        elif kind is EntryKind.CREDIT:
            value = said.credit_ms
        elif kind is EntryKind.VOID:
            value = _void(message.match.result).value
        elif kind in DECIDING or kind is EntryKind.ILLEGAL:
            value = said.option_id
        told = retelling.tell(Entry(kind, seat, value), said.at_ms, said.think_ms, said.rev)
    except BadRecord as error:
        raise BadRecord(f"entries[{place}].{error.path}", error.problem) from None
    except (ValueError, IndexError):
        raise BadRecord(f"entries[{place}]", f"{name} of seat {seat} is not known here") from None
    answer = told.answer and replace(told.answer, decision_id=said.decision_id)
    return replace(told, version=said.version, left=said.left, answer=answer)


def _result(message: pb.MatchResult) -> Outcome:
    """Return how the match ended."""
    name = pb.Termination.Name(message.termination).removeprefix("TERMINATION_").lower()
    try:
        return Outcome(
            Termination(name),
            tuple(
                SeatResult(
                    each.placement, each.total, _left(each.left) if each.HasField("left") else None
                )
                for each in message.seats
            ),
            _void(message) if message.void_reason else None,
        )
    except ValueError:
        raise BadRecord("result", f"{name} is not known here") from None


def _void(message: pb.MatchResult) -> VoidReason:
    """Return why the match is void."""
    if not message.void_reason:
        return VoidReason.NONE
    name = pb.VoidReason.Name(message.void_reason)
    return VoidReason(name.removeprefix("VOID_REASON_").lower())


def _left(reason: pb.LeaveReason.ValueType) -> LeaveReason:
    """Return why a seat left."""
    return LeaveReason(pb.LeaveReason.Name(reason).removeprefix("LEAVE_REASON_").lower())
