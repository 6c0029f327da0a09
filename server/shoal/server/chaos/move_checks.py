"""Moves: none that was acknowledged is lost, none counts twice, none out of order, and no refusal lies."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from shoal.cli.record import record_of
from shoal.client import Tally
from shoal.match import EntryKind
from shoal.record import BadRecord, verify
from shoal.server.chaos.evidence import Case, Line, told
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import Answer, Journal, Refused
from shoal.server.chaos.lost_moves import OFF_THE_LOG

PASSING: Final = {"STORE_UNAVAILABLE", "DRAINING", "CONCURRENCY_LIMIT", "RATE_LIMITED"}
CLOSING: Final = {"TIME_EXPIRED", "MATCH_OVER", "SEAT_LEFT"}


def check_moves(case: Case, journal: Journal, answers: list[Answer]) -> Iterator[Finding]:
    """Hold what one bot was told about its moves against a match."""
    if journal.bot_id not in case.seats:
        yield Finding("contradicted", f"{case.match_id}: {journal.bot} was asked and has no seat")
        return
    seat = case.seats.index(journal.bot_id)
    for answer in answers:
        where = f"{case.match_id} {answer.decision.decision_id} of {journal.bot}"
        lines = case.answered.get(answer.decision.decision_id, [])
        yield from _acks(case, answer, seat, where)
        if not answer.acks:
            yield from _unheard(answer, lines, where)
        for refused in answer.refusals:
            if not _is_so(refused, lines):
                said = f"{refused.reason} {dict(refused.metadata)} for option {refused.option}"
                yield Finding("contradicted", f"{where}: {said}, the log has {lines}")
        if answer.asked_again:
            yield Finding("asked_again", f"{where}: {answer.asked_again} times after a receipt")
    yield from _order(answers, f"{case.match_id} of {journal.bot}")


def check_log(case: Case, said: set[tuple[str, int]]) -> Iterator[Finding]:
    """Look at a match's log by itself; `said` are the decision and option of all that bots ever sent."""
    where = case.match_id
    for decision_id, lines in case.answered.items():
        if len(lines) > 1:
            yield Finding("doubled", f"{where} {decision_id}: answered by {lines}")
        for line in lines:
            if line.kind == EntryKind.MOVE and (decision_id, line.option) not in said:
                yield Finding("contradicted", f"{where}: nobody made {line}")
    if case.record is None:
        if case.finished:
            yield Finding("unverified", f"{where}: no record: {case.problem}")
        return
    if told(case.record) != case.lines:
        yield Finding("disordered", f"{where}: the record and the store's log differ")
    try:
        found = [str(each) for each in verify(record_of(case.record))]
    except BadRecord as error:
        found = [str(error)]
    if found:
        yield Finding("unverified", f"{where}: {found[:3]}")


def check_tally(bot: str, tally: Tally, made: int, lost: int = 0) -> Iterator[Finding]:
    """Hold what the kit counted for a bot, since it shows no receipts, against `made` moves in all logs.

    So many may be `lost` with an excuse: each was acknowledged too much, or refused for that, and not both.
    """
    left = lost - max(0, tally.moves - made)
    if left < 0:
        what = f"{tally.moves} moves were acknowledged, the logs have {made}, excused are {lost}"
        yield Finding("lost", f"{bot}: {what}")
    excused = sum(tally.refused[reason] for reason in OFF_THE_LOG) <= left
    for reason, count in tally.refused.items():
        if reason not in PASSING | CLOSING and not (excused and reason in OFF_THE_LOG):
            yield Finding("contradicted", f"{bot}: the kit was told {reason} {count} times")
    if tally.faults:
        yield Finding("contradicted", f"{bot}: the kit played the default {tally.faults} times")


def _acks(case: Case, answer: Answer, seat: int, where: str) -> Iterator[Finding]:
    """Hold the receipts of one decision against the log."""
    if len({(ack.option, ack.version, ack.think_ms) for ack in answer.acks}) > 1:
        yield Finding("doubled", f"{where}: the receipts differ: {answer.acks}")
    elif sum(not ack.already for ack in answer.acks) > 1:
        yield Finding("lost", f"{where}: counted anew after a receipt: {answer.acks}")
    for ack in answer.acks:
        line = case.lines[ack.version - 1] if 0 < ack.version <= len(case.lines) else None
        mine = (EntryKind.MOVE, seat, answer.decision.decision_id, ack.option)
        if line is None or (line.kind, line.seat, line.decision_id, line.option) != mine:
            yield Finding("lost", f"{where}: {ack}, and the log has {line}")
        elif line.think_ms != ack.think_ms:
            yield Finding("contradicted", f"{where}: {ack}, and the log has {line}")


def _unheard(answer: Answer, lines: list[Line], where: str) -> Iterator[Finding]:
    """Look at an answer of which no receipt was seen: what counts is what was sent, or a default."""
    for line in lines:
        if line.kind == EntryKind.MOVE and line.option not in answer.said:
            yield Finding("lost", f"{where}: {answer.option} was sent, the log has {line}")


def _is_so(refused: Refused, lines: list[Line]) -> bool:
    """Tell whether the log bears a refusal out."""
    made = [line.option for line in lines if line.kind == EntryKind.MOVE]
    if refused.reason == "DECISION_ALREADY_MADE":
        return refused.option not in made and [refused.metadata.get("option_id")] == [
            *map(str, made)
        ]
    return refused.reason in PASSING or (refused.reason in CLOSING and not made)


def _order(answers: list[Answer], where: str) -> Iterator[Finding]:
    """See that the receipts of a bot in a match count up as its decisions do."""
    steps = sorted(
        (int(answer.decision.decision_id.partition(".")[0]), answer.acks[0].version)
        for answer in answers
        if answer.acks
    )
    for asked, version in steps:
        if version <= asked:
            yield Finding("disordered", f"{where}: asked at {asked}, answered at {version}")
    for before, after in pairwise(steps):
        if after[1] <= before[1]:
            yield Finding("disordered", f"{where}: {before} and then {after}")
