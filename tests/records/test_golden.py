"""Records of this version stay replayable: CI replays one for every ruleset and number of seats (T96)."""

import json
from pathlib import Path

import pytest

from shoal.record import (
    Record,
    Retelling,
    entry_of,
    from_json,
    from_text,
    meta_of,
    to_json,
    to_text,
    verify,
)
from tests.records.make_golden import FOLDER, golden_files
from tests.records.test_schema import VALIDATOR

FILES = sorted(FOLDER.glob("*.json"))


def replayed(record: Record) -> Record:
    """The record of the same log, all else made anew."""
    retelling = Retelling(meta_of(record), bytes.fromhex(record.server_seed))
    return retelling.record(
        [
            retelling.tell(entry_of(record, entry), entry.at_ms, entry.think_ms)
            for entry in record.entries
        ]
    )


def test_none_is_missing_and_none_is_left_over() -> None:
    """`python -m tests.records.make_golden` makes those that are missing."""
    assert sorted(golden_files()) == FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_verifies_and_replays_to_the_same_document(path: Path) -> None:
    """What an older version wrote is what this one makes of the same log, to the byte (T96)."""
    text = path.read_text(encoding="utf-8")
    record = from_json(text)
    assert verify(record) == []
    assert to_json(replayed(record)) == text
    assert to_json(from_text(to_text(record))) == text


@pytest.mark.parametrize("path", FILES[1::3], ids=lambda path: path.stem)
def test_it_is_what_the_schema_says(path: Path) -> None:
    """One of each ruleset: for a validator these are large."""
    VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))
