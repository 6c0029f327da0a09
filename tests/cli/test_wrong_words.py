"""Every command and option with a bad value: one line that names it and says what to do, and exit code 2."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from shoal.cli.main import app, run
from tests.cli.place import place
from tests.cli.wrong_words import WRONG, WRONG_SERVERS

__all__ = ["place"]

NOT_WRONG = {("serve", "admin_token_file"), ("replay show", "file"), ("replay verify", "files")}
"""Parameters that other tests give a bad value, and arguments."""


def commands(command: Any = None, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with the words that lead to it."""
    command = typer.main.get_command(app) if command is None else command
    for word, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{name} {word}".strip())
    if not hasattr(command, "commands"):
        yield name, command


def test_every_option_that_takes_a_value_is_given_a_bad_one() -> None:
    tried = [shlex.split(words) for words, *_ in WRONG + WRONG_SERVERS]
    missing = [
        (name, parameter.name)
        for name, command in commands()
        for parameter in command.params
        if parameter.opts[0].startswith("--") and not getattr(parameter, "is_flag", False)
        if (name, parameter.name) not in NOT_WRONG
        if not any(
            words[: len(name.split())] == name.split() and parameter.opts[0] in words
            for words in tried
        )
    ]
    assert missing == []


@pytest.mark.parametrize(("words", "names", "advice"), WRONG, ids=[words for words, *_ in WRONG])
def test_what_is_wrong_is_one_line_that_says_what_to_do(
    words: str,
    names: str,
    advice: str,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No traceback, nothing on standard output, and no file is left."""
    monkeypatch.chdir(place)
    before = sorted(place.iterdir())
    monkeypatch.setenv("SHOAL_SERVER", f"127.0.0.1:{(place / 'port').read_text()}")
    if "--token-file" not in words:
        monkeypatch.setenv("SHOAL_TOKEN_FILE", "token")
    assert run(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("shoal: ")
    assert err.count("\n") == 1
    assert names in err
    assert advice in err
    assert sorted(place.iterdir()) == before
