"""One changed value anywhere in a record is found, and named by its path."""

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.engine import FACES, card_name, parse_card
from shoal.engine.errors import UnknownCard
from shoal.match import Entry, EntryKind
from shoal.record import BadRecord, Record, Retelling, from_json, to_json, verify
from tests.records.playing import Temper, meta_of_random, random_record
from tests.records.test_documents import records

some = settings(max_examples=15, deadline=None)

BRISK = Temper(silent=0.1, resign=0.03)
SHORT = next(
    record
    for record in (random_record("base", 2, seed, BRISK) for seed in count())
    if 30 <= len(record.entries) <= 50
)
LONG = random_record("base", 3, 5)

HASHED = re.compile(r"entries\[\d+\]\.(kind|seat|at_ms|think_ms|answer\.(code|decision_id))")
FIXED = re.compile(
    r"(match_id|server_version|created_ms|ruleset|ladder|rated|time_control|seats|commitment|server_seed)"
)


@some
@given(record=records)
def test_a_record_of_what_was_played_is_sound(record: Record) -> None:
    assert verify(record) == []


def leaves(data: Any, path: str = "") -> list[str]:
    """The paths of all values that are no object and no list with items."""
    if isinstance(data, dict) and data:
        dot = f"{path}." if path else ""
        return [leaf for name, each in data.items() for leaf in leaves(each, f"{dot}{name}")]
    if isinstance(data, list) and data:
        return [leaf for at, each in enumerate(data) for leaf in leaves(each, f"{path}[{at}]")]
    return [path]


PAIRS = (("move", "default"), ("stop", "last_chance"), ("target", "last_seat"), ("take", "play"))
OTHER_WORD = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}


def another(value: Any) -> Any:
    """Another value of the same type: where it can be, one that the place could have."""
    if isinstance(value, str):
        return OTHER_WORD.get(value) or another_text(value)
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else {"None": 0, "[]": [0]}[str(value)]


def another_text(text: str) -> str:
    if re.fullmatch("[0-9a-f]{2,}", text):
        return text[:-1] + ("0" if text[-1] != "0" else "1")
    try:
        return card_name((parse_card(text) + 1) % len(FACES))
    except UnknownCard:
        return f"{text}x"


def changed(record: Record, path: str, change: Callable[[Any], Any] = another) -> str:
    """The document of a record with the value at a path changed."""
    data = json.loads(to_json(record))
    steps: list[Any] = [
        int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path)
    ]
    place = data
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = change(place[steps[-1]])
    return json.dumps(data)


def found(text: str) -> list[str]:
    """The paths of all that is found in a document, be it in its shape or in what it tells."""
    try:
        return [finding.path for finding in verify(from_json(text))]
    except BadRecord as error:
        return [error.path]


def blamed(record: Record, path: str) -> set[str]:
    """The paths that may be named for a change at a path: itself, and the hash that covers it."""
    may = {path}
    if FIXED.match(path):
        may |= {"rev", "commitment"}
    if HASHED.fullmatch(path):
        may.add(f"{path.partition('.')[0]}.rev")
    if nonce := re.fullmatch(r"nonces\[(\d)\]", path):
        may |= {
            f"entries[{at}].rev"
            for at, entry in enumerate(record.entries)
            if entry.kind == "ready" and entry.seat == int(nonce[1])
        }
    return may


def is_named(record: Record, path: str, names: list[str]) -> bool:
    """Tell whether the first finding names the change; of a kind that is none, or a list, its inside."""
    first = names[0] if names else ""
    inside = re.fullmatch(rf"{re.escape(path)}\[0\]", first)
    return first in blamed(record, path) or inside is not None


def test_every_single_value_of_a_record_is_watched() -> None:
    """One changed value anywhere is found and named (T96): all values of a short record, one by one."""
    paths = leaves(json.loads(to_json(SHORT)))
    assert len(paths) > 300
    for path in paths:
        names = found(changed(SHORT, path))
        assert is_named(SHORT, path, names), (path, names[:3])


@settings(max_examples=80, deadline=None)
@given(path=st.sampled_from(leaves(json.loads(to_json(LONG)))))
def test_a_changed_value_is_found_in_a_long_record_too(path: str) -> None:
    names = found(changed(LONG, path))
    assert is_named(LONG, path, names), (path, names[:3])


