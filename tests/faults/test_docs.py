"""docs/faults.md says what there is, and the log of a server has no line that the kit does not know."""

import ast
import json
import re
from collections.abc import Iterator

from shoal.server.chaos.faults import FAULTS
from shoal.server.chaos.findings import BAD, NOTED
from shoal.server.chaos.log_checks import BROUGHT_ABOUT, ERROR, LOSSES, is_bug
from tests.faults.running import ROOT
from tests.syntax import parsed

SAYS = {"error": ERROR, "exception": ERROR, "one_of_many": ERROR, "warning": "warning"}
"""What logs an event that somebody should look at, and its level."""


def events() -> Iterator[tuple[str, str]]:
    """Every event of the server that is more than information, and its level."""
    for path in (ROOT / "server").rglob("*.py"):
        if "chaos" in path.parts:
            continue
        for node in ast.walk(parsed(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=name) | ast.Name(id=name),
                    args=[ast.Constant(value=str(event)), *_],
                ) if name in SAYS:
                    yield event, SAYS[name]


def rows(first: str) -> list[list[str]]:
    """The cells of the rows of the table whose heading begins with this word."""
    lines = (ROOT / "docs" / "faults.md").read_text().split(f"| {first} |")[1].splitlines()[2:]
    table = lines[: lines.index("")]
    return [[cell.strip(" `") for cell in re.split(r"\s\|\s", line.strip("| "))] for line in table]


def test_every_fault_is_explained() -> None:
    said = [(kind, lane, blame, needs) for kind, lane, blame, needs, _ in rows("kind")]
    assert said == [(each.kind, each.lane, each.blame, each.needs) for each in FAULTS]


def test_every_count_is_explained() -> None:
    explained = rows("count")
    assert [name for name, _ in explained] == [*BAD, *NOTED]
    assert [name for name, said in explained if said.startswith("No failure")] == [*NOTED]


def test_every_event_of_a_log_is_explained() -> None:
    """In the table of docs/operations.md; that the table has no other is a test of its own."""
    table = (ROOT / "docs/operations.md").read_text().split("## Reading the log")[1]
    cells = re.findall(r"^\| (`.+?) \|", table.split("\n## ")[0], re.MULTILINE)
    explained = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    said = {event for event, _ in events()}
    assert {"bug", "match_not_voided", "director_stumbled", "stood_still"} <= said
    assert said - explained == set()


def test_every_error_of_a_log_is_a_bug_but_for_what_the_faults_bring_about() -> None:
    """Losses are bugs too, unless a takeover explains them."""
    errors = {event for event, level in events() if level == ERROR} | set(LOSSES)
    at = "2026-11-30T09:10:17.005569Z"
    lines = {
        event: json.dumps({"event": event, "level": ERROR, "timestamp": at}) for event in errors
    }
    assert {event for event, line in lines.items() if not is_bug(line)} <= BROUGHT_ABOUT
