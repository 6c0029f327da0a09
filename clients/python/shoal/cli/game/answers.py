"""What a person has typed: a move, a command, or something that is neither."""

from dataclasses import dataclass
from enum import Enum, unique
from typing import TypeAlias, final

from shoal.engine import Move, UnknownMove, format_move, parse_move

_LONGEST_NUMBER = 4
_LONGEST_ECHO = 40


@unique
class Command(Enum):
    """What can be asked for in place of a move, with the words for it."""

    HELP = ("?", "h", "help")
    RULES = ("r", "rules")
    TABLE = ("t", "table")
    WORTH = ("w", "worth")
    QUIT = ("q", "quit", "exit")


@final
@dataclass(frozen=True, slots=True)
class Chosen:
    """One of the options."""

    move: Move


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A command, and what came after its word."""

    command: Command
    about: str


@final
@dataclass(frozen=True, slots=True)
class Unclear:
    """Neither; `why` says what would have been."""

    why: str


Answer: TypeAlias = Chosen | Asked | Unclear

_COMMANDS = {word: command for command in Command for word in command.value}


def understand(text: str, options: tuple[Move, ...]) -> Answer:
    """Return what a typed line means while these options are open."""
    words = text.lower().split()
    if not words:
        return Unclear("type the number of an option, or ? for help")
    said = " ".join(words)
    if said.isdecimal() and said.isascii():
        return _numbered(said, options)
    by_text = {format_move(move): move for move in options}
    if said in by_text:
        return Chosen(by_text[said])
    if words[0] in _COMMANDS:
        return Asked(_COMMANDS[words[0]], " ".join(words[1:]))
    try:
        parse_move(said)
    except UnknownMove:
        shown = said[:_LONGEST_ECHO]
        return Unclear(f"{shown!r}: type the number or the text of an option, or ? for help")
    return Unclear(f"{said!r} is not possible now")


def _numbered(digits: str, options: tuple[Move, ...]) -> Answer:
    """Return the option with a number, counted from 1."""
    number = int(digits) if len(digits) <= _LONGEST_NUMBER else 0
    if 1 <= number <= len(options):
        return Chosen(options[number - 1])
    return Unclear(f"the options have the numbers 1 to {len(options)}")
