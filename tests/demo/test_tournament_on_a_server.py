"""`shoal tournament run --server`: on a server that is there, with bots from here and of others."""

import json
import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

SHOAL = Path(sysconfig.get_path("scripts")) / "shoal"
PATIENCE = 300


@dataclass(frozen=True)
class Place:
    """A running server, and the folder with its admin token and everything else."""

    folder: Path
    address: str

    def shoal(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [SHOAL, *words],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command."""
        return subprocess.Popen(
            [SHOAL, *words],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def environment(self) -> dict[str, str]:
        own = {"SHOAL_SERVER": self.address, "TMPDIR": str(self.folder)}
        return {**os.environ, **own, "XDG_STATE_HOME": str(self.folder / "state")}

    def running(self) -> list[list[str]]:
        """Return the command lines of what plays here from a run."""
        found = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
        return [words for words in found if "run" in words and self.address in words]

    def cup(self, *entrants: str, form: str = 'kind = "round-robin"') -> str:
        """Write a tournament to a file, and return the words that play it."""
        (self.folder / "cup.toml").write_text(
            f'name = "cup"\nentrants = {json.dumps(entrants)}\n[format]\n{form}\n'
        )
        return f"tournament run cup.toml --server {self.address} --token-file admin"

    def tournaments(self) -> list[dict[str, object]]:
        """Return what the server has of tournaments."""
        found: list[dict[str, object]] = json.loads(
            self.shoal("tournament", "list", "--json").stdout
        )
        return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A running server with its director."""
    folder = tmp_path_factory.mktemp("place")
    words = "serve --port 0 --announce --data-dir data --admin-token-file admin"
    with subprocess.Popen(
        [SHOAL, *words.split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield Place(folder, f"127.0.0.1:{json.loads(server.stdout.readline())['port']}")
        server.terminate()


@contextmanager
def played_by_somebody(place: Place, name: str) -> Iterator[None]:
    """Run a bot of the server, as its owner does."""
    made = place.shoal("bot", "register", name, "--token-file", f"{name}.token")
    assert made.returncode == 0, made.stderr
    words = f"bot run random --token-file {name}.token --max-matches 4"
    bot = place.start(*words.split())
    try:
        yield
    finally:
        bot.terminate()
        bot.communicate(timeout=60)


def test_bots_from_here_play_those_of_the_server(place: Place) -> None:
    """To the end, twice, and the second time the bots of the first play again."""
    with played_by_somebody(place, "anna"):
        words = place.cup("anna", "greedy-1", "random-1").split()
        names = []
        for _ in range(2):
            done = place.shoal(*words, "--json")
            assert done.returncode == 0, done.stderr
            end = json.loads(done.stdout)
            assert end["tournament"]["ended"] == "all has been played"
            assert end["tournament"]["finishedBlocks"] == 3
            names.append(sorted(line["botName"] for line in end["standings"]))
    assert names[0] == ["anna", "greedy-1", "random-1"]
    assert names[1] == names[0]


def playing(place: Place) -> tuple[subprocess.Popen[str], str]:
    """Start a tournament that takes long, and return it and its id when it is played."""
    run = place.start(
        *place.cup("greedy-1", "random-1", form='kind="round-robin"\ncycles=100').split()
    )
    assert run.stdout is not None
    cup = run.stdout.readline().split()[1]
    while True:  # until it plays
        line = run.stdout.readline()
        assert line, run.communicate()[1]
        if "blocks played" in line:
            return run, cup


def until(holds: Callable[[], bool]) -> None:
    """Return when it holds; for what other processes do."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_interrupt_calls_it_off_and_leaves_the_server_alone(place: Place) -> None:
    """And no bot of it is left running."""
    run, cup = playing(place)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err == f"called off the tournament {cup}\nstopped; no bot runs on here\n"
    ended = {str(each["tournamentId"]): each["ended"] for each in place.tournaments()}
    assert ended[cup] == "called off: its run was stopped"
    assert f"{cup}  called off: its run was stopped\n" in place.shoal("tournament", "list").stdout
    assert place.running() == []
    assert list(place.folder.glob("shoal-tournament-*")) == []


def test_a_run_that_is_killed_leaves_no_bot_and_the_next_one_calls_it_off(place: Place) -> None:
    """Its bots end with it, and play again for the next run, which has no use for the old tournament."""
    run, cup = playing(place)
    run.kill()
    run.communicate(timeout=60)
    until(lambda: place.running() == [])
    before = place.shoal("bot", "list", "--json").stdout
    done = place.shoal(*place.cup("greedy-1", "random-1").split(), "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"called off the tournament {cup}, whose run was killed\n"
    ended = {str(each["tournamentId"]): each["ended"] for each in place.tournaments()}
    assert ended[cup] == "called off: its run was killed"
    assert place.shoal("bot", "list", "--json").stdout == before


def test_two_runs_at_once_have_bots_of_their_own(place: Place) -> None:
    """They would throw each other's off for ever."""
    first, cup = playing(place)
    done = place.shoal(*place.cup("greedy-1", "random-1").split(), "--json")
    assert done.returncode == 0, done.stderr
    names = [line["botName"] for line in json.loads(done.stdout)["standings"]]
    assert not {"greedy-1", "random-1"} & set(names)
    assert first.poll() is None
    first.send_signal(signal.SIGINT)
    assert first.communicate(timeout=60)[1].startswith(f"called off the tournament {cup}\n")


@pytest.mark.parametrize(
    ("entrants", "says"),
    [
        (("nobody", "random"), "no bot of the server is called nobody"),
        (("random",), "list two at least"),
        (("random", "a b"), "'a b' is no name of a bot"),
    ],
)
def test_bots_that_are_not_there_are_named_before_anything_is_made(
    place: Place, entrants: tuple[str, ...], says: str
) -> None:
    """In one line; no tournament is made."""
    before = place.tournaments()
    done = place.shoal(*place.cup(*entrants).split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("shoal: entrants: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr
    assert place.tournaments() == before


def test_what_the_server_finds_wrong_is_said_of_the_file(place: Place) -> None:
    """By the path of the field in it."""
    words = place.cup("greedy-1", "random-1")
    file = place.folder / "cup.toml"
    file.write_text(f'{file.read_text()}[entry]\ninvited = ["greedy-1", "random-1", "nobody"]\n')
    done = place.shoal(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "shoal: entry.invited[2]: there is no bot 'nobody'\n"


def test_who_may_not_organize_is_told_so(place: Place) -> None:
    """Nothing is made either."""
    place.shoal("bot", "register", "bert", "--token-file", "bert.token")
    words = place.cup("greedy-1", "random-1").replace("admin", "bert.token")
    done = place.shoal(*words.split())
    assert done.returncode == 2
    assert "only an admin token" in done.stderr


def test_who_is_no_organizer_or_finds_no_server_is_told_what_to_do(place: Place) -> None:
    """In one line that names the server."""
    words = place.cup("greedy-1", "random-1").split()
    assert place.shoal("bot", "register", "own", "--token-file", "own").returncode == 0
    done = place.shoal(*words[:-1], "own")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"--token-file names the file with an admin token of {place.address}" in done.stderr
    nobody = [word.replace(place.address, "127.0.0.1:1") for word in words]
    done = place.shoal(*nobody)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("shoal: no server at 127.0.0.1:1: ")
    assert done.stderr.endswith(": check --server, or start one with `shoal serve`\n")
