"""`shoal replay` on files: those that are records, and whatever else a file may be."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.match import Entry, EntryKind
from shoal.record import LARGEST_FILE, Retelling, from_json, to_json, to_text
from tests.records.playing import BANKED, Temper, meta_of_random, random_record

RECORD = random_record("base", 3, 5, Temper(silent=0.1))
JSON, TEXT = to_json(RECORD), to_text(RECORD)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with one record in both notations, and one with another think time."""
    monkeypatch.chdir(tmp_path)
    Path("match.json").write_text(JSON, encoding="utf-8")
    Path("match.txt").write_text(TEXT, encoding="utf-8")
    data = json.loads(JSON)
    data["entries"][5]["think_ms"] += 1
    Path("changed.json").write_text(json.dumps(data))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command prints that ends with this exit code."""
    assert run(["replay", *arguments]) == code
    return capsys.readouterr().out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("file", ["match.json", "match.txt"])
def test_a_record_is_shown_a_turn_a_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "show", file).splitlines()
    assert lines[0].startswith(f"match {RECORD.match_id}: base, finished (")
    assert all(f"  seat {seat}  " in lines[1 + seat] for seat in range(3))
    assert any(line.startswith("round 1: seat ") for line in lines)
    turns = [line for line in lines if line.endswith("; ends its turn")]
    assert len(turns) > 10
    assert all(re.match(r" +\d+\.\d\d s  seat \d  ", turn) for turn in turns)
    assert any("silent: " in line for line in lines)
    assert "?" not in "\n".join(lines)


@pytest.mark.usefixtures("folder")
def test_a_record_is_shown_as_a_seat_saw_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever lost a match can read afterwards all that its seat was told, and did when (T86, T90)."""
    lines = said(capsys, "show", "match.json", "--seat", "1").splitlines()
    drawn = [line for line in lines if " draws " in line]
    own, others = (
        [line for line in drawn if ("  seat 1  " in line) is mine] for mine in (True, False)
    )
    assert own
    assert others
    assert not any("draws ?" in line for line in own)
    assert all("draws ?" in line for line in others)


@pytest.mark.usefixtures("folder")
def test_each_notation_turns_into_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "show", "match.json", "--text") == TEXT
    assert said(capsys, "show", "match.txt", "--json") == JSON


@pytest.mark.usefixtures("folder")
def test_records_that_are_sound_verify(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "verify", "match.json", "match.txt").splitlines()
    entries = len(RECORD.entries)
    assert lines == [f"match.{end}: sound: base, {entries} entries" for end in ("json", "txt")]


