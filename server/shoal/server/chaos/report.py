"""What a run found: as JSON, and whether it failed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from shoal.client import pb
from shoal.match import EntryKind
from shoal.server.chaos.crowd import Crowd
from shoal.server.chaos.ending_checks import PLAYED, termination
from shoal.server.chaos.evidence import Case
from shoal.server.chaos.findings import BAD, NOTED, Finding
from shoal.server.chaos.plan import Plan
from shoal.server.chaos.stack import Footprint
from shoal.server.chaos.timeline import Timeline
from shoal.server.chaos.watching import STALL

SHOWN: Final = 5
"""How many pieces of evidence of a kind are shown."""


@final
@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a run."""

    seed: int
    seconds: float
    at_least: int
    faults: dict[str, int]
    stalls: int
    """How often the kit itself stood still."""

    matches: int
    rated: int
    moves: int
    acknowledged: int
    endings: dict[str, int]
    left: dict[str, int]
    """Seats that left a match before its end, by reason."""

    refusals: dict[str, int]
    reconnections: int
    footprints: dict[str, tuple[Footprint, Footprint]]
    """Of each process that runs at the end: when it had begun to work, and when all bots had left."""

    findings: list[Finding]

    @property
    def rare(self) -> list[str]:
        """The kinds of fault that did not happen often enough."""
        return [kind for kind, count in self.faults.items() if count < self.at_least]

    @property
    def found(self) -> Counter[str]:
        """How often each thing was found."""
        return Counter(each.kind for each in self.findings)

    @property
    def bad(self) -> dict[str, int]:
        """How often each thing was found that must not be."""
        found = self.found
        return {name: found[name] for name in BAD}

    @property
    def failed(self) -> bool:
        """Whether anything was found, or too little happened."""
        return bool(self.rare) or any(self.bad.values()) or not self.acknowledged

    def as_dict(self) -> dict[str, object]:
        """Return the figures for JSON."""
        found = self.found
        return {
            "failed": self.failed,
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "faults": self.faults,
            "rare_faults": self.rare,
            "stalls": self.stalls,
            "matches": self.matches,
            "rated": self.rated,
            "moves": self.moves,
            "acknowledged": self.acknowledged,
            "reconnections": self.reconnections,
            **self.bad,
            **{name: found[name] for name in NOTED},
            "endings": self.endings,
            "left": self.left,
            "refusals": self.refusals,
            "footprints": {
                name: {"before": before._asdict(), "after": after._asdict()}
                for name, (before, after) in self.footprints.items()
            },
            "evidence": self.evidence(),
        }

    def evidence(self) -> dict[str, list[str]]:
        """Return some of what was found, by kind."""
        shown: dict[str, list[str]] = {}
        for finding in self.findings:
            lines = shown.setdefault(finding.kind, [])
            if len(lines) < SHOWN:
                lines.append(finding.what)
        return shown


def report_of(
    plan: Plan,
    seconds: float,
    cases: list[Case],
    crowd: Crowd,
    timeline: Timeline,
    *,
    findings: list[Finding],
    footprints: dict[str, tuple[Footprint, Footprint]],
) -> Report:
    """Put the figures together."""
    refusals: Counter[str] = Counter()
    reconnections = 0
    for member in crowd.members:
        for answer in member.journal.answers.values():
            refusals.update(each.reason for each in answer.refusals)
        if member.tally is not None:
            refusals.update(member.tally.refused)
            reconnections += member.tally.connections - 1
        if member.raw is not None:
            reconnections += member.raw.connections - 1
    return Report(
        seed=plan.seed,
        seconds=seconds,
        at_least=plan.at_least,
        faults=timeline.counts(each.kind for each in plan.faults),
        stalls=sum(timeline.counts([STALL]).values()),
        matches=len(cases),
        rated=sum(
            case.rated
            and case.record is not None
            and case.record.match.result.termination in PLAYED
            for case in cases
        ),
        moves=sum(line.kind == EntryKind.MOVE for case in cases for line in case.lines),
        acknowledged=sum(
            bool(answer.acks)
            for member in crowd.members
            for answer in member.journal.answers.values()
        ),
        endings=dict(Counter(map(termination, cases))),
        left=dict(Counter(_left(cases))),
        refusals=dict(refusals),
        reconnections=reconnections,
        footprints=footprints,
        findings=findings,
    )


def _left(cases: list[Case]) -> Iterator[str]:
    """Yield why each seat left that did not play its match to the end."""
    for case in cases:
        if case.record is not None:
            for seat in case.record.match.result.seats:
                if seat.left:
                    yield pb.LeaveReason.Name(seat.left).removeprefix("LEAVE_REASON_")
