"""A finished match as text: its record, replayed through the engine."""

import hashlib
import hmac
from collections.abc import Iterator

from shoal.client import pb
from shoal.engine import (
    Event,
    RoundStarted,
    State,
    apply,
    format_event,
    leave,
    move_from_code,
    new_match,
    opening_events,
    ruleset,
)

FORMAT = 1
"""The format of records that is read here."""


class BadRecord(ValueError):
    """A record that says something else than was promised, or in a format of later."""


def check(record: pb.MatchRecord) -> None:
    """Raise BadRecord unless the format is known and the seed is the one that was committed to."""
    if record.format != FORMAT:
        raise BadRecord(f"its format is {record.format}, this version reads {FORMAT}")
    if hashlib.sha256(record.server_seed).digest() != record.match.seed_commitment:
        raise BadRecord("its seed is not the one that the server committed to before the deal")


def replay(record: pb.MatchRecord) -> Iterator[tuple[pb.LogEntry, list[Event]]]:
    """Yield each log entry and what it made happen; raise BadRecord, and EngineError where it could not.

    Must agree with the rules of docs/engine.md by which the server applies an entry.
    """
    check(record)
    seats = len(record.match.seats)
    ready = 0
    state: State | None = None
    for entry in record.entries:
        events: list[Event] = []
        match entry.kind:
            case pb.LOG_ENTRY_KIND_READY:
                ready += 1
                if ready == seats:
                    state = _deal(record)
                    events = opening_events(state)
            case pb.LOG_ENTRY_KIND_MOVE | pb.LOG_ENTRY_KIND_DEFAULT if state is not None:
                events = apply(state, move_from_code(entry.option_id))
            case _:
                pass
        if entry.left and state is not None:
            events += leave(state, entry.seat)
        yield entry, events


def lines_of(record: pb.MatchRecord) -> Iterator[str]:
    """Yield the match as lines for people: version of the log, seconds since its first entry, what was."""
    begin = record.entries[0].at_ms if record.entries else 0
    for entry, events in replay(record):
        place = f"{entry.version:5}  {(entry.at_ms - begin) / 1000:8.2f} s"
        if entry.kind == pb.LOG_ENTRY_KIND_DEFAULT:
            yield f"{place}  seat {entry.seat} is silent, its default is played"
        elif entry.kind != pb.LOG_ENTRY_KIND_MOVE:
            name = pb.LogEntryKind.Name(entry.kind).removeprefix("LOG_ENTRY_KIND_")
            who = f"seat {entry.seat} " if entry.HasField("seat") else ""
            yield f"{place}  {who}{name.lower().replace('_', ' ')}"
        for event in events:
            if isinstance(event, RoundStarted):
                yield ""
            yield f"{place}  {format_event(event)}"


def _deal(record: pb.MatchRecord) -> State:
    """Return the match as it was dealt: its seed is the server's, keyed over the seats' nonces."""
    message = b"".join(bytes([len(nonce)]) + nonce for nonce in record.nonces)
    seed = hmac.digest(record.server_seed, message, "sha256")
    return new_match(ruleset(record.match.ruleset), len(record.match.seats), seed)
