"""What people read of a run: each count has a line, and the last line says whether all is well."""

import io

from rich.console import Console

from shoal.server.chaos.findings import BAD, NOTED, Finding
from shoal.server.chaos.report import Report
from shoal.server.chaos.summary import show


def shown(*findings: Finding, often: int = 3) -> list[str]:
    """The lines that are printed for a run in which this was found, and a fault happened so often."""
    report = Report(
        seed=1,
        seconds=60.0,
        at_least=2,
        faults={"server-kill": often},
        stalls=0,
        matches=9,
        rated=8,
        moves=700,
        acknowledged=300,
        endings={"TARGET": 8, "VOID LOST_MOVES": 1},
        left={"RESIGNED": 3},
        refusals={},
        reconnections=4,
        footprints={},
        findings=[*findings],
    )
    out = io.StringIO()
    show(report, Console(file=out, width=100))
    return [line.strip() for line in out.getvalue().splitlines()]


def test_every_count_has_a_line_and_the_last_one_is_the_verdict() -> None:
    lines = shown(Finding("uncredited", "a match"))
    counts = dict(line.split() for line in lines if len(line.split()) == 2)
    assert {*BAD, *NOTED, "server-kill"} <= counts.keys()
    assert (counts["lost"], counts["uncredited"], counts["server-kill"]) == ("0", "1", "3")
    assert "endings: TARGET 8, VOID LOST_MOVES 1" in lines
    assert "seats that left: RESIGNED 3" in lines
    assert lines[-1] == "passed: nothing was found"


def test_what_was_found_is_shown_and_told_last() -> None:
    """A piece of evidence may have square brackets, which are no markup."""
    lines = shown(Finding("lost", "match 7: the log has [Line(1)]"), often=1)
    assert "lost match 7: the log has [Line(1)]" in lines
    assert lines[-1] == "failed: 1 lost; too seldom: server-kill"
