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
from shoal.server.cup.kept import Kept, Slot
from shoal.server.cup.place import Place

_KIND: Final = re.compile(r"(random|greedy|planner)(-[0-9]+)?")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_LONGEST: Final = 40
_OLD_TOKEN: Final = {"TOKEN_INVALID", "TOKEN_REVOKED"}


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
    """The ids of all entrants by the names in the file, and the token files of those that play from here."""

    ids: Mapping[str, str]
    files: Mapping[str, Path]


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


async def register(
    client: Client, entrants: Sequence[Entrant], place: Place, kept: Kept
) -> Registered:
    """Register the bots that play from here, and find the others; raise BadEntrant and ShoalError.

    A bot that an earlier run has registered plays again. Where a name is taken by somebody else, a bot gets
    one with something behind it.
    """
    ids: dict[str, str] = {}
    files: dict[str, Path] = {}
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
            slot = kept.slot(each.name)
            files[each.name] = slot.path
            ids[each.name] = await _again(place, slot) or await _anew(client, each.name, slot)
    return Registered(ids, files)


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
            command = shoal_command(
                *("bot", "run", each.spec, "--server", place.address),
                *("--token-file", str(made.files[each.name]), "--max-matches", str(max_matches)),
                "--with-parent",
                *(["--tls"] if place.tls else []),
            )
            children.append(await stack.enter_async_context(running(each.name, command, folder)))
        try:
            yield children
        finally:
            for child in children:  # all at once; the stack then waits for each
                child.ask_to_end()


async def _again(place: Place, slot: Slot) -> str:
    """Return the id of the bot of an earlier run; "" if there is none, or the server has a new store."""
    token = slot.read()
    if not token:
        return ""
    try:
        async with Client(place.address, token, tls=place.tls) as client:
            return (await client.get_bot_status()).bot.bot_id
    except ShoalError as error:
        if error.reason not in _OLD_TOKEN:
            raise
        return ""


async def _anew(client: Client, name: str, slot: Slot) -> str:
    """Register a bot, keep its token, and return its id."""
    try:
        made = await client.register_bot(name, baseline=True)
    except ShoalError as error:
        if error.reason != "NAME_TAKEN":
            raise
        more = f"-{secrets.token_hex(3)}"
        made = await client.register_bot(name[: _LONGEST - len(more)] + more, baseline=True)
    slot.write(made.token)
    return made.bot.bot_id


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
