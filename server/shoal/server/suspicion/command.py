"""The command from its file to its lines."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from shoal.rating import Export
from shoal.rating.suspicion import Facts, Finding, Kind, Report, suspect
from shoal.server.export_files import read_file
from shoal.server.suspicion.advice import commands, moment


def run_suspicion(path: Path, *, rate: float, hours: int) -> tuple[Export, Report]:
    """Return what a file has, and what in it no strength explains. Raises BadExport, OSError, NoFit."""
    export = read_file(path)
    facts = Facts(export.bots, export.owners, export.rulesets)
    return export, suspect(export.blocks, facts, rate=rate, hours=hours)


def as_figures(export: Export, report: Report) -> dict[str, object]:
    """Return the report for programs."""
    return {
        "competition": export.competition,
        "blocks": report.blocks,
        "asked": [asdict(each) | {"kind": each.kind.value} for each in report.asked],
        "findings": [
            asdict(each)
            | {"kind": each.kind.value, "text": told(each, export.names)}
            | {"commands": commands(export, each)}
            for each in report.findings
        ],
    }


def as_lines(export: Export, report: Report) -> Iterator[str]:
    """Yield the report for people."""
    questions = sum(each.questions for each in report.asked)
    found = f"{questions} questions, {len(report.findings)} findings"
    yield f"{export.competition}: {report.blocks} blocks, {found}"
    if not report.asked:
        yield "too little was played to ask anything"
    for finding in report.findings:
        yield ""
        yield told(finding, export.names)
        yield (
            f"  {finding.blocks} blocks, {finding.surplus:+.1f} pairs won beyond expectation, "
            f"z {finding.z:+.1f}, by chance {finding.chance:.1g}"
        )
        yield from (f"  {line}" for line in commands(export, finding))


def told(finding: Finding, names: Mapping[str, str]) -> str:
    """Return a finding in one sentence."""
    subject = names.get(finding.subject, finding.subject)
    side = "above" if finding.points > 0 else "below"
    if finding.kind is Kind.PERIOD:
        much = "more" if finding.points > 0 else "less"
        return f"all who played: strength counted for {much} {_when(finding, names)}"
    points = f"about {abs(finding.points):.0f} points {side} its strength"
    return f"{subject}: {points} {_when(finding, names)}"


def _when(finding: Finding, names: Mapping[str, str]) -> str:
    """Return when, or where, it was so."""
    other = names.get(finding.other, finding.other)
    match finding.kind:
        case Kind.TRANSFER:
            return f"when {other} sits at its table"
        case Kind.OWNERS:
            return f"with its bots, when one of {other} sits at the table"
        case Kind.BOT_PERIOD | Kind.PERIOD:
            return f"from {moment(finding.from_ms)} until {moment(finding.until_ms)}"
        case _:
            place = f"in {finding.ruleset}" if finding.ruleset else f"at tables of {finding.seats}"
            return f"against {other}" if other else place
