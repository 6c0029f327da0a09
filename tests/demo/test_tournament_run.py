"""`shoal tournament run`: a whole tournament of real bots, and nothing of it left."""

import contextlib
import json
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "clients" / "python" / "examples"
SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"
BOTS = ["planner", "greedy", "random-1", "random-2"]

FORMATS = {
    "round-robin": 'kind = "round-robin"',
    "tables of three": 'kind = "round-robin"',
    "gauntlet": 'kind = "gauntlet"\nchallengers = ["planner"]',
    "swiss": 'kind = "swiss"\nrounds = 2',
    "knockout": 'kind = "knockout"',
}

pytestmark = pytest.mark.timeout(330)
"""More than each waits for a run to end: real bots on a busy machine."""

MORE = {"tables of three": 'seats = [3]\nrulesets = ["salt"]'}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files; after the test it is empty, and nobody works with it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.glob("shoal-tournament-*")) == []
    found = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert [words for words in found if any(str(tmp_path) in word for word in words)] == []


def cup(home: Path, form: str, more: str = "", bots: list[str] = BOTS) -> Path:
    """Write a tournament to a file."""
    path = home / "cup.toml"
    path.write_text(f'name = "cup"\nentrants = {json.dumps(bots)}\n{more}\n[format]\n{form}\n')
    return path


def start(path: Path, *arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [SHOAL, "tournament", "run", path, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_played_to_its_end_by_real_bots(home: Path, name: str) -> None:
    """It ends by itself, and everybody is in the standings once."""
    run = start(cup(home, FORMATS[name], MORE.get(name, "")), "--json")
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    end = json.loads(out)
    assert end["tournament"]["state"] == "TOURNAMENT_STATE_FINISHED"
    assert end["tournament"]["ended"] == "all has been played"
    assert sorted(line["botName"] for line in end["standings"]) == sorted(BOTS)
    blocks = {
        "round-robin": [6],
        "tables of three": [4],
        "gauntlet": [3],
        "swiss": [4],
        "knockout": [3, 4, 5, 6, 7, 8, 9],
    }
    assert end["tournament"]["finishedBlocks"] in blocks[name]


def test_the_cup_of_the_readme_is_played_from_any_folder(home: Path) -> None:
    """Its own bot is looked for beside the file, not where the command is given."""
    run = start(EXAMPLES / "cup.toml", "--json", folder=home)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    end = json.loads(out)
    assert end["tournament"]["ended"] == "all has been played"
    assert sorted(line["botName"] for line in end["standings"]) == [
        "greedy",
        "mine",
        "planner",
        "random",
    ]
    assert end["tournament"]["finishedBlocks"] == 12  # six pairs, two rulesets


def descendants(run: subprocess.Popen[str], word: str) -> list[psutil.Process]:
    """What there is below a run with a word in its command line; one that is just going is none."""
    found = []
    for process in psutil.Process(run.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if word in process.cmdline():
                found.append(process)
    return found


def until(holds: Callable[[], bool], patience: float = 120) -> None:
    """Return when it holds; for what other processes do."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def blocks_over(run: subprocess.Popen[str]) -> int:
    """Ask the server of a run how many blocks of its tournament are over; 0 before it has one."""
    servers = [each for each in descendants(run, "bot") if "--server" in each.cmdline()]
    if not servers:
        return 0
    words = servers[0].cmdline()
    asked = [SHOAL, "tournament", "list", "--json", "--server", words[words.index("--server") + 1]]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout) if done.returncode == 0 else []
    return sum(each["finishedBlocks"] for each in found)


def test_a_director_that_is_killed_is_replaced_and_the_tournament_ends(home: Path) -> None:
    """Three times with SIGKILL, each after a further block is over: each is played once (T76, T84)."""
    cycles = 4
    run = start(cup(home, f'kind = "round-robin"\ncycles = {cycles}'), "--json")
    killed: set[int] = set()
    for _ in range(3):
        before = blocks_over(run)
        until(lambda before=before: blocks_over(run) > before)  # type: ignore[misc]
        (director,) = descendants(run, "director")
        assert director.pid not in killed
        director.kill()
        killed.add(director.pid)
    assert blocks_over(run) < 6 * cycles
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    end = json.loads(out)
    assert end["tournament"]["finishedBlocks"] == 6 * cycles
    assert [line["possiblePoints"] for line in end["standings"]] == [6.0 * cycles] * 4
    assert [line["matchCount"] for line in end["standings"]] == [str(6 * cycles)] * 4


def with_its_bots(run: subprocess.Popen[str]) -> list[psutil.Process]:
    """Wait until all bots of a run have been started, and return everything that it has."""
    until(lambda: len(descendants(run, "bot")) == len(BOTS))
    return psutil.Process(run.pid).children(recursive=True)


def test_a_run_that_is_killed_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither server, Redis and director, nor a bot: they end with it, although it could not ask them to."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run = start(cup(tmp_path, 'kind = "round-robin"\ncycles = 100'))
    everything = with_its_bots(run)
    assert len(everything) >= len(BOTS) + 3
    run.kill()
    run.communicate(timeout=60)
    _, alive = psutil.wait_procs(everything, timeout=60)
    assert alive == []


def test_an_interrupt_leaves_nothing_behind(home: Path) -> None:
    """Whatever it was doing, every process and file of it is gone."""
    run = start(cup(home, 'kind = "round-robin"\ncycles = 100'))
    with_its_bots(run)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err == "stopped; nothing is left running\n"


@pytest.mark.parametrize(
    ("form", "more", "told"),
    [
        ('kind = "round-robin"', "seats = [4]", "entrants: a table of 4 cannot be filled by 2"),
        ('kind = "swiss"\nrounds = 9', "", "format.rounds: 9 rounds without a rematch"),
        ('kind = "round-robin"', "ends_ms = 5", "ends_ms: must be later than now"),
        (
            'kind = "gauntlet"\nchallengers = ["nobody"]',
            "",
            "format.challengers[0]: 'nobody' is none of the entrants",
        ),
    ],
    ids=["seats", "rounds", "end", "challengers"],
)
def test_what_those_who_are_listed_cannot_play_is_said_at_once(
    home: Path, form: str, more: str, told: str
) -> None:
    """No server is started for it."""
    run = start(cup(home, form, more, BOTS[:2]))
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (2, "")
    assert told in err
