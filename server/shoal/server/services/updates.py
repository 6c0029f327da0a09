"""Updates of a bot: from what is marked in its session to the message that is sent.

Tables are read here, at the moment of sending, so that a message is never older than it need be.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, final

from google.protobuf.duration_pb2 import Duration

from shoal.engine import observe, redact
from shoal.match import Phase
from shoal.server.hub.table import Table
from shoal.server.play.receipts import Receipt
from shoal.server.status import status_of
from shoal.server.streams.session import (
    Answer,
    End,
    History,
    Marks,
    MoveResult,
    Session,
    Signal,
)
from shoal.v1 import play_service_pb2 as pb
from shoal.wire.events import event_bytes
from shoal.wire.matches import PHASES, match_message, result_message
from shoal.wire.observation import decision_bytes, observation_bytes
from shoal.wire.parts import Wrap, nested, number

LEAST_KIT = "0.1.0"
RECOMMENDED_KIT = "0.1.0"
RECONNECT_AFTER_MS = 500

_ENDS = {
    End.CLIENT_CLOSED: pb.STREAM_END_REASON_CLIENT_CLOSED,
    End.SUPERSEDED: pb.STREAM_END_REASON_SUPERSEDED,
    End.DRAINING: pb.STREAM_END_REASON_DRAINING,
    End.TOKEN_REVOKED: pb.STREAM_END_REASON_TOKEN_REVOKED,
}

_SIGNALS = {each: pb.Signal.Value(f"SIGNAL_{each.name}") for each in Signal}

_UPDATE = nested(pb.PlayResponse, "updates")
_MOVE_RESULT = nested(pb.Update, "move_result")
_RECEIPT = nested(pb.MoveResult, "receipt")
_MATCH_UPDATE = nested(pb.Update, "match_update")
_MATCH_FINISHED = nested(pb.Update, "match_finished")
_SNAPSHOT = nested(pb.Update, "snapshot")
_SNAPSHOT_MATCH = nested(pb.Snapshot, "matches")
_VERSION = number(pb.MatchUpdate, "version")
_EVENT = nested(pb.MatchUpdate, "events")
_OBSERVATION = nested(pb.MatchUpdate, "observation")
_DECISION = nested(pb.MatchUpdate, "decision")
_MATCH = nested(pb.MatchUpdate, "match")
_LAST_EVENT = nested(pb.MatchFinished, "events")


@final
class SnapshotPart(NamedTuple):
    """One match in the first PlayResponse: in its snapshot, or, if it is over, as an update behind that."""

    live: bytes
    finished: bytes


def snapshot_part(session: Session, table: Table) -> SnapshotPart:
    """Return what the first PlayResponse of a stream says of one match."""
    if table.over:
        return SnapshotPart(b"", _UPDATE(_MATCH_FINISHED(finished_bytes(session, table))))
    return SnapshotPart(_SNAPSHOT_MATCH(match_bytes(session, table)), b"")


def snapshot_response(session: Session, version: str, parts: Sequence[SnapshotPart]) -> bytes:
    """Return the first PlayResponse of a stream: every live match, and the ends that were missed."""
    head = pb.Snapshot(
        bot_id=session.bot_id,
        bot_name=session.bot_name,
        least_kit_version=LEAST_KIT,
        recommended_kit_version=RECOMMENDED_KIT,
        server_version=version,
    )
    snapshot = [head.SerializeToString(), *(part.live for part in parts)]
    return _UPDATE(_SNAPSHOT(b"".join(snapshot))) + b"".join(part.finished for part in parts)


def response_of(session: Session, marks: Marks) -> bytes:
    """Return the PlayResponse for what is marked; it may be empty when all of it was sent before."""
    updates = [_answer(answer) for answer in marks.answers]
    for match_id, table in marks.tables.items():
        if match_id not in session.tables:
            continue
        if table.over:
            updates.append(_MATCH_FINISHED(finished_bytes(session, table)))
        elif session.is_news(table):
            updates.append(_MATCH_UPDATE(match_bytes(session, table)))
    if marks.heartbeat and not updates:
        updates.append(pb.Update(heartbeat=pb.Heartbeat()).SerializeToString())
    if marks.end is not None:
        updates += _end(marks.end)
    return b"".join(map(_UPDATE, updates))


def receipt_message(receipt: Receipt) -> pb.MoveReceipt:
    """Return a receipt."""
    option, version, think_ms, limit_ms, overhead_us, bank_ms, repeated = receipt
    message = pb.MoveReceipt(
        option_id=option,
        version=version,
        think_ms=think_ms,
        limit_ms=limit_ms,
        overhead_us=overhead_us,
        already=repeated,
        bank_ms=bank_ms,
    )
    if think_ms > limit_ms:
        message.leeway_used_ms = think_ms - limit_ms
    return message


def match_bytes(session: Session, table: Table) -> bytes:
    """Return a MatchUpdate, a match as the bot's seat may see it, and note what it was told."""
    match = table.match
    match_id = match.meta.match_id
    seat = table.seat_by_bot[session.bot_id]
    parts = [
        _place(match_id, match.phase, seat),
        _VERSION[match.version],
        history_bytes(_EVENT, session.unseen(table), seat),
    ]
    if match.game is not None:
        parts.append(_OBSERVATION(observation_bytes(observe(match.game, seat))))
    asked = match.asked
    if asked is not None and asked.seat == seat:
        table.put(session.since)
        decision = decision_bytes(asked, match.decision_id, match.limit_ms, table.remaining_ms())
        parts.append(_DECISION(decision))
    if match.meta.time.has_banks:
        parts.append(pb.MatchUpdate(bank_ms=match.banks).SerializeToString())
    if match_id not in session.told:
        parts.append(_MATCH(match_message(match, session.bot_id).SerializeToString()))
    session.tell(table)
    return b"".join(parts)


