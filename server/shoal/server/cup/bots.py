"""The bots of a tournament: those that play from here, and those that others run."""

import re
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from shoal.client import Client, ShoalError
from shoal.server.children import Child, running, shoal_command
from shoal.server.cup.place import Place

_KIND: Final = re.compile(r"(random|greedy|planner)(-[0-9]+)?")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_LONGEST: Final = 40


class BadEntrant(Exception):
    """An entrant names no bot; the message is one line."""


@final
@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot by its name, and what `shoal bot run` takes; "" for one that somebody else runs."""

    name: str
    spec: str


@final
@dataclass(frozen=True, slots=True)
class Registered:
    """The ids of all entrants by the names in the file, and the tokens of those that play from here."""

    ids: Mapping[str, str]
    tokens: Mapping[str, str]


def entrants_of(words: Sequence[str], *, folder: Path, given: bool) -> tuple[Entrant, ...]:
    """Return the bots that a file in `folder` lists; those of a `given` server may be among them.

    Raise BadEntrant.
    """
    entrants = tuple(_entrant(word, folder, given=given) for word in words)
    if len({each.name for each in entrants}) != len(entrants):
        raise BadEntrant("entrants: a name is listed twice: number them, like random-1, random-2")
    if len(entrants) < 2:
        raise BadEntrant('entrants: list two at least, like entrants = ["planner", "greedy"]')
    return entrants


async def register(client: Client, entrants: Sequence[Entrant]) -> Registered:
    """Register the bots that play from here, and find the others; raise BadEntrant and ShoalError.

    Where a name is taken, a bot gets one with something behind it.
    """
    ids: dict[str, str] = {}
    tokens: dict[str, str] = {}
    others = [each.name for each in entrants if not each.spec]
    if others:
        there = {bot.name: bot.bot_id for bot in await client.list_bots()}
        if missing := [name for name in others if name not in there]:
            raise BadEntrant(
                f"entrants: no bot of the server is called {', '.join(missing)}: `shoal bot list` shows "
                "them; to run one from here, write NAME=path.py:MyBot"
            )
        ids = {name: there[name] for name in others}
    for each in entrants:
        if each.spec:
            ids[each.name], tokens[each.name] = await _registered(client, each.name)
    return Registered(ids, tokens)


@asynccontextmanager
async def running_bots(
    place: Place, folder: Path, entrants: Sequence[Entrant], made: Registered, max_matches: int
) -> AsyncIterator[list[Child]]:
    """Run the bots that play from here, each in a process, until the context ends."""
    async with AsyncExitStack() as stack:
        children = []
        for each in entrants:
            if not each.spec:
                continue
            token = folder / f"{each.name}.token"
            token.touch(mode=0o600)
            token.write_text(made.tokens[each.name])
            command = shoal_command(
                *("bot", "run", each.spec, "--server", place.address),
                *("--token-file", str(token), "--max-matches", str(max_matches)),
                *(["--tls"] if place.tls else []),
            )
            children.append(await stack.enter_async_context(running(each.name, command, folder)))
        try:
            yield children
        finally:
            for child in children:  # all at once; the stack then waits for each
                child.ask_to_end()


async def _registered(client: Client, name: str) -> tuple[str, str]:
    """Return id and token of a new bot."""
    try:
        made = await client.register_bot(name, baseline=True)
    except ShoalError as error:
        if error.reason != "NAME_TAKEN":
            raise
        more = f"-{secrets.token_hex(3)}"
        made = await client.register_bot(name[: _LONGEST - len(more)] + more, baseline=True)
    return made.bot.bot_id, made.token


def _entrant(word: str, folder: Path, *, given: bool) -> Entrant:
    name, has_spec, spec = word.partition("=")
    if not _NAME.fullmatch(name):
        raise BadEntrant(f"entrants: {name!r} is no name of a bot")
    if has_spec:
        return Entrant(name, _found_from(folder, spec))
    kind = _KIND.fullmatch(name)
    if kind is not None:
        return Entrant(name, kind[1])
    if given:
        return Entrant(name, "")
    raise BadEntrant(
        f"entrants: {name!r} is none of random, greedy, planner, also with a number (random-2); "
        "another bot is NAME=path.py:MyBot"
    )


def _found_from(folder: Path, spec: str) -> str:
    """Return a bot's spec with its file looked up beside the tournament's, whatever folder we are in."""
    file, colon, kind = spec.rpartition(":")
    if not (colon and file.endswith(".py")):
        return spec
    path = folder / file
    if not path.is_file():
        raise BadEntrant(f"entrants: {path}: no such file; paths go from the tournament's file")
    return f"{path}:{kind}"
