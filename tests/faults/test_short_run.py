"""A short run of the fault kit: every kind of fault, and nothing lost, doubled, charged, stuck or leaked."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shoal.server.chaos.faults import Lane, Needs, possible
from shoal.server.chaos.findings import BAD
from tests.faults.running import chaos, users_of

QUICK = ("--minutes", "0.05", "--at-least", "1", "--matches", "12")
"""As long as it takes until each kind of fault has happened."""

ALL_BUT_LONG = [
    each.kind for each in possible(cluster=False, workers=2) if each.kind != "redis-outage"
]
"""The one that is left out lasts too long; test_kit_notices.py has it."""

FAILOVERS = [each.kind for each in possible(cluster=True, workers=1) if each.needs is Needs.CLUSTER]

WAYS = [each.kind for each in possible(cluster=True, workers=1) if each.lane is Lane.STORE]
"""On a cluster each breaks the way to one master, and leaves those to the others. What is in neither list is
the same on a cluster."""


@pytest.mark.timeout(240)
def test_nothing_is_lost_whatever_breaks(tmp_path: Path) -> None:
    """T1, T19, T20, T21, T32, T76, T83, T84, T101: docs/faults.md says what is compared."""
    faults = ("--faults", ",".join(ALL_BUT_LONG))
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults)
    check(code, figures, said)
    assert figures["lost_by_failover"] == 0
    assert users_of(tmp_path) == []


@pytest.mark.timeout(240)
def test_what_a_failover_loses_is_told_and_rated_by_nobody(tmp_path: Path) -> None:
    """T6: acknowledged moves are lost here; docs/faults.md says what is excused.

    They are excused only in matches that are void for it, or gone altogether, which may be all of them.
    One server: it knows what is lost by its next step. Another one may bring a match to its end before that.
    """
    faults = ("--faults", ",".join(FAILOVERS), "--cluster", "--servers", "1", "--workers", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults)
    check(code, figures, said)
    assert figures["lost_by_failover"] > 0
    assert users_of(tmp_path) == []


@pytest.mark.timeout(240)
def test_nobody_pays_for_a_way_to_one_master_that_breaks(tmp_path: Path) -> None:
    """T1, T6: the servers reach all other masters meanwhile, and are alive there."""
    faults = ("--faults", ",".join(WAYS), "--cluster", "--servers", "2", "--workers", "1")
    code, figures, said = chaos(tmp_path / "run", *QUICK, *faults)
    check(code, figures, said)
    assert figures["lost_by_failover"] == 0
    assert users_of(tmp_path) == []


def check(code: int, figures: dict[str, Any], said: str) -> None:
    """See that nothing was found, and that enough happened for that to mean something."""
    assert {name: figures[name] for name in BAD} == dict.fromkeys(BAD, 0), figures
    assert figures["rare_faults"] == []
    assert code == 0, said
    assert figures["acknowledged"] > 100
    assert figures["moves"] > figures["acknowledged"]


@pytest.mark.timeout(120)
def test_an_interrupt_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shoal.cli", "chaos", "--cluster"]
    command += ["--folder", str(tmp_path / "run")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "bots play" in line:
                break
        os.kill(running.pid, signal.SIGINT)
        said = running.stderr.read()
    assert running.returncode == 130, said
    assert "nothing is left running" in said
    assert users_of(tmp_path) == []


@pytest.mark.timeout(30)
def test_a_fault_that_there_is_not_is_one_line(tmp_path: Path) -> None:
    code, _, said = chaos(tmp_path / "run", "--faults", "earthquake")
    assert code == 2
    assert said.count("\n") == 1
    assert "server-kill" in said


@pytest.mark.timeout(30)
def test_a_fault_that_the_run_cannot_have_is_one_line(tmp_path: Path) -> None:
    code, _, said = chaos(tmp_path / "run", "--faults", "cluster-failover")
    assert code == 2
    assert said.count("\n") == 1
    assert "a cluster" in said
