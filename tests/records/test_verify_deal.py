"""An outsider checks a record with two files of Python that know nothing of this project."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shoal.match import Entry, EntryKind
from shoal.record import Record, Retelling, from_json, to_json, to_text
from tests.records.make_golden import golden_files
from tests.records.playing import WILD, meta_of_random, random_record
from tests.syntax import parsed

DOCS = Path(__file__).parents[2] / "docs"
DEAL, CARDS = DOCS / "verify_deal.py", DOCS / "verify_cards.py"
SCRIPTS = pytest.mark.parametrize("script", [DEAL, CARDS], ids=lambda script: script.stem)
GOLDEN = sorted(golden_files())
RICH = next(path for path in GOLDEN if path.stem == "salt-pepper-2")
"""In which all of chance has a part."""


def run(script: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-I", str(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_all_chance_of_a_golden_record_follows_from_its_seed(path: Path) -> None:
    done = run(DEAL, path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "ok: all chance comes of the seed\n"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_card_of_a_golden_record_can_be_followed(path: Path) -> None:
    done = run(CARDS, path)
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads(path.read_text(encoding="utf-8"))
    uses = sum(len(entry["chance"]) for entry in record["entries"])
    assert done.stdout.startswith(f"ok: {uses} uses of chance")
    assert uses >= 3


@SCRIPTS
def test_a_match_that_was_never_dealt_has_no_chance(script: Path, tmp_path: Path) -> None:
    never = next(
        record
        for record in (random_record("salt-pepper", 2, seed, WILD) for seed in range(1000))
        if not any(entry.chance for entry in record.entries)
    )
    path = tmp_path / "never.json"
    path.write_text(to_json(never), encoding="utf-8")
    assert run(script, path).returncode == 0


def record_of_empty_decks(rounds: int) -> Record:
    """A match in which everybody draws and nobody scores, so that nobody is awarded an event card."""
    retelling = Retelling(*meta_of_random("pepper", 2, 0))
    entries = [retelling.tell(Entry(EntryKind.READY, seat, ""), 0, 0) for seat in range(2)]
    while (state := retelling.match.game) is None or state.round < rounds:
        asked = retelling.match.asked
        assert asked is not None
        entries.append(retelling.tell(Entry(EntryKind.MOVE, asked.seat, asked.default.code), 0, 0))
    entries.append(retelling.tell(Entry(EntryKind.RESIGN, 0), 0, 0))
    return retelling.record(entries)


@SCRIPTS
def test_when_all_event_cards_were_used_they_are_shuffled_again(
    script: Path, tmp_path: Path
) -> None:
    path = tmp_path / "long.json"
    path.write_text(to_json(record_of_empty_decks(14)), encoding="utf-8")
    assert [use["round"] for use in uses_of(json.loads(path.read_text()), "events")] == [0, 13]
    done = run(script, path)
    assert (done.returncode, done.stderr) == (0, "")


@SCRIPTS
def test_it_imports_the_standard_library_alone(script: Path) -> None:
    tree = parsed(script.read_text())
    imports = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imports <= sys.stdlib_module_names


def test_the_first_of_them_is_short() -> None:
    lines = DEAL.read_text().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120


@SCRIPTS
def test_the_docs_say_how_long_it_is(script: Path) -> None:
    lines = len(script.read_text().splitlines())
    told = (DOCS / "records.md").read_text().split(f"[{script.name}]({script.name})")[1]
    assert f"{round(lines, -1)} lines" in told.split("\n\n")[0]


@SCRIPTS
@pytest.mark.parametrize(
    "what", ["nothing", "no file", "text", "no JSON", "another JSON", "a list"]
)
def test_what_is_no_record_is_refused_in_one_line(script: Path, what: str, tmp_path: Path) -> None:
    record = from_json(RICH.read_text(encoding="utf-8"))
    contents = {
        "text": to_text(record),
        "no JSON": "{",
        "another JSON": '{"format": 1}',
        "a list": "[[]]",
    }
    path = tmp_path / "record"
    if what in contents:
        path.write_text(contents[what], encoding="utf-8")
    done = run(script, *([] if what == "nothing" else [path]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"usage: {script.name} RECORD.json")
    assert done.stderr.count("\n") == 1


@SCRIPTS
def test_a_byte_order_mark_is_read_over(script: Path, tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_text(RICH.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert run(script, path).returncode == 0


def events_of(data: Any, kind: str) -> list[Any]:
    """The events of a kind, wherever they are."""
    events = (event for entry in data["entries"] for event in entry["events"])
    return [event for event in events if event["kind"] == kind]


def uses_of(data: Any, purpose: str) -> list[Any]:
    """The uses of chance for a purpose."""
    uses = (use for entry in data["entries"] for use in entry["chance"])
    return [use for use in uses if use["purpose"] == purpose]


def other(card: str) -> str:
    """Another card, of which there is one in every box."""
    return "crab black" if card != "crab black" else "crab grey"


def other_seed(data: Any) -> None:
    data["server_seed"] = "0" * 64


def other_nonce(data: Any) -> None:
    data["nonces"][0] = "c0ffee"


def other_piles(data: Any) -> None:
    events_of(data, "round_started")[1]["piles"].reverse()


def other_starter(data: Any) -> None:
    events_of(data, "round_started")[0]["starter"] ^= 1


def other_draw(data: Any) -> None:
    draw = [event for event in events_of(data, "cards_taken") if event["pile"] is None][-1]
    draw["cards"][0] = other(draw["cards"][0])


def other_card_kept(data: Any) -> None:
    kept = events_of(data, "card_kept")[-1]
    kept["card"] = other(kept["card"])


def other_effect(data: Any) -> None:
    drawn = events_of(data, "cards_drawn")[-1]
    drawn["cards"] = [other(drawn["cards"][0])]


def other_theft(data: Any) -> None:
    stolen = events_of(data, "card_stolen")[-1]
    stolen["card"] = other(stolen["card"])


def other_place_of_theft(data: Any) -> None:
    uses_of(data, "steal")[-1]["came"] += 1


def other_deck(data: Any) -> None:
    came = uses_of(data, "deal")[-1]["came"]
    came[0], came[-1] = came[-1], came[0]


def other_shown(data: Any) -> None:
    shown = events_of(data, "deck_searched")[-1]
    shown["cards"][0] = other(shown["cards"][0])


def other_deck_after_a_lobster(data: Any) -> None:
    uses_of(data, "lobster")[-1]["came"].reverse()


def other_event_card(data: Any) -> None:
    event = events_of(data, "event_revealed")[-1]
    event["event_card"] = "kraken" if event["event_card"] != "kraken" else "sunfish"


def other_event_deck(data: Any) -> None:
    uses_of(data, "events")[-1]["came"].reverse()


def chance_twice(data: Any) -> None:
    data["entries"][-1]["chance"].append({**uses_of(data, "deal")[-1], "counter": 1})


def chance_left_out(data: Any) -> None:
    data["entries"][1]["chance"].pop()


def chance_of_no_purpose(data: Any) -> None:
    uses_of(data, "steal")[-1]["purpose"] = "theft"


def other_round(data: Any) -> None:
    uses_of(data, "deal")[-1]["round"] += 1


def other_counter(data: Any) -> None:
    uses_of(data, "steal")[-1]["counter"] += 1


def other_number_of_cards(data: Any) -> None:
    uses_of(data, "deal")[-1]["of"] -= 1


def other_cards(data: Any) -> None:
    came = uses_of(data, "deal")[0]["came"]
    came[came.index(0)] = 45


def a_use_again(data: Any) -> None:
    chance = next(entry["chance"] for entry in data["entries"] if entry["chance"])
    chance.append(chance[-1])


def theft_left_out(data: Any) -> None:
    last = next(
        entry for entry in reversed(data["entries"]) if uses_of({"entries": [entry]}, "steal")
    )
    last["chance"] = []


class Found(NamedTuple):
    """What each script says of a changed record; None where it cannot know."""

    deal: str | None
    cards: str


SPOILERS: dict[Callable[[Any], None], Found] = {
    other_seed: Found("commitment", "the commitment"),
    other_nonce: Found("", "chance of"),
    other_piles: Found("piles", "the piles"),
    other_starter: Found("who starts", "who starts"),
    other_deck: Found("deal", "chance of ('deal', "),
    other_cards: Found("deal", "chance of ('deal', "),
    other_number_of_cards: Found("deal", "chance of ('deal', "),
    other_round: Found("deal", "chance of ('deal', "),
    other_place_of_theft: Found("steal", "chance of ('steal', "),
    other_counter: Found("steal", "chance of ('steal', "),
    other_deck_after_a_lobster: Found("lobster", "chance of ('lobster', "),
    other_event_deck: Found("events", "chance of ('events', "),
    chance_twice: Found("", "chance that had no use"),
    a_use_again: Found("", "the uses of chance, each once"),
    chance_of_no_purpose: Found("uses of chance", "chance of ('steal', "),
    chance_left_out: Found("", "chance of"),
    theft_left_out: Found("uses of chance", "chance of ('steal', "),
    other_draw: Found(None, "the cards drawn"),
    other_card_kept: Found(None, "the card kept"),
    other_effect: Found(None, "the cards drawn"),
    other_theft: Found(None, "the card stolen"),
    other_shown: Found(None, "the cards drawn"),
    other_event_card: Found(None, "the event card"),
}


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
def test_what_does_not_follow_is_said_clearly(spoil: Callable[[Any], None], tmp_path: Path) -> None:
    data = json.loads(RICH.read_text(encoding="utf-8"))
    spoil(data)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    for script, says in ((DEAL, SPOILERS[spoil].deal), (CARDS, SPOILERS[spoil].cards)):
        done = run(script, changed)
        assert done.returncode == (says is not None), done.stderr
        if says is not None:
            assert done.stderr.startswith(f"NO MATCH: {says}"), done.stderr
            assert done.stderr.count("\n") == 1


def test_a_forged_draw_is_found_wherever_it_is(tmp_path: Path) -> None:
    text = RICH.read_text(encoding="utf-8")
    draws = len(
        [each for each in events_of(json.loads(text), "cards_taken") if each["pile"] is None]
    )
    for at in range(0, draws, max(1, draws // 12)):
        data = json.loads(text)
        draw = [each for each in events_of(data, "cards_taken") if each["pile"] is None][at]
        draw["cards"][-1] = other(draw["cards"][-1])
        changed = tmp_path / f"{at}.json"
        changed.write_text(json.dumps(data))
        assert run(CARDS, changed).returncode == 1
