"""`shoal tournament run --server`: on a server that is there, with bots from here and of others."""

import json
import os
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
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
        return {**os.environ, "SHOAL_SERVER": self.address, "TMPDIR": str(self.folder)}

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
    """To the end, twice: what is called like a bot of the first time gets a name of its own."""
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
    assert [name[: len(first)] for name, first in zip(names[1], names[0], strict=True)] == names[0]
    assert names[1] != names[0]


def test_an_interrupt_calls_it_off_and_leaves_the_server_alone(place: Place) -> None:
    """And no bot of it is left running."""
    run = place.start(
        *place.cup("greedy-1", "random-1", form='kind="round-robin"\ncycles=100').split()
    )
    assert run.stdout is not None
    cup = run.stdout.readline().split()[1]
    while True:  # until it plays
        line = run.stdout.readline()
        assert line, run.communicate()[1]
        if "blocks played" in line:
            break
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert err == f"called off the tournament {cup}\nstopped; nothing is left running\n"
    ended = {str(each["tournamentId"]): each["ended"] for each in place.tournaments()}
    assert ended[cup] == "called off: its run was stopped"
    found = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert [words for words in found if "run" in words and place.address in words] == []
    assert list(place.folder.glob("shoal-tournament-*")) == []


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


def test_who_may_not_organize_is_told_so(place: Place) -> None:
    """Nothing is made either."""
    place.shoal("bot", "register", "bert", "--token-file", "bert.token")
    words = place.cup("greedy-1", "random-1").replace("admin", "bert.token")
    done = place.shoal(*words.split())
    assert done.returncode == 2
    assert "only an admin token" in done.stderr