def finished_bytes(session: Session, table: Table) -> bytes:
    """Return a MatchFinished, the end of a match, and forget the match."""
    match = table.match
    match_id = match.meta.match_id
    seat = table.seat_by_bot[session.bot_id]
    head = pb.MatchFinished(
        match_id=match_id, version=match.version, seat=seat, result=result_message(match)
    )
    events = history_bytes(_LAST_EVENT, session.unseen(table), seat)
    session.let_go(match_id)
    return head.SerializeToString() + events


def history_bytes(event: Wrap, history: History, seat: int | None) -> bytes:
    """Return what a seat, or a spectator, may know of some versions' events, each as a field `event`."""
    return b"".join(
        [
            event(event_bytes(version, redact(each, seat)))
            for version, events in history
            for each in events
        ]
    )


def _answer(answer: Answer) -> bytes:
    """Return the update that answers a move or signal."""
    if isinstance(answer, MoveResult):
        result = pb.MoveResult(match_id=answer.match_id, decision_id=answer.decision_id)
        if isinstance(answer.outcome, Receipt):
            receipt = receipt_message(answer.outcome).SerializeToString()
            return _MOVE_RESULT(result.SerializeToString() + _RECEIPT(receipt))
        result.error.CopyFrom(status_of(answer.outcome))
        return _MOVE_RESULT(result.SerializeToString())
    refused = pb.SignalRefused(
        match_id=answer.match_id,
        signal=_SIGNALS[answer.signal],
        error=status_of(answer.refusal),
    )
    return pb.Update(signal_refused=refused).SerializeToString()


@lru_cache(maxsize=8_192)
def _place(match_id: str, phase: Phase, seat: int) -> bytes:
    """Return the fields of a MatchUpdate that stay as they are while a match is played."""
    return pb.MatchUpdate(match_id=match_id, status=PHASES[phase], seat=seat).SerializeToString()


def _end(reason: End) -> list[bytes]:
    """Return the updates that end a stream."""
    updates = [pb.Update(stream_end=pb.StreamEnd(reason=_ENDS[reason]))]
    if reason is End.DRAINING:
        after = Duration()
        after.FromMilliseconds(RECONNECT_AFTER_MS)
        updates.insert(0, pb.Update(draining=pb.Draining(reconnect_after=after)))
    return [update.SerializeToString() for update in updates]
