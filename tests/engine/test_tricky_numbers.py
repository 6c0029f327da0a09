"""No tricky case is left out: each number of 11.1 and 11.2 is in a test."""

import re
from pathlib import Path

from tests.engine.support import recording

HERE = Path(__file__).parent


def test_every_numbered_case_is_a_test() -> None:
    """The 58 cases of 11.2 are in the docstrings of the tests."""
    text = "".join(path.read_text() for path in HERE.glob("test_tricky_*.py"))
    numbers = {int(number) for number in re.findall(r"11\.2 #(\d+)", text)}
    assert numbers == set(range(1, 59))


def test_every_numbered_hand_is_recorded() -> None:
    """The hands of 11.1 are recorded, and every recorded one is scored in a test."""
    names = [
        "P1",
        "P1b",
        "P3",
        "M1",
        "M2",
        "M3",
        "M4",
        "M6",
        "M7",
        "D1",
        "D2",
        "D3",
        "D4",
        "X1",
        "X2",
        "X3",
        "X4",
        "X5",
        "X6",
        "C2",
        "S1",
        "S2",
        "S3",
        "S4",
        "S5",
        "S6",
        "S7",
        "S8",
        "S9",
        "S10",
        "S11",
        "S12",
        "S13",
        "S14",
        "S15",
        "E1",
        "E2",
        "E3",
        "E4",
        "E5",
        "E6",
        "E7",
        "E8",
        "E9",
    ]
    assert len(names) == 44
    assert set(names) <= {row["id"].split()[0] for row in recording("tricky_scoring")}
