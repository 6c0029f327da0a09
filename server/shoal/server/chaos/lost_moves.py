"""What a failover may lose, since replication is asynchronous: the only place that excuses a loss (T6).

Excused are acknowledged moves that came while the master of their match was failing over, in matches that
ended VOID for LOST_MOVES, or are gone and were told to be so. Any other loss is one.
"""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from shoal.client import pb
from shoal.match import EntryKind
from shoal.server.chaos.evidence import Case
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import Ack, Answer, Journal, Refused
from shoal.server.chaos.timeline import AFTERMATH, Takeover, Timeline
from shoal.server.store.keys import partition_of, time_of

LAG: Final = 0.5
"""Seconds by which a replica may be behind its master on a busy machine."""

OFF_THE_LOG: Final = {"DECISION_ALREADY_MADE", "NO_OPEN_DECISION", "NOT_FOUND", "STALE_DECISION"}
"""What may be said, and truly, of a decision that was asked or answered in what is lost."""


@final
class LostMoves:
    """Tells which losses are excused."""

    def __init__(
        self, cases: Sequence[Case], timeline: Timeline, journals: Iterable[Journal] = ()
    ) -> None:
        """Excuse by the faults of a run that may lose, and by how its matches ended, and when.

        The journals say when: a match of which none does may have ended at any time.
        """
        self._takeovers = [*timeline.takeovers]
        self._voided: dict[str, float] = {}
        for journal in journals:
            for match_id, at in journal.voided.items():
                self._voided[match_id] = min(at, self._voided.get(match_id, at))
        self._known = {case.match_id for case in cases}
        self._void = {case.match_id for case in cases if self.voids(case)}

    @property
    def possible(self) -> bool:
        """Whether anything may have been lost."""
        return bool(self._takeovers)

    def voids(self, case: Case) -> bool:
        """Tell whether a match is void because a failover in its time lost moves of it.

        It began before any seat was told that it is void: what comes later has not brought that about.
        """
        if case.record is None:
            return False
        result = case.record.match.result
        lost = result.void_reason == pb.VOID_REASON_LOST_MOVES
        begin, end = _begin(case.match_id), self._voided.get(case.match_id, math.inf)
        return lost and any(
            each.end + AFTERMATH >= begin and each.begin <= end for each in self._of(case.match_id)
        )

    def kept(self, case: Case, answers: Sequence[Answer]) -> tuple[list[Answer], list[Finding]]:
        """Return what a bot was told of its moves in a match, without what is excused, and that."""
        if case.match_id not in self._void:
            return [*answers], []
        kept, excused = [], []
        for answer in answers:
            acks = [ack for ack in answer.acks if self._bears_out(case, answer, ack)]
            refusals = [
                each for each in answer.refusals if not self._is_of_the_past(case, answer, each)
            ]
            for _ in range(len(answer.acks) - len(acks)):
                where = f"{case.match_id} {answer.decision.decision_id}"
                excused.append(Finding("lost_by_failover", where))
            kept.append(replace(answer, acks=acks, refusals=refusals))
        return kept, excused

    def unshown(self, cases: Mapping[str, Case], answers: Iterable[Answer]) -> int:
        """Return how many moves of these answers may have been acknowledged and lost, or refused for that.

        One that is in the log may have been made before it, and lost, and asked for again.
        """
        return sum(
            answer.times - _is_logged(cases.get(answer.match_id), answer)
            for answer in answers
            if answer.sent is not None
            and self._may_be_lost(answer.match_id, answer.sent)
            and (answer.match_id not in cases or answer.match_id in self._void)
        )

    def vanished(self, match_id: str) -> bool:
        """Tell whether a failover took a match away altogether: nothing ends it, or frees its bots soon."""
        # A pairing is in the partition of its ladder: without it nobody goes on with the making of its match.
        return match_id not in self._known and _within(self._takeovers, _begin(match_id))

    def gone(self, match_id: str, journals: Iterable[Journal]) -> Iterator[Finding]:
        """Look at a match that bots played, and that the store does not have."""
        if not self._may_be_lost(match_id, _begin(match_id)):
            yield Finding("lost", f"{match_id}: the match is not there")
            return
        yield Finding("lost_by_failover", f"{match_id}: the match")
        for journal in journals:
            heard = journal.ends.get(match_id, [])
            if match_id in journal.begun and (
                not heard or heard[-1].void_reason != pb.VOID_REASON_LOST_MOVES
            ):
                yield Finding("untold", f"{match_id}: {journal.bot} was told {heard}, it is gone")

    def _bears_out(self, case: Case, answer: Answer, ack: Ack) -> bool:
        """Tell whether the log has what was acknowledged, or nothing excuses that it has not.

        Who was asked again may have answered the same: that took another time.
        """
        line = case.lines[ack.version - 1] if 0 < ack.version <= len(case.lines) else None
        told = (answer.decision.decision_id, ack.option, ack.think_ms)
        has = line is not None and (line.decision_id, line.option, line.think_ms) == told
        return has or not self._may_be_lost(case.match_id, ack.at)

    def _is_of_the_past(self, case: Case, answer: Answer, refused: Refused) -> bool:
        """Tell whether a refusal speaks of what is lost."""
        lines = case.answered.get(answer.decision.decision_id, [])
        if refused.reason not in OFF_THE_LOG or lines:
            return False
        # What was sent in the time of the old master may be answered late, over a way that is broken too.
        times = [refused.at] if answer.sent is None else [refused.at, answer.sent]
        return any(self._may_be_lost(case.match_id, at) for at in times)

    def _may_be_lost(self, match_id: str, at: float) -> bool:
        """Tell whether what was acknowledged in a match at a time may be lost."""
        return _within(self._of(match_id), at)

    def _of(self, match_id: str) -> list[Takeover]:
        """Return the takeovers that concern a match: it is in one partition, whole."""
        partition = partition_of(match_id)
        return [each for each in self._takeovers if partition in each.partitions]


def _within(takeovers: Iterable[Takeover], at: float) -> bool:
    """Tell whether what one of these may have lost, or a word of it, came at a time."""
    return any(each.begin - LAG <= at <= each.end + AFTERMATH for each in takeovers)


def _is_logged(case: Case | None, answer: Answer) -> bool:
    """Tell whether a log has a move for this decision."""
    lines = [] if case is None else case.answered.get(answer.decision.decision_id, [])
    return any(line.kind == EntryKind.MOVE for line in lines)


def _begin(match_id: str) -> float:
    """Return when a match was made, by the kit's clock."""
    return time.monotonic() - (time.time() - time_of(match_id) / 1000)
