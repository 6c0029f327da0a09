"""A record is a document that says all of it, is read strictly, and can be compared line by line."""

import ast
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import RULESETS, CardDrawn, Event, FishDrawn, MatchEnded, Result
from shoal.record import BadRecord, from_json, to_json
from shoal.record.rows import ROWS, Card
from tests.records.playing import WILD, random_record
from tests.syntax import parsed

ROOT = Path(__file__).parents[2]

some = settings(max_examples=15, deadline=None)
records = st.builds(
    random_record,
    rules=st.sampled_from(RULESETS),
    seats=st.integers(2, 4),
    seed=st.integers(0, 2**32),
    temper=st.just(WILD),
)

TEXT = to_json(random_record("base", 2, 3))


@some
@given(record=records)
def test_a_document_says_all_of_a_record(record: Any) -> None:
    text = to_json(record)
    assert from_json(text) == record
    assert to_json(from_json(text)) == text


def test_every_entry_is_a_line() -> None:
    record = from_json(TEXT)
    lines = TEXT.splitlines()
    for entry in record.entries:
        (line,) = (line for line in lines if line.startswith(f'  {{"version": {entry.version},'))
        assert json.loads(line.rstrip(","))["rev"] == entry.rev


def changed(path: str, value: object) -> str:
    """The document with another value at a path such as `entries.0.kind`; REMOVED removes it."""
    data = json.loads(TEXT)
    *above, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = data
    for step in above:
        place = place[step]
    if value is REMOVED:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data)


REMOVED = object()


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("format", 2, "format: 1 is read here, not 2"),
        ("format", REMOVED, "format: 1 is read here, not null"),
        ("format", True, "format: an integer, not true"),
        ("color", "red", "color: no such field"),
        ("\x1b[2J", 1, '"\\u001b[2J": no such field'),
        ("ladder", REMOVED, "ladder: is missing"),
        ("seats.1.age", 3, "seats[1].age: no such field"),
        ("seats.1.name", 3, "seats[1].name: text, not 3"),
        ("seats.1.name", "\ud800", 'seats[1].name: text that UTF-8 can hold, not "\\ud800"'),
        ("seats", {}, "seats: a list, not an object"),
        ("ruleset", None, "ruleset: an object, not null"),
        ("rated", 1, "rated: true or false, not 1"),
        ("created_ms", 1.0, "created_ms: an integer, not 1.0"),
        ("created_ms", -1, "created_ms: 0 or more, not -1"),
        ("created_ms", 1 << 60, "created_ms: at most 9007199254740991, not a number of 61 bits"),
        ("server_seed", "abc", 'server_seed: text that matches [0-9a-f]{64}, not "abc"'),
        ("nonces.0", "ABCD", 'nonces[0]: text that matches ([0-9a-f]{2}){0,32}, not "ABCD"'),
        ("entries.3.think_ms", True, "entries[3].think_ms: an integer, not true"),
        ("entries.3.kind", "sleep", "entries[3].kind: one of ready, move, default, resign,"),
        ("entries.2.events.0.kind", "flew", "entries[2].events[0].kind: one of round_started,"),
        ("entries.2.events.0.cards.0", "crab pink", "entries[2].events[0].cards[0]: the name of a"),
        (
            "entries.2.events.0.cards.0",
            3,
            "entries[2].events[0].cards[0]: the name of a card, not 3",
        ),
        ("entries.2.events.0.deck", 3, "entries[2].events[0].deck: no such field"),
        ("entries.2.events.0.seat", REMOVED, "entries[2].events[0].seat: is missing"),
        ("entries.1.chance.1.came", "x", 'entries[1].chance[1].came: an integer, not "x"'),
        (
            "result.seats.0.left",
            "",
            "result.seats[0].left: one of resigned, strikes, no_show, illegal, abandoned, not",
        ),
    ],
)
def test_what_has_another_shape_is_refused_with_its_path(
    path: str, value: object, says: str
) -> None:
    with pytest.raises(BadRecord) as caught:
        from_json(changed(path, value))
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "too deep"),
        ('{"a":' * 100_000, "too deep"),
        ("[]", "not a record: an object, not a list"),
        ("null", "not a record: an object, not null"),
        ("9" * 5_000, "not JSON"),
        ("NaN", "NaN is no number"),
        ('{"format": 1, "format": 1}', "format: is there twice"),
        (TEXT[: len(TEXT) // 2], "not JSON"),
        (TEXT + TEXT, "not JSON"),
    ],
)
def test_what_is_no_document_is_refused_in_a_line(text: str, says: str) -> None:
    with pytest.raises(BadRecord) as caught:
        from_json(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def in_the_source(kind: type) -> tuple[object, ...]:
    """The types of a class's fields as its source has them: there, and only there, a card is a Card."""
    module = importlib.import_module(kind.__module__)
    names = {**vars(module), "Card": Card}
    (found,) = (
        each
        for each in ast.walk(parsed(Path(source_of(module)).read_text()))
        if isinstance(each, ast.ClassDef) and each.name == kind.__name__
    )
    fields = [each.annotation for each in found.body if isinstance(each, ast.AnnAssign)]
    return tuple(eval(ast.unparse(each), names) for each in fields)  # noqa: S307


def source_of(module: ModuleType) -> str:
    return str(ROOT / "engine" / Path(*module.__name__.split("."))) + ".py"


@pytest.mark.parametrize("event", get_args(Event), ids=lambda event: event.__name__)
def test_every_event_has_a_row_that_agrees_with_its_source(event: type) -> None:
    """A new event needs a row; a row that is wrong would write a card as a number."""
    row = ROWS[event]
    types = tuple(row.fields.values())
    if row.apart is None:
        assert types == in_the_source(event)
    elif event is MatchEnded:
        assert types == in_the_source(Result)
    else:
        assert event in {FishDrawn, CardDrawn}, "told otherwise: tests/records/test_names.py"


def test_no_event_has_a_field_that_would_hide_its_kind() -> None:
    for row in ROWS.values():
        assert "kind" not in row.fields, row


@pytest.mark.parametrize("cards", [[], ["crab pink"], ["crab black", "crab black"]])
def test_an_effect_draws_one_card(cards: list[str]) -> None:
    data = json.loads(TEXT)
    events = data["entries"][1]["events"]
    events.append({"kind": "cards_drawn", "seat": 0, "cause": "fish", "cards": ["crab black"]})
    from_json(json.dumps(data))
    events[-1]["cards"] = cards
    with pytest.raises(BadRecord, match=r"entries\[1\]\.events\[1\]\.cards"):
        from_json(json.dumps(data))
