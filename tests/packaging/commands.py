"""Reads command lines out of documents, and asks the `shoal` command itself whether it understands them."""

import shlex
from collections.abc import Iterator
from typing import Any

import typer

from shoal.cli.main import app


class NotUnderstood(Exception):
    """There is no such command, flag or argument."""


def understand(words: list[str]) -> None:
    """Raises NotUnderstood when a command, flag or argument of `shoal <words>` does not exist."""
    # Typer's commands are click's or its own copy of them, by version: nothing is imported from either.
    command: Any = typer.main.get_command(app)
    parent = None
    name, rest = "shoal", list(words)
    try:
        while hasattr(command, "commands"):
            parent = typer.Context(command, info_name=name, parent=parent)
            name, *rest = [word for word in rest if word] or [""]
            if name not in command.commands:
                raise NotUnderstood(f"{parent.command_path} has no {name!r}")
            command = command.commands[name]
        command.make_context(name, rest, parent=parent)
    except typer.BadParameter.__mro__[1] as error:
        raise NotUnderstood(f"shoal {shlex.join(words)}: {error}") from error


def variables() -> set[str]:
    """Every environment variable that a command reads."""

    def walk(command: Any) -> Iterator[str]:
        for parameter in command.params:
            names = parameter.envvar or ()
            yield from [names] if isinstance(names, str) else names
        for each in getattr(command, "commands", {}).values():
            yield from walk(each)

    return set(walk(typer.main.get_command(app)))


def shoal_lines(text: str) -> list[list[str]]:
    """The words after `shoal` of every line of a script that runs it, directly or by its path."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        for place, word in enumerate(words):
            if word.rpartition("/")[2] == "shoal":
                found.append(words[place + 1 :])
                break
    return found
