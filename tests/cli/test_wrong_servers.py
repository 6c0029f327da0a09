"""Servers that cannot start, and disks that are full: one line that names the option and says what to do."""

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.place import SHOAL, environment, place, shoal
from tests.cli.wrong_words import WRONG_SERVERS

__all__ = ["place"]


@pytest.mark.parametrize(
    ("words", "names", "advice"), WRONG_SERVERS, ids=[words for words, *_ in WRONG_SERVERS]
)
def test_a_server_that_cannot_start_is_one_line_too(
    words: str, names: str, advice: str, place: Path
) -> None:
    """Nothing was started in vain, so nothing else was said; beside a server on the usual port, too."""
    port = (place / "port").read_text()
    more = [] if "--data-dir" in words or "director" in words else ["--data-dir", "unused"]
    more += [] if "--port" in words or "director" in words else ["--port", "0"]
    done = shoal(place, *words.format(port=port).split(), *more)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("shoal: ")
    assert done.stderr.count("\n") == 1
    assert names.format(port=port) in done.stderr
    assert advice in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("LADDERS", "main", "is not name=ruleset"),
        ("LADDERS", "main=none", "there are base"),
        ("LOG_LEVEL", "loud", "must be 'debug', 'info'"),
        ("LOG_FORMAT", "xml", "must be 'text' or 'json'"),
        ("REFLECTION", "maybe", "must be true or false"),
        ("GRACE_SECONDS", "x", "must be a valid number"),
        ("REGISTRATION", "perhaps", "must be 'open' or 'closed'"),
        ("WORKERS", "x", "must be a whole number from 1 to 64"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str, says: str, place: Path) -> None:
    """The environment is read by one line of the same kind."""
    done = shoal(place, "serve", "--port", "0", "--data-dir", "unused", **{f"SHOAL_{name}": value})
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"SHOAL_{name}" in done.stderr
    assert says in done.stderr


@pytest.mark.parametrize(
    ("file", "says"), [("no/where", "make its folder"), ("token", "remove it")]
)
def test_no_place_for_the_admin_token_is_named(file: str, says: str, place: Path) -> None:
    """The store was new until then, and stays so; the error is the last line of the log."""
    words = ["serve", "--port", "0", "--data-dir", "other", "--admin-token-file", file]
    done = shoal(place, *words)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"shoal: --admin-token-file {file}: ")
    assert says in last


def test_an_announcement_that_nobody_hears_is_named(place: Path) -> None:
    """Whoever waits for it would wait for ever."""
    with Path("/dev/full").open("w") as full:
        done = shoal(
            *(place, "serve", "--port", "0", "--data-dir", "other", "--announce"), stdout=full
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("shoal: --announce standard output: No space")


def on_a_full_disk(folder: Path, words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command that can write nothing into files."""
    return subprocess.run(
        ["/bin/sh", "-c", f"ulimit -f 0; exec {shlex.join([*SHOAL, *words.split()])}"],
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("serve --port 0 --data-dir other", "--data-dir other: File too large: make room"),
        ("demo", "No usable temporary directory"),
        ("chaos --folder broken", "File too large: make room"),
    ],
)
def test_a_full_disk_is_one_line(words: str, says: str, place: Path) -> None:
    """Wherever it shows first; a long operation may have said before what it is about to do."""
    done = on_a_full_disk(place, words)
    assert done.returncode == 2
    assert done.stderr.count("shoal: ") == 1
    assert says in done.stderr.splitlines()[-1]


def test_a_full_disk_costs_no_token(place: Path) -> None:
    """It shows before there is a bot, so that the name is still free."""
    server = {"SHOAL_SERVER": f"127.0.0.1:{(place / 'port').read_text()}"}
    done = on_a_full_disk(place, "bot register big --token-file new", **server)
    assert done.returncode == 2
    assert (
        done.stderr == "shoal: --token-file new: File too large: make room, or name another place\n"
    )
    assert not (place / "new").exists()
    assert shoal(place, "bot", "register", "big", "--token-file", "big", **server).returncode == 0
