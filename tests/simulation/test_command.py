"""The command: figures on stdout, how it goes on stderr, and a quiet end at Ctrl-C."""

import json
import signal
import subprocess
import sysconfig
from pathlib import Path

from shoal.server.simulation.summary import MEANING

SHOAL = str(Path(sysconfig.get_path("scripts"), "shoal"))
SIMULATE = [SHOAL, "ladder", "simulate", "--bots", "6", "--match-seconds", "15"]
ASKED_FOR = {
    *("coverage", "rank_correlation", "share", "longest_wait", "repeat_rate", "cpu_ms_per_match"),
    *("second_eigenvalue", "memory"),
}


def simulated(*more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*SIMULATE, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_the_figures_are_one_line_of_json_and_nothing_else() -> None:
    done = simulated("--blocks", "40", "--days", "0", "--json")
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert found.keys() >= ASKED_FOR | MEANING.keys()
    assert found["blocks"]["started"] >= 40
    assert found["plan"]["sizes"] == [2, 3, 4]
    assert len(found["bots"]) == 6
    assert "90 %" in done.stderr


def test_for_people_each_figure_has_a_line_and_what_it_is() -> None:
    done = simulated("--blocks", "40", "--days", "0", "--sizes", "2")
    lines = done.stdout.splitlines()
    assert all(any(line.startswith(name) for line in lines) for name in MEANING)
    assert "match lengths" in done.stdout


def test_real_matches_can_be_asked_for() -> None:
    done = simulated(
        *("--outcomes", "engine", "--real-matches", "16", "--sizes", "2"),
        *("--days", "0.02", "--json"),
    )
    assert "16 of 16 real matches are played" in done.stderr
    assert json.loads(done.stdout)["plan"]["outcomes"] == "engine"


def test_ctrl_c_ends_it_without_figures() -> None:
    """As soon as it says how it goes."""
    with subprocess.Popen(
        [*SIMULATE, "--days", "365"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("simulating")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == "stopped; there are no figures\n"
