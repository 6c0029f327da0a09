"""Records of this version stay replayable: CI replays one for every ruleset and number of seats (T96)."""

import json
from pathlib import Path
from typing import get_args

import pytest

from shoal.engine import RULESETS, DrawCause, Event, Move, RoundEnding
from shoal.engine.chance import Purpose
from shoal.match import EntryKind, Termination
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
from tests.records.make_golden import FOLDER, golden_files, met
from tests.records.test_schema import VALIDATOR

FILES = sorted(FOLDER.glob("*.json"))
RECORDS = {path: from_json(path.read_text(encoding="utf-8")) for path in FILES}


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


def test_all_that_can_happen_happens_in_one_of_them() -> None:
    """Else a later version could lose it and nobody would know."""
    wanted = {*get_args(Event), *get_args(Move), *Purpose, *DrawCause, *RoundEnding}
    assert wanted == met(RECORDS.values())
    assert {entry.kind for record in RECORDS.values() for entry in record.entries} >= {
        EntryKind.READY,
        EntryKind.MOVE,
        EntryKind.DEFAULT,
        EntryKind.RESIGN,
    }


@pytest.mark.parametrize("rules", RULESETS)
def test_of_every_ruleset_one_comes_to_its_end_by_points_or_mermaids(rules: str) -> None:
    ends = {
        record.result.termination for record in RECORDS.values() if record.ruleset.name == rules
    }
    assert ends & {Termination.TARGET, Termination.MERMAIDS}


def test_the_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < 2_500_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_verifies_and_replays_to_the_same_document(path: Path) -> None:
    """What an older version wrote is what this one makes of the same log, to the byte (T96)."""
    text = path.read_text(encoding="utf-8")
    record = RECORDS[path]
    assert verify(record) == []
    assert to_json(replayed(record)) == text
    assert to_json(from_text(to_text(record))) == text


@pytest.mark.parametrize("path", FILES[1::3], ids=lambda path: path.stem)
def test_it_is_what_the_schema_says(path: Path) -> None:
    """One of each ruleset: for a validator these are large."""
    VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))
