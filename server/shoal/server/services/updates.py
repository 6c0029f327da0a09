"""Updates of a bot's stream: from what is marked in its session to the message that is sent.

Tables are read here, at the moment of sending, so that a message is never older than it need be.
"""

from google.protobuf.duration_pb2 import Duration
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

from shoal.engine import observe, redact
from shoal.server.hub.table import Table
from shoal.server.match import Phase
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
from shoal.server.wire.events import write_event
from shoal.server.wire.matches import PHASES, match_message, result_message
from shoal.server.wire.observation import write_decision, write_observation
from shoal.v1 import event_pb2, play_service_pb2

LEAST_KIT = "0.1.0"
RECOMMENDED_KIT = "0.1.0"
RECONNECT_AFTER_MS = 500

_ENDS = {
    End.CLIENT_CLOSED: play_service_pb2.STREAM_END_REASON_CLIENT_CLOSED,
    End.SUPERSEDED: play_service_pb2.STREAM_END_REASON_SUPERSEDED,
    End.DRAINING: play_service_pb2.STREAM_END_REASON_DRAINING,
    End.TOKEN_REVOKED: play_service_pb2.STREAM_END_REASON_TOKEN_REVOKED,
}

_SIGNALS = {each: play_service_pb2.Signal.Value(f"SIGNAL_{each.name}") for each in Signal}


def snapshot_response(session: Session, version: str, now: float) -> play_service_pb2.PlayResponse:
    """Return the first message of a stream: every live match, and the ends that were missed."""
    response = play_service_pb2.PlayResponse()
    snapshot = response.updates.add().snapshot
    snapshot.bot_id = session.bot_id
    snapshot.bot_name = session.bot_name
    snapshot.least_kit_version = LEAST_KIT
    snapshot.recommended_kit_version = RECOMMENDED_KIT
    snapshot.server_version = version
    for table in list(session.tables.values()):
        if table.over:
            _write_finished(response.updates.add().match_finished, session, table)
        else:
            _write_match(snapshot.matches.add(), session, table, now)
    return response


def response_of(session: Session, marks: Marks, now: float) -> play_service_pb2.PlayResponse:
    """Return the message for what is marked; it may be empty when all of it was sent before."""
    response = play_service_pb2.PlayResponse()
    updates = response.updates
    for answer in marks.answers:
        _write_answer(updates.add(), answer)
    for match_id, table in marks.tables.items():
        if match_id not in session.tables:
            continue
        if table.over:
            _write_finished(updates.add().match_finished, session, table)
        elif _is_news(session, table):
            _write_match(updates.add().match_update, session, table, now)
    if marks.heartbeat and not updates:
        updates.add().heartbeat.SetInParent()
    if marks.end is not None:
        if marks.end is End.DRAINING:
            after = Duration()
            after.FromMilliseconds(RECONNECT_AFTER_MS)
            updates.add().draining.reconnect_after.CopyFrom(after)
        updates.add().stream_end.reason = _ENDS[marks.end]
    return response


def write_receipt(out: play_service_pb2.MoveReceipt, receipt: Receipt) -> None:
    """Fill an empty receipt message."""
    out.option_id = receipt.option
    out.version = receipt.version
    out.think_ms = receipt.think_ms
    out.limit_ms = receipt.limit_ms
    out.overhead_us = receipt.overhead_us
    out.already = receipt.repeated


def write_history(
    out: RepeatedCompositeFieldContainer[event_pb2.Event],
    history: History,
    seat: int | None,
) -> None:
    """Add what a seat, or a spectator, may know of the events of some versions."""
    for version, events in history:
        for event in events:
            write_event(out.add(), version, redact(event, seat))


def _is_news(session: Session, table: Table) -> bool:
    """Tell whether the bot was not told this yet."""
    match = table.match
    if session.follow and session.seen[match.meta.match_id] < match.version:
        return True
    return session.told.get(match.meta.match_id) != _question(session, table)


def _question(session: Session, table: Table) -> str:
    """Return what the bot is asked: the decision, readiness, or nothing."""
    match = table.match
    if match.phase is Phase.WAITING:
        return "ready?"
    asked = match.asked
    if asked is not None and asked.seat == table.seat_by_bot[session.bot_id]:
        return match.decision_id
    return ""


def _write_answer(out: play_service_pb2.Update, answer: Answer) -> None:
    """Fill an update with the answer to a move or signal."""
    if isinstance(answer, MoveResult):
        result = out.move_result
        result.match_id = answer.match_id
        result.decision_id = answer.decision_id
        if isinstance(answer.outcome, Receipt):
            write_receipt(result.receipt, answer.outcome)
        else:
            result.error.CopyFrom(status_of(answer.outcome))
    else:
        out.signal_refused.match_id = answer.match_id
        out.signal_refused.signal = _SIGNALS[answer.signal]
        out.signal_refused.error.CopyFrom(status_of(answer.refusal))


def _write_match(
    out: play_service_pb2.MatchUpdate, session: Session, table: Table, now: float
) -> None:
    """Fill an update with a match as the bot's seat may see it, and note what it was told."""
    match = table.match
    match_id = match.meta.match_id
    seat = table.seat_by_bot[session.bot_id]
    out.match_id = match_id
    out.version = match.version
    out.status = PHASES[match.phase]
    out.seat = seat
    _write_missed(out.events, session, table, seat)
    if match.game is not None:
        write_observation(out.observation, observe(match.game, seat))
    asked = match.asked
    if asked is not None and asked.seat == seat:
        write_decision(
            out.decision, asked, match.decision_id, match.limit_ms, table.remaining_ms(now)
        )
    if match_id not in session.told:
        out.match.CopyFrom(match_message(match))
    session.told[match_id] = _question(session, table)


def _write_finished(out: play_service_pb2.MatchFinished, session: Session, table: Table) -> None:
    """Fill an update with the end of a match, and forget the match."""
    match = table.match
    seat = table.seat_by_bot[session.bot_id]
    out.match_id = match.meta.match_id
    out.version = match.version
    out.seat = seat
    out.result.CopyFrom(result_message(match))
    _write_missed(out.events, session, table, seat)
    session.let_go(match.meta.match_id)


def _write_missed(
    out: RepeatedCompositeFieldContainer[event_pb2.Event],
    session: Session,
    table: Table,
    seat: int,
) -> None:
    """Add the events that the bot has not been written yet, and note that it has now."""
    match_id = table.match.meta.match_id
    backlog = session.backlog.pop(match_id, None)
    if backlog:
        write_history(out, backlog, seat)
    write_history(out, table.since(session.seen[match_id]), seat)
    session.seen[match_id] = table.match.version
