"""The measurements give every figure that they promise."""

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest

from shoal.server.bench.driver import Counts
from shoal.server.bench.echo import EchoCost
from shoal.server.bench.turns import Slice, Turns
from shoal.server.cli import figure_lines

SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"
FIGURES = {"matches", "moves_per_s", "p50_ms", "p99_ms", "server_us_per_move", "redis_us_per_move"}
COMPARED = {"ratio", "ratio_spread"}


def figures(*arguments: str) -> dict[str, object]:
    done = subprocess.run(
        [SHOAL, "bench", *arguments, "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, object] = json.loads(done.stdout)
    return shown


def test_figures_for_people_are_a_line_each() -> None:
    """Also those of a load, and several of one kind: nothing is written as a program would."""
    shown = {"loads": [{"matches": 32, "spread": [1.5, 2]}, {"matches": 256}], "half": {"ms": 3}}
    assert [line.split() for line in figure_lines(shown)] == [
        ["loads[0].matches", "32"],
        ["loads[0].spread", "1.5", "2"],
        ["loads[1].matches", "256"],
        ["half.ms", "3"],
    ]


def test_the_engine_is_measured() -> None:
    shown = figures("engine", "--seconds", "0.2")
    assert isinstance(shown["moves_per_s"], int)
    assert shown["moves_per_s"] > 0
    assert float(str(shown["moves_per_cpu_s"])) > 0
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
        assert load.keys() >= FIGURES | COMPARED
        assert all(load[name] > 0 for name in FIGURES)
        assert load["p50_ms"] <= load["p99_ms"]
        low, high = load["ratio_spread"]
        assert low <= load["ratio"] <= high
    worst = max(loads, key=lambda load: float(load["ratio"]))
    assert {name: shown[name] for name in COMPARED} == {name: worst[name] for name in COMPARED}
    echoes = shown["echo_us_each"]
    assert isinstance(echoes, list)
    assert len(echoes) == 2 * 3, "each slice of a load has one of the echo beside it"
    half = shown["half_load"]
    assert isinstance(half, dict)
    assert half.keys() >= FIGURES


def test_a_slice_that_was_disturbed_moves_the_ratio_little() -> None:
    turns = Turns()
    for server_cpu, echo_us in [(0.4, 200.0), (0.5, 250.0), (0.9, 200.0), (0.41, 200.0)]:
        counts = Counts(moves=1000, messages=300)
        turns.add(Slice(counts, server_cpu, 0.1, 1.0), EchoCost(echo_us, 5_000.0))
    assert turns.ratio == pytest.approx(2.025)
    assert turns.played.us_per_move == pytest.approx(552.5)
    assert turns.played.moves_per_s == 1000


def test_an_unknown_ruleset_is_one_line() -> None:
    command = [SHOAL, "bench", "engine", "--ruleset", "chess"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "chess" in done.stderr
