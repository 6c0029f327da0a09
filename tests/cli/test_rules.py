"""`shoal rules`: hands are scored as recorded, wrong ones are named, cards are explained."""

import gzip
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.cli.hands import BadHand, parse_hand, score_hand
from shoal.cli.main import run
from shoal.cli.sheet import SHEETS
from shoal.engine import FACES, Kind

ROOT = Path(__file__).resolve().parents[2]
SCORE = [sys.executable, "-m", "shoal.cli", "rules", "score"]
CRAB = {"kind": "crab", "color": "black"}
BOATS = [{"kind": "boat", "color": "black"}, {"kind": "boat", "color": "yellow"}]


def recorded(name: str) -> list[dict[str, Any]]:
    """The hands of a recording."""
    with gzip.open(ROOT / "tests/oracle" / f"{name}.jsonl.gz") as lines:
        return [json.loads(line) for line in lines]


def scored(text: str) -> subprocess.CompletedProcess[str]:
    """What the command says to these lines, in one process."""
    return subprocess.run(
        SCORE, input=text, capture_output=True, text=True, timeout=60, check=False
    )


def hand_of(**fields: object) -> str:
    """A line with an empty hand and table, but for these fields."""
    return json.dumps({"hand": [], "table": [], "event": None} | fields)


@pytest.mark.parametrize(("name", "number"), [("base", 2500), ("salt", 2500), ("pepper", 1500)])
def test_all_recorded_hands_score_as_recorded(name: str, number: int) -> None:
    """The lines of the reference implementation, as they are, bring its points, bonus and parts."""
    rows = recorded(f"scoring_{name}")
    for row in rows:
        more = (
            row.get("points_rulebook", row["points"]) - row["points"]
        )  # duos of the rodeo in hand
        row["points"] += more
        row["detail"]["duos"] += more
    done = scored("\n".join(json.dumps(row) for row in rows))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [
        {key: row[key] for key in ("points", "color_bonus", "detail")} for row in rows
    ]
    assert len(answers) == number


def test_blank_lines_are_skipped_but_counted() -> None:
    """The number that an error names is that of the line in the file."""
    done = scored(f"\n  \r\n{hand_of(table=[BOATS])}\n\nnonsense\n{hand_of()}\n")
    assert [json.loads(line)["points"] for line in done.stdout.splitlines()] == [1]
    assert done.returncode == 2
    assert done.stderr.startswith("shoal: line 5: not JSON")
    assert done.stderr.count("\n") == 1


