"""docs/records.md explains every field of a record."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from shoal.match import EntryKind
from shoal.record import Answer, Chance, LogEntry, Outcome, Player, Record, SeatResult, TimeControl

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "records.md").read_text()


def names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def rows_after(heading: str) -> list[str]:
    """The names in the first column of the first table after a heading, in their order."""
    table = TEXT.split(heading)[1].split("\n\n|")[1].split("\n\n")[0]
    cells = [line.split("|")[1 if line.startswith("|") else 0] for line in table.splitlines()]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_the_tables_have_the_fields_of_a_record_and_of_an_entry_in_their_order() -> None:
    assert rows_after("## The document") == names(Record)
    assert rows_after("An entry is one change") == names(LogEntry)


@pytest.mark.parametrize("kind", [Answer, Chance, Outcome, Player, SeatResult, TimeControl])
def test_the_fields_of_the_smaller_parts_are_told_too(kind: Any) -> None:
    for name in names(kind):
        assert f"`{name}`" in TEXT, name


def test_every_kind_of_entry_is_told() -> None:
    for kind in EntryKind:
        assert f"`{kind.value}`" in TEXT
