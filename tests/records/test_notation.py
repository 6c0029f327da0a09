"""A record as text is for reading, and says the same as its document."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.match import Entry, EntryKind, SeatMeta
from shoal.record import BadRecord, Record, Retelling, from_json, from_text, to_json, to_text
from tests.records.playing import meta_of_random, random_record
from tests.records.test_documents import records

some = settings(max_examples=15, deadline=None)

TEXT = to_text(random_record("base", 2, 3))
LINES = TEXT.splitlines()


@some
@given(record=records)
def test_a_text_reads_back_as_the_same_record(record: Record) -> None:
    assert from_text(to_text(record)) == record


@some
@given(record=records, data=st.data())
def test_a_text_with_any_line_changed_is_refused(record: Record, data: Any) -> None:
    """Whatever is changed, in what was done or in what is there for the reader: nothing slips by."""
    lines = to_text(record).splitlines()
    number = data.draw(st.integers(0, len(lines) - 1))
    dice = Random(number)
    line = lines[number]
    place = dice.randrange(len(line) + 1)
    lines[number] = line[:place] + dice.choice('0a "') + line[place + 1 :]
    text = "\n".join(lines)
    if lines[number] == line:
        assert from_text(text) == record
    else:
        with pytest.raises(BadRecord, match=r"^line \d+: "):
            from_text(text)


@pytest.mark.parametrize("name", ["", " ", 'a "b" \\', "a\nb", "a\u2028b", "| seat 0 resigns", "é"])
def test_names_may_be_anything(name: str) -> None:
    meta, secret = meta_of_random("base", 2, 3)
    odd = replace(meta, seats=(SeatMeta(name, name), SeatMeta("b", "b")), ladder=name)
    retelling = Retelling(odd, secret)
    entry = retelling.tell(Entry(EntryKind.NO_SHOW), 1, 1)
    record = retelling.record([entry])
    assert from_text(to_text(record)) == record
    assert from_json(to_json(record)) == record


def replaced(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: 'shoal record 1' is read here"),
        ("shoal record 1\n", "line 1: the header has no line"),
        ("shoal record 2\n", "line 1: 'shoal record 1' is read here"),
        ("%PDF-1.4\n", "line 1: 'shoal record 1' is read here"),
        (replaced("ruleset base 1\n", ""), "the header has no line 'ruleset' with 2 words"),
        (replaced("ruleset base", "ruleset chess"), "unknown ruleset 'chess'"),
        (replaced("ruleset base 1", "ruleset base 7"), "7, but this version of shoal plays 1"),
        (replaced("seed ", "seed x"), "seed has 64 hexadecimal digits"),
        (replaced("seat b0 anemone\n", ""), "1 of them, for which base is not"),
        (replaced("rated ", "rated x"), "from what was played it would be: rated"),
        (replaced(": take pile 1", ": take pile 9"), "this is no move"),
        (replaced(": take pile 1", ": stop"), "'stop', which is no option here"),
        (replaced("seat 1 ready", "seat 7 ready"), "of ready it is not 7"),
        (replaced("\n\n", "\n \n"), "from what was played it would be: "),
        (replaced("nonce ", "nonce 0"), "this tells no entry"),
        (replaced("nonce ", "nonce " + "00" * 300), "this tells no entry"),
        (replaced("b0 anemone", '"\\ud800" anemone'), "this is no text"),
        (replaced("b0 anemone", '"\\u00" anemone'), "this is no text"),
        (replaced("resigns", "sighs"), "this tells no entry"),
        ("\n".join(LINES[:40]), "line 40: the text ends, but the match is not over"),
        ("\n".join([*LINES, "more"]), f"line {len(LINES) + 1}: a line too many, or missing"),
    ],
)
def test_a_text_that_is_wrong_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(BadRecord) as caught:
        from_text(text)
    assert says in str(caught.value)
    assert caught.value.path.startswith("line ")