def test_who_sends_line_by_line_is_answered_line_by_line() -> None:
    """An answer comes while the input is still open."""
    with subprocess.Popen(SCORE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(3):
            child.stdin.write(f"{hand_of(hand=[CRAB])}\n")
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["color_bonus"] == 1
        child.stdin.close()
        assert child.wait(20) == 0


def test_at_a_terminal_it_says_what_it_waits_for() -> None:
    """A person who starts it without input is told what to type; the end of input ends it."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(SCORE, stdin=theirs, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert "one hand a line" in child.stderr.readline()
        os.write(ours, b"\x04")
        assert child.wait(20) == 0
    os.close(theirs)
    os.close(ours)


@pytest.mark.parametrize("words", ["rules show", "replay schema", "--help"])
def test_output_that_nobody_reads_ends_it_quietly(words: str) -> None:
    """`shoal rules show | true` says nothing of how Python ends."""
    command = [sys.executable, "-m", "shoal.cli", *words.split()]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == ""
        assert child.wait(20) == 1


def test_who_stops_listening_ends_it_quietly() -> None:
    """`shoal rules score | head -1` leaves no traceback."""
    line = f"{hand_of()}\n"
    with subprocess.Popen(
        SCORE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(line)
        child.stdin.flush()
        child.stdout.readline()
        child.stdout.close()
        child.stdin.write(line)
        child.stdin.close()
        assert child.stderr.read() == ""
        child.wait(20)


@pytest.mark.parametrize("more", ["", "{}\n"], ids=["all are hands", "and then none"])
def test_output_that_is_full_is_an_error_in_one_line(more: str) -> None:
    command = f"{' '.join(SCORE)} > /dev/full"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        input=f"{hand_of()}\n" * 1000 + more,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "shoal: the output cannot be written: No space left on device\n"


def test_without_standard_input_one_line_says_so() -> None:
    """A closed standard input is an error like others."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"{' '.join(SCORE)} <&-"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "shoal: there is no standard input: give it hands, one a line\n"


@pytest.mark.parametrize(
    ("line", "field", "says"),
    [
        ("[]", "", "an object, not a list"),
        ("{", "", "not JSON"),
        ("[" * 100_000, "", "nested too deeply"),
        ("9" * 5000, "", "not JSON"),
        ('{"hand": [], "hand": [], "table": []}', "hand", "is there twice"),
        ('{"table": []}', "hand", "is missing"),
        ('{"hand": []}', "table", "is missing"),
        (hand_of(hand=None), "hand", "must be a list, not null"),
        (hand_of(hand=["crab"]), "hand[0]", "kind and color, not a string"),
        (hand_of(hand=[CRAB, {"kind": "crab"}]), "hand[1].color", "is missing"),
        (hand_of(hand=[{"color": "black"}]), "hand[0].kind", "is missing"),
        (hand_of(hand=[{"kind": 1, "color": "black"}]), "hand[0].kind", "must be a name"),
        (hand_of(hand=[{"kind": "whale", "color": "black"}]), "hand[0].kind", "known are: crab,"),
        (hand_of(hand=[{"kind": "crab", "color": "red"}]), "hand[0].color", "'red' is not known"),
        (hand_of(hand=[{"kind": "crab", "color": "pink"}]), "hand[0].color", "comes in dark_blue"),
        (hand_of(hand=[CRAB, CRAB]), "hand[1]", "crab black only 1 times"),
        (hand_of(hand=BOATS[:1], table=[BOATS, BOATS]), "table[1][0]", "boat black only 2 times"),
        (hand_of(table=[CRAB]), "table[0]", "must be a list, not an object"),
        (hand_of(table=[BOATS, [CRAB]]), "table[1]", "crab cannot lie on the table"),
        (hand_of(table=[[]]), "table[0]", "nothing cannot lie"),
        (hand_of(table=[[*BOATS, CRAB]]), "table[0]", "boat + boat + crab cannot lie"),
        (hand_of(face_down=[CRAB]), "face_down[0].kind", "only a shell"),
        (hand_of(face_down=None), "face_down", "must be a list"),
        (hand_of(event="typhoon"), "event", "'typhoon' is not known; known are"),
        (hand_of(event=5), "event", "must be a name, not a number"),
        (hand_of(events=["typhoon"]), "events[0]", "'typhoon' is not known"),
        (hand_of(extra_salt=1), "extra_salt", "must be true or false, not a number"),
    ],
)
def test_a_bad_line_names_field_and_fault(line: str, field: str, says: str) -> None:
    """Whatever is wrong with a line, the field is named as a program would reach it."""
    with pytest.raises(BadHand) as caught:
        parse_hand(line.encode())
    assert caught.value.field == field
    assert says in str(caught.value)


def test_an_error_names_line_and_field() -> None:
    """One line on stderr says where to look, after the answers to the lines before."""
    done = scored(f"{hand_of()}\n{hand_of(hand=[CRAB, {'kind': 'crab', 'color': 'red'}])}\n")
    assert done.returncode == 2
    assert done.stderr.startswith("shoal: line 2, hand[1].color: 'red' is not known; known are: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout.count("\n") == 1


def test_bytes_that_are_no_text_are_refused() -> None:
    """A file in another encoding is no reason for a traceback."""
    with pytest.raises(BadHand):
        parse_hand(b'{"hand": "\xff"}')


def test_a_name_of_any_length_is_not_repeated_in_full() -> None:
    """An error stays one line that can be read."""
    with pytest.raises(BadHand) as caught:
        parse_hand(hand_of(event="x" * 10_000).encode())
    assert len(str(caught.value)) < 400


CARDS = st.sampled_from(FACES).map(
    lambda face: {"kind": face.kind.name.lower(), "color": face.color.name.lower()}
)
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | CARDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries({"hand": WILD, "table": WILD}, optional={"events": WILD, "event": WILD})
)
def test_any_json_is_a_hand_or_refused_as_one(row: dict[str, object]) -> None:
    """No line brings another exception, and what is accepted can be scored."""
    try:
        hand = parse_hand(json.dumps(row).encode())
    except BadHand:
        return
    assert score_hand(hand).points >= 0


@given(st.permutations([card for card, face in enumerate(FACES) for _ in range(face.copies)]))
def test_every_hand_that_can_be_dealt_is_accepted(deck: list[int]) -> None:
    """The limits are those of the box: any part of it is a hand, and can be scored."""
    cards = [FACES[card] for card in deck[:20]]
    names = [{"kind": f.kind.name.lower(), "color": f.color.name.lower()} for f in cards]
    hand = parse_hand(hand_of(hand=names).encode())
    assert hand.hand == tuple(deck[:20])
    assert score_hand(hand).points >= 0


def test_every_kind_of_card_is_explained_and_its_section_exists() -> None:
    """No card is left out, and whoever wants to read on is not sent astray."""
    headings = re.findall(
        r"^#+ ([\d.]+\d|\d+)\.? ", (ROOT / "docs/rules.md").read_text(), re.MULTILINE
    )
    assert {kind.name.lower() for kind in Kind} <= set(SHEETS)
    for sheet in SHEETS.values():
        assert sheet.text
        assert sheet.section in headings, sheet.name


@pytest.mark.parametrize("spelled", ["penguin_colony", "Penguin Colony", "penguin-colony"])
def test_a_card_is_found_however_it_is_spelled(
    spelled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words, dashes and capitals are all the same."""
    assert run(["rules", "show", *spelled.split()]) == 0
    out = capsys.readouterr().out
    assert out.startswith("penguin_colony\n")
    assert "2 for each penguin" in out
    assert "1: green" in out


def test_the_table_of_all_cards_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Every card is there, and no line is wider than 80 columns."""
    assert run(["rules", "show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {kind.name.lower() for kind in Kind} <= {
        line.split(maxsplit=1)[0] for line in lines if line
    }
    assert max(map(len, lines)) <= 80


def test_a_program_may_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json there is a list of all, or one object; copies add up to the box."""
    assert run(["rules", "show", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sum(row["copies"] for row in rows) == sum(face.copies for face in FACES)
    assert run(["rules", "show", "crab", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == rows[0]


def test_a_card_that_does_not_exist_is_refused_with_those_that_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The error lists what can be asked for."""
    assert run(["rules", "show", "whale"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("shoal: no card or event is called 'whale'; there are: crab, boat")
    assert error.count("\n") == 1
