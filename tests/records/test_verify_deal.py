"""An outsider checks the chance in a record with a file of Python that knows nothing of this project."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.records.make_golden import golden_files

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"
GOLDEN = sorted(golden_files())
RICH = next(path for path in GOLDEN if path.stem == "salt-pepper-2")
"""In which all of chance has a part."""


def run(path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-I", str(SCRIPT), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_all_chance_of_a_golden_record_follows_from_its_seed(path: Path) -> None:
    done = run(path)
    assert done.returncode == 0, done.stderr
    record = json.loads(path.read_text(encoding="utf-8"))
    uses = sum(len(entry["chance"]) for entry in record["entries"])
    assert done.stdout.startswith(f"ok: {uses} uses of chance")
    assert uses >= 3


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text())
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


def test_the_docs_say_how_long_it_is() -> None:
    lines = len(SCRIPT.read_text().splitlines())
    told = (SCRIPT.parent / "records.md").read_text().split("[verify_deal.py](verify_deal.py)")[1]
    assert f"{round(lines, -1)} lines" in told.split("\n\n")[0]


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


SPOILERS: dict[Callable[[Any], None], str] = {
    other_seed: "the commitment",
    other_nonce: "chance of",
    other_piles: "the piles",
    other_starter: "who starts",
    other_draw: "the cards drawn",
    other_card_kept: "the card kept",
    other_effect: "the cards drawn",
    other_theft: "the card stolen",
    other_place_of_theft: "chance of ('steal', ",
    other_deck: "chance of ('deal', ",
    other_shown: "the cards drawn",
    other_deck_after_a_lobster: "chance of ('lobster', ",
    other_event_card: "the event card",
    other_event_deck: "chance of ('events', ",
    chance_twice: "chance that had no use",
    chance_left_out: "chance of",
}


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
def test_what_does_not_follow_is_said_clearly(spoil: Callable[[Any], None], tmp_path: Path) -> None:
    data = json.loads(RICH.read_text(encoding="utf-8"))
    spoil(data)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    done = run(changed)
    assert done.returncode == 1
    assert done.stderr.startswith(f"NO MATCH: {SPOILERS[spoil]}"), done.stderr


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
        assert run(changed).returncode == 1
