"""The command as a user meets it, as far as it needs no server."""

import re
import subprocess
import sys

import pytest

from shoal.cli.main import run
from shoal.server.store.keys import new_id

COMMANDS = (
    "serve",
    "director",
    "demo",
    "backup",
    "restore",
    "chaos",
    "bench serve",
    "bench engine",
    "bench ratings",
    "baselines run",
    "bot run",
    "bot register",
    "bot list",
    "bot status",
    "ladder list",
    "ladder join",
    "ladder leave",
    "ladder standings",
    "ladder create",
    "ladder show",
    "ladder end",
    "ladder explain",
    *(
        f"tournament {name}"
        for name in (
            *("create", "list", "show", "enter", "withdraw", "start", "cancel"),
            *("standings", "crosstable", "explain", "run", "export", "head-to-head"),
        )
    ),
    *(
        f"competition {name}"
        for name in (
            *("show", "pause", "resume", "drain", "exclude", "readmit"),
            *("exclude-period", "force", "actions"),
        )
    ),
    *(f"challenge {name}" for name in ("create", "show", "list", "cancel", "accept", "policy")),
    *(f"ladder {name}" for name in ("simulate", "export", "crosstable", "head-to-head")),
    "match show",
    "match list",
    "match create",
    "play",
    "rules score",
    "rules show",
    "replay show",
    "replay verify",
    "replay export",
    "replay schema",
)
NOBODY = "127.0.0.1:1"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help of each command has an example that begins with that command."""
    assert run([*command.split(), "--help"]) == 0
    assert f"Example: shoal {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "before"),
    [("match show", "show "), ("match create", "--bots "), ("replay export", "export ")],
)
def test_ids_in_examples_could_be_ids(
    command: str, before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have the shape of those that the server makes, so that nobody looks for another one."""
    assert run([*command.split(), "--help"]) == 0
    example = capsys.readouterr().out.partition("Example: ")[2].replace("\n", " ")
    ids = " ".join(example.split()).partition(before)[2].split()[0].split(",")
    assert all(re.fullmatch(f"[0-9a-f]{{{len(new_id())}}}", each) for each in ids), ids


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names the installed version."""
    assert run(["--version"]) == 0
    assert re.fullmatch(r"shoal \d+\.\d+\.\d+\S*\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["bot"],
        ["ladder"],
        ["tournament"],
        ["competition"],
        ["match"],
        ["replay"],
        ["rules"],
        ["bench"],
    ],
)
def test_without_a_command_there_is_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Half a command shows what the other half may be."""
    assert run(arguments) == 2
    assert "Commands:" in capsys.readouterr().err


def test_options_come_from_the_environment_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable SHOAL_… stands for the option."""
    monkeypatch.setenv("SHOAL_SERVER", NOBODY)
    assert run(["ladder", "standings"]) == 2
    assert NOBODY in capsys.readouterr().err


def test_without_the_server_package_one_line_says_what_to_install() -> None:
    """A bot author who asks for a server is told how to get one."""
    program = (
        "import sys; sys.modules['structlog'] = None; sys.modules['redis'] = None;"
        "from shoal.cli.main import run; sys.exit(run(['serve']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "shoal: this command needs the server: pip install 'shoal[server]'\n"
