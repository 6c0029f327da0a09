"""The schema in the docs says what records are, to programs that have no Shoal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from shoal.record import Record, schema, to_json
from tests.records.playing import random_record
from tests.records.test_documents import records

TEXT = (Path(__file__).parents[2] / "docs" / "record.schema.json").read_text()
VALIDATOR = jsonschema.Draft202012Validator(json.loads(TEXT))


def test_the_schema_in_the_docs_is_the_one_of_this_version() -> None:
    """`shoal replay schema > docs/record.schema.json` writes it."""
    assert json.loads(TEXT) == schema()
    assert json.dumps(schema(), indent=2, ensure_ascii=False) + "\n" == TEXT
    jsonschema.Draft202012Validator.check_schema(json.loads(TEXT))


@settings(max_examples=15, deadline=None)
@given(record=records)
def test_every_record_is_what_the_schema_says(record: Record) -> None:
    VALIDATOR.validate(json.loads(to_json(record)))


def more(data: Any) -> None:
    data["color"] = "red"


def less(data: Any) -> None:
    del data["entries"][3]["think_ms"]


def a_fraction(data: Any) -> None:
    data["entries"][3]["think_ms"] = 0.5


def another_format(data: Any) -> None:
    data["format"] = 2


def no_such_event(data: Any) -> None:
    data["entries"][2]["events"][0]["kind"] = "flew"


def no_such_card(data: Any) -> None:
    data["entries"][2]["events"][0]["cards"] = ["crab pink"]


@pytest.mark.parametrize(
    "spoil", [more, less, a_fraction, another_format, no_such_event, no_such_card]
)
def test_the_schema_is_as_strict_as_we_are(spoil: Callable[[Any], None]) -> None:
    data = json.loads(to_json(random_record("base", 2, 3)))
    VALIDATOR.validate(data)
    spoil(data)
    assert not VALIDATOR.is_valid(data)
