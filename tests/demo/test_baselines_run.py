"""`shoal baselines run`: the arena's own bots, kept running, as processes."""

import asyncio
import json
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from shoal.client import Client, pb

SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a running server: its address is in `server`, its admin token in `admin`."""
    folder = tmp_path_factory.mktemp("place")
    words = ["--port", "0", "--announce", "--data-dir", "data", "--admin-token-file", "admin"]
    with subprocess.Popen(
        [SHOAL, "serve", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["port"]
        (folder / "server").write_text(f"127.0.0.1:{port}")
        yield folder
        server.terminate()


def command(place: Path, *names: str) -> list[str]:
    where = ["--server", (place / "server").read_text(), "--token-file", "admin"]
    more = ["--ladder", "main", "--folder", "bots", "--max-matches", "2", "--json"]
    return [str(SHOAL), "baselines", "run", *names, *where, *more]


@contextmanager
def running(place: Path, *names: str) -> "Iterator[tuple[subprocess.Popen[str], dict[str, str]]]":
    """Run baselines, and give the process and their ids by name."""
    with subprocess.Popen(
        command(place, *names), cwd=place, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        try:
            assert run.stdout is not None
            said = json.loads(run.stdout.readline())
            yield run, {bot["name"]: bot["bot_id"] for bot in said["bots"]}
        finally:
            run.send_signal(signal.SIGINT)
            run.wait(30)


def until(holds: Callable[[], bool]) -> None:
    """Return when it holds; for what other processes do."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def matches_of(place: Path, bot_id: str) -> int:
    async def ask() -> list[pb.Match]:
        async with Client((place / "server").read_text()) as client:
            return await client.list_matches(bot_id)

    return sum(each.status == pb.MATCH_STATUS_FINISHED for each in asyncio.run(ask()))


def bots_of(run: "subprocess.Popen[str]") -> dict[str, int]:
    """Return the processes of the bots, by what they play."""
    found = {}
    for child in psutil.Process(run.pid).children():
        with suppress(psutil.Error):  # it is just going
            words = child.cmdline()
            if "bot" in words:
                found[words[words.index("run") + 1]] = child.pid
    return found


def test_baselines_play_and_one_that_dies_is_started_again(place: Path) -> None:
    """They are registered once, enter the ladder, and nothing is left of them at the end."""
    with running(place, "random", "greedy") as (run, ids):
        until(lambda: matches_of(place, ids["random"]) > 0)
        before = bots_of(run)
        assert set(before) == {"random", "greedy"}
        psutil.Process(before["greedy"]).kill()
        until(lambda: bots_of(run).get("greedy", before["greedy"]) != before["greedy"])
        played = matches_of(place, ids["greedy"])
        until(lambda: matches_of(place, ids["greedy"]) > played)
        left = [psutil.Process(pid) for pid in bots_of(run).values()]
    assert run.returncode == 0
    assert not any(each.is_running() for each in left)
    assert oct((place / "bots" / "random.token").stat().st_mode & 0o777) == "0o600"
    with running(place, "random", "greedy") as (_, again):
        assert again == ids


def test_no_bot_outlives_a_run_that_is_killed(place: Path) -> None:
    """It could not ask them to end; they end all the same."""
    with running(place, "random", "greedy") as (run, _):
        until(lambda: len(bots_of(run)) == 2)
        bots = [psutil.Process(pid) for pid in bots_of(run).values()]
        run.kill()
        _, alive = psutil.wait_procs(bots, timeout=60)
    assert alive == []


def test_two_runs_do_not_share_a_folder(place: Path) -> None:
    """They would throw each other's bots off for ever."""
    with running(place, "random"):
        second = subprocess.run(
            command(place, "random"), cwd=place, capture_output=True, text=True, check=False
        )
    assert second.returncode == 2
    assert "another `shoal baselines run` uses" in second.stderr


def test_a_name_that_somebody_has_is_said(place: Path) -> None:
    """With what can be done about it."""
    where = ["--server", (place / "server").read_text(), "--token-file", "taken"]
    subprocess.run([SHOAL, "bot", "register", "planner", *where], cwd=place, check=True)
    found = subprocess.run(
        command(place, "planner"), cwd=place, capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert "'planner' already" in found.stderr
    assert "planner-2" in found.stderr
