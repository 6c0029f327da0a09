"""The measurements give every figure that they promise."""

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest

SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"
FIGURES = {"matches", "moves_per_s", "p50_ms", "p99_ms", "server_us_per_move", "redis_us_per_move"}


def figures(*arguments: str) -> dict[str, object]:
    done = subprocess.run(
        [SHOAL, "bench", *arguments, "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, object] = json.loads(done.stdout)
    return shown


def test_the_engine_is_measured() -> None:
    shown = figures("engine", "--seconds", "0.2")
    assert isinstance(shown["moves_per_s"], int)
    assert shown["moves_per_s"] > 0
    assert isinstance(shown["compiled"], bool)


def test_the_best_slice_of_the_engine_is_at_least_as_fast_as_the_whole_run() -> None:
    shown = figures("engine", "--seconds", "1")
    assert float(str(shown["best_slice_moves_per_s"])) >= float(str(shown["moves_per_s"]))


@pytest.mark.timeout(240)
def test_the_server_is_measured_beside_an_echo() -> None:
    shown = figures("serve", "--seconds", "2")
    loads = shown["loads"]
    assert isinstance(loads, list)
    assert [load["matches"] for load in loads] == [32, 256]
    for load in loads:
        assert load.keys() >= FIGURES
        assert all(load[name] > 0 for name in FIGURES)
        assert load["p50_ms"] <= load["p99_ms"]
    worst = max(load["server_us_per_move"] for load in loads)
    assert shown["ratio"] == pytest.approx(worst / float(str(shown["echo_us"])), rel=0.01)


def test_an_unknown_ruleset_is_one_line() -> None:
    command = [SHOAL, "bench", "engine", "--ruleset", "chess"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "chess" in done.stderr