@pytest.mark.usefixtures("folder")
def test_a_record_that_is_not_sound_is_told_with_what_and_where(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = said(capsys, "verify", "match.json", "changed.json", code=1).splitlines()
    assert lines[0].startswith("match.json: sound")
    assert lines[1].startswith("changed.json: entries[5].rev: the record says ")
    assert len(lines) == 2
    first, second = json.loads(
        said(capsys, "verify", "--json", "match.json", "changed.json", code=1)
    )
    assert (first["sound"], first["findings"]) == (True, [])
    assert second["sound"] is False
    assert second["findings"][0]["path"] == "entries[5].rev"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("flag", ["", "--text", "--json", "--seat=1"])
def test_what_is_not_sound_is_not_shown(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lines would not tell what was played, and its numbers could be anything."""
    assert run(["replay", "show", "changed.json", *filter(None, [flag])]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("shoal: changed.json: not sound, so there is nothing to show: entries[5]")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_of_many_findings_some_are_said_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = json.loads(JSON)
    for entry in data["entries"]:
        entry["left"] = not entry["left"]
    Path("many.json").write_text(json.dumps(data))
    lines = said(capsys, "verify", "many.json", code=1).splitlines()
    assert len(lines) == 21
    assert lines[-1] == f"many.json: and {len(data['entries']) - 20} more, which --json lists"


def test_standard_input_is_a_file_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(JSON.encode())))
    assert said(capsys, "verify", "-") == f"-: sound: base, {len(RECORD.entries)} entries\n"


FILES: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\n",
    "truncated.json": JSON[: len(JSON) // 2].encode(),
    "truncated.txt": "\n".join(TEXT.splitlines()[:30]).encode(),
    "binary": bytes(range(256)) * 20,
    "latin": '{"ladder": "caf\xe9"}'.encode("latin-1"),
    "zero": b"\0" * 100,
    "deep.json": b'{"a":' * 200_000,
    "list.json": b"[]",
    "number.json": b"[" + b"9" * 10_000 + b"]",
    "other.json": b'{"format": 99}',
    "escape.txt": b"\x1b[2J\x1b[H",
    "escape.json": JSON.replace('"format"', '"\\u001b[2J": 1, "format"', 1).encode(),
}


@pytest.mark.parametrize("command", ["show", "verify"])
@pytest.mark.parametrize("name", [*FILES, "missing", ".", "nul\0"])
def test_what_is_no_record_gives_one_line_and_exit_code_2(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if name in FILES:
        Path(name).write_bytes(FILES[name])
    assert run(["replay", command, name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"shoal: {name}: ")
    assert err.count("\n") == 1
    assert len(err) < 300
    assert "\x1b" not in err


def test_a_file_that_is_too_large_is_not_read_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.truncate(LARGEST_FILE * 100)
    assert run(["replay", "verify", str(huge)]) == 2
    assert "larger than 32 MiB" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_one_that_cannot_be_read_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["replay", "verify", "missing", "changed.json", "match.json"]) == 2
    out, err = capsys.readouterr()
    assert err == "shoal: missing: No such file or directory: check the path\n"
    assert [line.split(":")[0] for line in out.splitlines()] == ["changed.json", "match.json"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "match.json", "--seat", "7"], "there is no seat 7: the match had 3"),
        (["show", "match.json", "--seat", "0", "--text"], "one of --seat, --text and --json"),
        (["show"], "Missing argument"),
        (["export", "m1", "--out", "match.json"], "match.json exists already: --force overwrites"),
    ],
)
def test_what_was_asked_wrongly_is_said(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_pipe_that_closes_early_ends_it_quietly(folder: Path) -> None:
    command = f"{sys.executable} -m shoal.cli replay show match.json | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("match ")
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", ["show match.json --json", "verify match.json", "schema"])
def test_output_that_is_full_is_an_error_in_one_line(arguments: str, folder: Path) -> None:
    command = f"{sys.executable} -m shoal.cli replay {arguments} > /dev/full"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "shoal: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("text", [JSON, TEXT], ids=["JSON", "text"])
def test_a_byte_order_mark_is_read_over(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "marked"
    path.write_text(text, encoding="utf-8-sig")
    assert "sound" in said(capsys, "verify", str(path))


def test_a_text_that_is_read_is_the_record() -> None:
    assert from_json(JSON) == RECORD


def test_what_ends_a_match_from_outside_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Illegal answers, credits and an organizer's end have lines of their own, as a no-show has."""
    retelling = Retelling(*meta_of_random("base", 2, 1, BANKED))
    entries = [retelling.tell(Entry(EntryKind.READY, seat, ""), 1_000, 0) for seat in range(2)]
    asked = retelling.match.asked
    assert asked is not None
    odd = (
        Entry(EntryKind.ILLEGAL, asked.seat, -1),
        Entry(EntryKind.CREDIT, value=1_500),
        Entry(EntryKind.ABANDON, asked.seat, asked.default.code),
        Entry(EntryKind.ABORT),
    )
    entries += [retelling.tell(entry, 2_000, 0) for entry in odd]
    (folder / "odd.json").write_text(to_json(retelling.record(entries)), encoding="utf-8")
    shown = said(capsys, "show", "odd.json")
    assert "gives an answer that is no option (-1)" in shown
    assert "1.50 s are given" in shown
    assert "gone: " in shown
    assert "an organizer ends the match" in shown