NASTY = (-1, 0, 7, 1 << 52, "", "x", "\x00", "9" * 200, None, True, [], {}, [[]], 0.5, "crab black")


@settings(max_examples=100, deadline=None)
@given(path=st.sampled_from(leaves(json.loads(to_json(SHORT)))), value=st.sampled_from(NASTY))
def test_whatever_stands_in_a_record_it_is_read_and_verified_or_refused(
    path: str, value: Any
) -> None:
    """No value, however wild, gets further than a finding."""
    text = changed(SHORT, path, lambda _: value)
    assert found(text) or from_json(text) == SHORT


SHORT_LEAVES = leaves(json.loads(to_json(SHORT)))


@settings(max_examples=100, deadline=None)
@given(one=st.sampled_from(SHORT_LEAVES), other=st.sampled_from(SHORT_LEAVES))
def test_a_value_from_another_place_is_found(one: str, other: str) -> None:
    """Whatever the record itself has elsewhere is no way to deceive it."""
    taken: list[Any] = []
    changed(SHORT, other, lambda value: taken.append(value) or value)
    text = changed(SHORT, one, lambda _: taken[0])
    assert found(text) or from_json(text) == SHORT


def lines_found(text: str) -> str:
    return "\n".join(map(str, verify(from_json(text))))


def move_at(record: Record, number: int = 5) -> int:
    """The place of one of the moves in the log."""
    return [at for at, entry in enumerate(record.entries) if entry.kind == "move"][number]


def test_a_think_time_that_was_improved_breaks_the_hash_of_its_entry_alone() -> None:
    at = move_at(LONG)
    (line,) = lines_found(changed(LONG, f"entries[{at}].think_ms")).splitlines()
    assert line.startswith(f"entries[{at}].rev: the record says ")
    assert "think_ms of this entry" in line


def test_a_hash_that_was_changed_is_the_only_finding() -> None:
    at = move_at(LONG)
    assert found(changed(LONG, f"entries[{at}].rev")) == [f"entries[{at}].rev"]


def test_another_bot_s_name_breaks_the_first_hash_alone() -> None:
    (line,) = lines_found(changed(LONG, "seats[1].name")).splitlines()
    assert line.startswith("rev: the record says ")
    assert "anything above" in line


def test_a_card_that_was_not_drawn_is_told_with_the_one_that_was() -> None:
    data = json.loads(to_json(LONG))
    at, event = next(
        (at, event)
        for at, entry in enumerate(data["entries"])
        for event in entry["events"]
        if event["kind"] == "cards_taken" and event["pile"] is None
    )
    path = f"entries[{at}].events[0].cards[0]"
    (line,) = lines_found(changed(LONG, path)).splitlines()
    was = event["cards"][0]
    says = json.dumps(another(was))
    assert line == f'{path}: the record says {says}, the replay gives "{was}"'


def test_an_option_that_was_not_legal_is_where_the_replay_ends() -> None:
    at = move_at(LONG)
    findings = verify(from_json(changed(LONG, f"entries[{at}].answer.code", lambda _: 7 << 24)))
    assert [each.path for each in findings] == [f"entries[{at}].rev", f"entries[{at}].answer.code"]
    assert str(findings[-1]).endswith(": 'stop', which is no option here")


def test_another_seed_is_not_the_one_that_was_committed_to() -> None:
    findings = verify(from_json(changed(LONG, "server_seed")))
    assert findings[0].path == "commitment"
    assert "not the seed that the server committed to" in str(findings[0])


def test_a_log_that_was_cut_off_is_found_and_so_is_one_that_goes_on() -> None:
    data = json.loads(to_json(LONG))
    last = data["entries"].pop()
    (line,) = lines_found(json.dumps(data)).splitlines()
    assert line == f"entries: after {len(data['entries'])} of them the match is not over"
    data["entries"] += [last, last]
    assert "but the match is over before it" in lines_found(json.dumps(data))
    data["entries"] = []
    assert found(json.dumps(data)) == ["entries"]


