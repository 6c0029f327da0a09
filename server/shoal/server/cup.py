"""A whole tournament on this machine, from its beginning to its end: `shoal tournament run`.

As in a demonstration everything is real and private, and nothing of it is left.
"""

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from google.protobuf.json_format import MessageToDict
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from shoal.client import Client, ShoalError, pb
from shoal.competition.specification import Specification
from shoal.server.children import (
    Child,
    ChildFailed,
    ServerChild,
    run_to_the_end,
    running,
    running_server,
    shoal_command,
    unless_one_ends,
)
from shoal.wire.tournaments import specification_message, with_ids

STOPPED: Final = 130
FAILED: Final = 2
LOOK_EVERY: Final = 0.5
PLAIN_LINE_EVERY: Final = 20
"""How many looks apart a line is printed where there is no terminal."""

_KIND: Final = re.compile(r"(random|greedy|planner)(-[0-9]+)?")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class BadEntrant(Exception):
    """An entrant names no bot; the message is one line."""


@final
@dataclass(frozen=True, slots=True)
class Bot:
    """A bot to run: its name in the tournament, and what `shoal bot run` takes."""

    name: str
    spec: str


def bots_of(entrants: Sequence[str]) -> tuple[Bot, ...]:
    """Return the bots that a file lists; raise BadEntrant."""
    bots = tuple(map(_bot, entrants))
    if len({bot.name for bot in bots}) != len(bots):
        raise BadEntrant("entrants: a name is listed twice: number them, like random-1, random-2")
    if len(bots) < 2:
        raise BadEntrant('entrants: list two at least, like entrants = ["planner", "greedy"]')
    return bots


def run_cup(
    specification: Specification,
    bots: Sequence[Bot],
    console: Console,
    *,
    max_matches: int,
    as_json: bool,
) -> int:
    """Play a tournament, show how it goes and how it ended; return the exit status."""
    quiet = Console(quiet=True) if as_json else console
    try:
        end = run_to_the_end(_cup(specification, bots, quiet, max_matches))
    except KeyboardInterrupt:
        Console(stderr=True).print("stopped; nothing is left running")
        return STOPPED
    except (ChildFailed, ShoalError) as failure:
        Console(stderr=True).print(f"shoal tournament run: {failure}", markup=False, soft_wrap=True)
        return FAILED
    if as_json:
        print(json.dumps(_plain(end)))  # noqa: T201 - a program reads it
    else:
        console.print(_view(end))
    return 0


@final
@dataclass(frozen=True, slots=True)
class _Now:
    """A tournament as it stands."""

    tournament: pb.Tournament
    lines: Sequence[pb.TournamentStanding]
    tiebreaks: Sequence[str]


async def _cup(
    specification: Specification, bots: Sequence[Bot], console: Console, max_matches: int
) -> _Now:
    with tempfile.TemporaryDirectory(prefix="shoal-tournament-") as name:
        folder = Path(name)
        console.print("Starting a server with a Redis of its own ...")
        async with running_server(folder) as server:
            work = _play(server, folder, specification, bots, console, max_matches)
            return await unless_one_ends(work, [server.child])


async def _play(
    server: ServerChild,
    folder: Path,
    specification: Specification,
    bots: Sequence[Bot],
    console: Console,
    max_matches: int,
) -> _Now:
    async with Client(server.address, server.admin_token) as client:
        made = {bot.name: await client.register_bot(bot.name, baseline=True) for bot in bots}
        ids = {name: each.bot.bot_id for name, each in made.items()}
        message = specification_message(with_ids(specification, ids))
        cup = (await client.tournaments.create(message)).tournament_id
        for bot in bots:  # in the order of the file: that is the seeding
            await client.tournaments.enter(cup, ids[bot.name])
        tokens = {name: each.token for name, each in made.items()}
        async with _running(server, folder, bots, tokens, max_matches) as children:
            await client.tournaments.start(cup)
            return await unless_one_ends(_follow(client, cup, console), children)


@asynccontextmanager
async def _running(
    server: ServerChild,
    folder: Path,
    bots: Sequence[Bot],
    tokens: Mapping[str, str],
    max_matches: int,
) -> AsyncIterator[list[Child]]:
    """Run the bots, each in a process, until the context ends."""
    async with AsyncExitStack() as stack:
        children = []
        for bot in bots:
            token = folder / f"{bot.name}.token"
            token.touch(mode=0o600)
            token.write_text(tokens[bot.name])
            command = shoal_command(
                *("bot", "run", bot.spec, "--server", server.address),
                *("--token-file", str(token), "--max-matches", str(max_matches)),
            )
            children.append(await stack.enter_async_context(running(bot.name, command, folder)))
        try:
            yield children
        finally:
            for child in children:  # all at once; the stack then waits for each
                child.ask_to_end()


async def _follow(client: Client, cup: str, console: Console) -> _Now:
    """Show the standings until the tournament is over, and return the last ones."""
    looks = 0
    with Live(console=console, transient=True, auto_refresh=False) as live:
        while True:
            now = await _look(client, cup)
            if now.tournament.state == pb.TOURNAMENT_STATE_FINISHED:
                return now
            if console.is_terminal:
                live.update(_view(now), refresh=True)
            elif looks % PLAIN_LINE_EVERY == 0:
                console.print(_headline(now))
            looks += 1
            await asyncio.sleep(LOOK_EVERY)


async def _look(client: Client, cup: str) -> _Now:
    # The tournament first: what is over then is in the standings that are read after it.
    tournament = await client.tournaments.get(cup)
    placings = await client.tournaments.standings(cup)
    return _Now(tournament, placings.lines, placings.tiebreak_names)


def _headline(now: _Now) -> str:
    found = now.tournament
    planned = f" of {found.planned_blocks}" if found.planned_blocks else ""
    ended = f" · {found.ended}" if found.ended else ""
    return (
        f"{found.specification.name} · {found.finished_blocks}{planned} blocks played, "
        f"{found.open_blocks} in play{ended}"
    )


def _view(now: _Now) -> Group:
    table = Table("rank", "bot", "points", "of", *now.tiebreaks, "rating", "± 95 %", "matches")
    table.columns[1].no_wrap = True
    for column in table.columns[2:]:
        column.justify = "right"
    for line in now.lines:
        table.add_row(
            str(line.rank),
            line.bot_name,
            f"{line.points:g}",
            f"{line.possible_points:g}",
            *(f"{value:g}" for value in line.tiebreaks),
            f"{line.rating:.0f}",
            f"{line.interval:.0f}",
            str(line.match_count),
        )
    return Group(Text(_headline(now)), table)


def _plain(now: _Now) -> dict[str, object]:
    return {
        "tournament": MessageToDict(now.tournament, always_print_fields_with_no_presence=True),
        "standings": [
            MessageToDict(line, always_print_fields_with_no_presence=True) for line in now.lines
        ],
        "tiebreakNames": list(now.tiebreaks),
    }


def _bot(entrant: str) -> Bot:
    name, given, spec = entrant.partition("=")
    if not _NAME.fullmatch(name):
        raise BadEntrant(f"entrants: {name!r} is no name of a bot")
    if given:
        return Bot(name, spec)
    kind = _KIND.fullmatch(name)
    if kind is None:
        raise BadEntrant(
            f"entrants: {name!r} is none of random, greedy, planner, also with a number (random-2); "
            "another bot is NAME=path.py:MyBot"
        )
    return Bot(name, kind[1])
