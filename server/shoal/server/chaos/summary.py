"""A report for people: what was found, what happened, and one line that says whether all is well."""

from collections.abc import Mapping
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from shoal.server.chaos.findings import NOTED
from shoal.server.chaos.report import Report

SHOWN: Final = 3
"""How many pieces of evidence of a kind are shown."""


def show(report: Report, console: Console) -> None:
    """Print a report: the counts of what must not be, the rest in a line each, and the verdict last."""
    console.print(_counts("must not be", report.bad, bad=True))
    console.print(_counts("no failure", {name: report.found[name] for name in NOTED}, bad=False))
    console.print(_counts("faults", report.faults, bad=False, least=report.at_least))
    for what, counts in (
        ("endings", report.endings),
        ("seats that left", report.left),
        ("refusals", report.refusals),
    ):
        console.print(f"{what}: {_in_words(counts)}", highlight=False)
    for kind, lines in report.evidence().items():
        if kind in report.bad:
            for line in lines[:SHOWN]:
                console.print(f"[red]{kind}[/] {escape(line)}", highlight=False, soft_wrap=True)
    console.print(
        f"{report.matches} matches, {report.rated} of them rated, {report.moves} moves,"
        f" {report.acknowledged} receipts seen, {report.reconnections} reconnections,"
        f" seed {report.seed}, {report.seconds:.0f} s",
        highlight=False,
    )
    console.print(_verdict(report), highlight=False)


def _counts(title: str, counts: Mapping[str, int], *, bad: bool, least: int = 0) -> Table:
    """Return a table with a row for each count; red is what makes a run fail."""
    table = Table(show_edge=False, box=None, pad_edge=False)
    table.add_column(title, min_width=28)
    table.add_column("count", justify="right")
    for name, count in counts.items():
        wrong = count > 0 if bad else count < least
        table.add_row(
            f"[red]{name}[/]" if wrong else name, f"[red]{count}[/]" if wrong else str(count)
        )
    table.add_row()
    return table


def _in_words(counts: Mapping[str, int]) -> str:
    """Return counts in a line, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {count}" for name, count in ordered) or "none"


def _verdict(report: Report) -> str:
    """Return the last line."""
    if not report.failed:
        return "[green]passed[/]: nothing was found"
    wrong = [f"{count} {name}" for name, count in report.bad.items() if count]
    if report.rare:
        wrong.append(f"too seldom: {', '.join(report.rare)}")
    if not report.acknowledged:
        wrong.append("no move was acknowledged")
    return f"[red]failed[/]: {'; '.join(wrong)}"
