"""An outsider checks the deals of a record with a page of Python that knows nothing of this project."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.records.make_golden import golden_files

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"
GOLDEN = sorted(golden_files())


def run(path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-I", str(SCRIPT), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_deals_of_a_golden_record_follow_from_its_seed(path: Path) -> None:
    done = run(path)
    assert done.returncode == 0, done.stderr
    rounds = path.read_text(encoding="utf-8").count('"kind": "round_started"')
    assert done.stdout.count("ok: the piles") == rounds >= 2
    assert "round 1, the deck from its top: " in done.stdout


def test_it_is_short_and_imports_the_standard_library_alone() -> None:
    text = SCRIPT.read_text()
    assert len(text.splitlines()) < 80
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    assert {alias.name for node in imports for alias in node.names} <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(ast.parse(text)))


def other_seed(data: Any) -> None:
    data["server_seed"] = "0" * 64


def other_nonce(data: Any) -> None:
    data["nonces"][0] = "c0ffee"


def other_piles(data: Any) -> None:
    (deal,) = (entry["events"] for entry in data["entries"][:2] if entry["events"])
    deal[0]["piles"].reverse()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (other_seed, "NO MATCH: the commitment"),
        (other_nonce, "NO MATCH: the piles"),
        (other_piles, "NO MATCH: the piles"),
    ],
)
def test_a_deal_that_does_not_follow_is_said_clearly(spoil: Any, says: str, tmp_path: Path) -> None:
    data = json.loads(GOLDEN[0].read_text(encoding="utf-8"))
    spoil(data)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    done = run(changed)
    assert done.returncode == 1
    assert done.stderr.startswith(says)