@some
@given(at=st.integers(3, len(LONG.entries) - 2))
def test_entries_that_changed_places_are_found_where_they_stand(at: int) -> None:
    data = json.loads(to_json(LONG))
    rows = data["entries"]
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    assert found(json.dumps(data))[0] == f"entries[{at}].rev"


@some
@given(at=st.integers(0, len(LONG.entries) - 1))
def test_an_entry_that_was_left_out_is_found_where_it_is_missing(at: int) -> None:
    data = json.loads(to_json(LONG))
    del data["entries"][at]
    names = found(json.dumps(data))
    assert names[0] in {f"entries[{at}].rev", "entries"}


def test_a_default_that_is_none_is_where_the_replay_ends() -> None:
    at = next(
        at
        for at, entry in enumerate(LONG.entries)
        if entry.answer is not None
        and entry.answer.text.startswith("keep ")
        and entry.answer.options > 1
        and entry.answer.text.endswith("to 1")
    )
    assert "but the default is" in lines_found(changed(LONG, f"entries[{at}].kind"))


ANSWER = {"decision_id": "1.ab", "asked": "take", "options": 1, "code": 1, "text": "take deck"}


@pytest.mark.parametrize(
    ("path", "change", "says"),
    [
        ("ruleset.name", lambda _: "chess", "ruleset.name: unknown ruleset 'chess'"),
        ("ruleset.version", lambda _: 9, "ruleset.version: 9, but this version of shoal plays 1"),
        ("seats", lambda seats: seats[:1], "seats: 1 of them, for which base is not"),
        ("nonces", lambda nonces: nonces[:1], "nonces: 1 of them, and 3 seats"),
        ("nonces[0]", lambda _: None, "nonces[0]: null, but entries["),
        ("result.seats", lambda seats: seats[:2], "result.seats[2]: the record says nothing"),
        ("entries[3].answer", lambda _: None, "entries[3].answer: null, but a move answers"),
        ("entries[0].seat", lambda _: 9, "entries[0].seat: of ready it is not 9"),
        ("entries[1].kind", lambda _: "void", "entries[1].seat: of void it is not"),
        ("entries[0].kind", lambda _: "no_show", "entries[0].seat: of no_show it is not"),
        (
            "entries[0].answer",
            lambda _: ANSWER,
            "entries[0].answer: the record says an object, the",
        ),
    ],
)
def test_what_can_lead_nowhere_is_said(path: str, change: Callable[[Any], Any], says: str) -> None:
    assert says in lines_found(changed(LONG, path, change))


@pytest.mark.parametrize(
    "entry",
    [
        Entry(EntryKind.ILLEGAL, 0),
        Entry(EntryKind.CREDIT, 1 << 31, 5),
        Entry(EntryKind.CREDIT, 0, 5),
        Entry(EntryKind.CREDIT),
        Entry(EntryKind.VOID, value="none of ours"),
    ],
    ids=str,
)
def test_an_odd_entry_that_cannot_be_is_refused(entry: Entry) -> None:
    """Whatever a hostile file says of the rarest entries, it is told what is wrong, and nothing breaks."""
    retelling = Retelling(*meta_of_random("base", 2, 1))
    for seat in range(2):
        retelling.tell(Entry(EntryKind.READY, seat, ""), 1, 1)
    asked = retelling.match.asked
    assert asked is not None
    if entry.kind is EntryKind.ILLEGAL:
        entry = entry._replace(seat=asked.seat)
    with pytest.raises(BadRecord):
        retelling.tell(entry, 1, 1)


@pytest.mark.parametrize("kind", [EntryKind.ABORT, EntryKind.NO_SHOW, EntryKind.RESIGN])
def test_an_entry_has_no_value_that_a_record_would_lose(kind: EntryKind) -> None:
    """The running hash would cover it, and nobody could make that hash again."""
    retelling = Retelling(*meta_of_random("base", 2, 1))
    seat = 0 if kind is EntryKind.RESIGN else -1
    with pytest.raises(BadRecord, match=f"{kind.value}, which has no value, but has 'lost'"):
        retelling.tell(Entry(kind, seat, "lost"), 1, 1)
    retelling.tell(Entry(kind, seat), 1, 1)
    assert retelling.match.termination is not None
