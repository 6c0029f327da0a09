"""`shoal demo`, as a newcomer runs it: real processes, and none of them left."""

import json
import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files; after the test it is empty, and nobody works with it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.glob("shoal-demo-*")) == []
    assert users_of(tmp_path) == []


def users_of(folder: Path) -> list[list[str]]:
    """The command lines of the processes that name the folder."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(str(folder) in word for word in words):
            found.append(words)
    return found


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [SHOAL, "demo", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def await_bots(demo: subprocess.Popen[str]) -> list[psutil.Process]:
    """The bots' processes, once all six are there."""
    for _ in range(600):
        children = psutil.Process(demo.pid).children()
        bots = [child for child in children if child.cmdline()[2:4] == ["bot", "run"]]
        if len(bots) == 6:
            return bots
        time.sleep(0.1)
    raise AssertionError("no six bots in time")


def test_it_plays_rates_and_shows_a_match(home: Path) -> None:
    demo = start("--seconds", "20", "--json")
    out, err = demo.communicate(timeout=90)
    assert demo.returncode == 0, err
    shown = json.loads(out)
    assert len(shown["standings"]) == 6
    assert [line["rank"] for line in shown["standings"]] == [1, 2, 3, 4, 5, 6]
    assert shown["matches"] > 0
    assert shown["moves"] > shown["matches"]
    assert shown["match"]
    assert home.exists()


@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interrupt_leaves_nothing_behind(home: Path, *, whole_group: bool) -> None:
    demo = start("--seconds", "50")
    await_bots(demo)
    (os.killpg if whole_group else os.kill)(demo.pid, signal.SIGINT)
    _, err = demo.communicate(timeout=60)
    assert demo.returncode == 130
    assert err == "stopped; nothing is left running\n"
    assert home.exists()


def test_a_bot_that_dies_is_named_in_one_line(home: Path) -> None:
    demo = start("--seconds", "50")
    await_bots(demo)[0].kill()
    _, err = demo.communicate(timeout=60)
    assert demo.returncode == 2
    assert "was killed by signal 9" in err
    assert err.count("\n") == 1
    assert home.exists()


def test_a_server_that_dies_leaves_nothing_behind(home: Path) -> None:
    demo = start("--seconds", "50")
    await_bots(demo)
    children = psutil.Process(demo.pid).children()
    [server] = [child for child in children if "serve" in child.cmdline()]
    server.kill()
    _, err = demo.communicate(timeout=60)
    assert demo.returncode == 2
    assert err == "shoal demo: server was killed by signal 9\n"
    assert home.exists()
