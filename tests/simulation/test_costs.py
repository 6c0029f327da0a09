"""What says how much a director costs runs, and says it: docs/competitions.md has its figures."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def said(script: str, *options: str) -> list[dict[str, Any]]:
    """Return what one of the scripts prints."""
    command = [sys.executable, f"loadtest/{script}.py", "--bots", "10", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_what_a_look_costs() -> None:
    (found,) = said("look_cost", "--free", "4", "--looks", "2")
    assert (found["bots"], found["free"]) == (10, 4)
    assert found["matches"] > 0
    assert min(found["idle_ms"], found["tick_ms"], found["match_ms"]) > 0


def test_what_a_plan_costs() -> None:
    found = said("plan_cost")
    assert [line["format"] for line in found] == ["RoundRobin", "Gauntlet", "Swiss"]
    assert all(line["blocks"] > 0 for line in found)
