"""Hand-made matches and answers, for the checks of the fault kit to look at."""

from collections import Counter
from collections.abc import Iterable

from shoal.client import pb
from shoal.server.chaos.evidence import Case, Line
from shoal.server.chaos.findings import Finding
from shoal.server.chaos.journal import Ack, Answer
from shoal.server.chaos.lost_moves import LostMoves
from shoal.server.chaos.timeline import Timeline

BOT, OTHER = "b" * 30, "c" * 30
MATCH = "00018f3a5c000123456789abcdef01"
NONE_LOST = LostMoves([], Timeline())


def line(
    version: int, option: int = 7, kind: str = "move", think_ms: int = 20, asked: int | None = None
) -> Line:
    asked = version - 1 if asked is None else asked
    return Line(version, kind, 0, f"{asked}.abc", option, think_ms, "rev")


def case(*lines: Line, finished: bool = False) -> Case:
    made = Case(
        match_id=MATCH,
        finished=finished,
        seats=(BOT, OTHER),
        ready_ms=10_000,
        max_strikes=3,
        rated=True,
        lines=list(lines),
    )
    for each in lines:
        made.answered.setdefault(each.decision_id, []).append(each)
    return made


def answer(
    asked: int, *acks: Ack, option: int = 7, seen: float = 0.0, sent: float = 0.02
) -> Answer:
    decision = pb.Decision(decision_id=f"{asked}.abc")
    made = Answer(MATCH, decision, seen, option, sent, {option})
    made.acks.extend(acks)
    return made


def ack(version: int, option: int = 7, *, already: bool = False, think_ms: int = 20) -> Ack:
    return Ack(option, version, think_ms, already, at=0.1)


def kinds(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(each.kind for each in findings)


def over(termination: pb.Termination.ValueType, *left: pb.LeaveReason.ValueType | None) -> Case:
    """A finished match of two seats that ended so."""
    made = case(line(1), finished=True)
    result = pb.MatchResult(termination=termination)
    for seat, why in enumerate(left):
        result.seats.add(seat=seat, placement=seat + 1, total=0, left=why)
    made.record = pb.MatchRecord(match=pb.Match(result=result))
    return made
