"""docs/faults.md says what there is."""

import re

from shoal.server.chaos.faults import FAULTS
from shoal.server.chaos.findings import BAD, NOTED
from tests.faults.running import ROOT


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
