"""`shoal tournament`: play with a plan and an end."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

from shoal.cli.compare import tournament_head_to_head
from shoal.cli.competition_file import read_file
from shoal.cli.export import export_tournament
from shoal.cli.ledger import ledger_tournament
from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    MADE_FOR_ADMINS,
    MADE_FOR_BOTS,
    SERVER,
    TOKEN_FILE,
    AdminTokenFile,
    AsJson,
    OrganizerTokenFile,
    Server,
    Tls,
    TokenFile,
    read_token,
)
from shoal.cli.output import fail, note, say, say_json
from shoal.cli.recompute import recompute_tournament
from shoal.cli.remote import connect
from shoal.cli.server import run_in_server
from shoal.cli.tournament_blocks import blocks
from shoal.cli.tournament_view import (
    show_crosstable,
    show_explanations,
    show_list,
    show_standings,
    show_tournament,
)
from shoal.client import Client, pb
from shoal.client.channel import Address
from shoal.client.tournaments import Placings
from shoal.wire.tournaments import specification_message, with_ids

app = typer.Typer(no_args_is_help=True, help="Play with a plan and an end.")
app.command("export")(export_tournament)
app.command("head-to-head")(tournament_head_to_head)
app.command("recompute")(recompute_tournament)
app.command("ledger")(ledger_tournament)
app.command()(blocks)

T = TypeVar("T")

SEE = (
    "`shoal tournament list` shows the tournaments, `shoal bot list` the bots and `shoal match list` "
    "matches: all are given by their ids"
)

File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament, as TOML.")]
Id: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="Which tournament.")]
BotId: TypeAlias = Annotated[
    str, typer.Option("--bot", metavar="ID", help="Which bot; without it that of the token.")
]


@app.command()
def create(
    file: File,
    *,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Create a tournament from a file, as an organizer.

    Challengers and who is invited may be named by name or by id. Its id is printed; bots enter with
    `shoal tournament enter`.

    Example: shoal tournament create cup.toml --token-file admin.token
    """
    found = read_file(file, plays=False)

    async def work(client: Client) -> pb.Tournament:
        ids = {bot.name: bot.bot_id for bot in await client.list_bots()}
        specification = with_ids(found.specification, ids)
        return await client.tournaments.create(specification_message(specification))

    made = _ask(server, tls, work, token_file, MADE_FOR_ADMINS)
    if json:
        say_json(made)
    else:
        say(made.tournament_id)


@app.command("list")
def list_tournaments(*, server: Server = SERVER, tls: Tls = False, json: AsJson = False) -> None:
    """List the tournaments of a server.

    Example: shoal tournament list
    """
    found = _ask(server, tls, lambda client: client.tournaments.list_all())
    if json:
        say_json(found)
    else:
        show_list(found)


@app.command()
def show(
    tournament: Id, *, server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show what a tournament plays, who has entered, how far it is and when it begins and ends.

    Example: shoal tournament show 0a0199f5c1a2b30123456789abcdef
    """

    async def work(client: Client) -> tuple[pb.Tournament, Placings]:
        found = await client.tournaments.get(tournament)
        nobody = Placings((), ())
        is_asked = found.entrant_count > 0 and not json
        return found, await client.tournaments.standings(tournament) if is_asked else nobody

    found, entered = _ask(server, tls, work)
    if json:
        say_json(found)
    else:
        show_tournament(found, [line.bot_name for line in entered.lines])


@app.command()
def enter(
    tournament: Id,
    *,
    bot: BotId = "",
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Enter a bot.

    It plays while it runs, and is seeded in the order of entry.

    Example: shoal tournament enter 0a0199f5c1a2b30123456789abcdef --token-file bot.token
    """
    _ask(server, tls, lambda client: client.tournaments.enter(tournament, bot), token_file)
    note(f"entered the tournament {tournament}")


@app.command()
def withdraw(
    tournament: Id,
    *,
    bot: BotId = "",
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Take a bot out.

    What is in play is played; after the beginning it stays in the standings.

    Example: shoal tournament withdraw 0a0199f5c1a2b30123456789abcdef --token-file bot.token
    """
    _ask(server, tls, lambda client: client.tournaments.withdraw(tournament, bot), token_file)
    note(f"withdrawn from the tournament {tournament}")


@app.command()
def start(
    tournament: Id,
    *,
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Begin a tournament, as an organizer.

    Example: shoal tournament start 0a0199f5c1a2b30123456789abcdef --token-file admin.token
    """
    _ask(
        server,
        tls,
        lambda client: client.tournaments.start(tournament),
        token_file,
        MADE_FOR_ADMINS,
    )
    note(f"started the tournament {tournament}")


@app.command()
def cancel(
    tournament: Id,
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, for people.")] = "",
    server: Server = SERVER,
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Call a tournament off, as an organizer.

    Matches in play are played, and nothing follows.

    Example: shoal tournament cancel 0a0199f5c1a2b30123456789abcdef --token-file admin.token
    """
    _ask(
        server,
        tls,
        lambda client: client.tournaments.cancel(tournament, why),
        token_file,
        MADE_FOR_ADMINS,
    )
    note(f"called off the tournament {tournament}")


@app.command()
def standings(
    tournament: Id, *, server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show who is best.

    Example: shoal tournament standings 0a0199f5c1a2b30123456789abcdef
    """
    found: Placings = _ask(server, tls, lambda client: client.tournaments.standings(tournament))
    if json:
        say_json(list(found.lines))
    else:
        show_standings(found)


@app.command()
def crosstable(
    tournament: Id, *, server: Server = SERVER, tls: Tls = False, json: AsJson = False
) -> None:
    """Show everybody against everybody.

    By the blocks that were played: what a bye is worth is in the standings alone.

    Example: shoal tournament crosstable 0a0199f5c1a2b30123456789abcdef
    """
    rows = _ask(server, tls, lambda client: client.exports.crosstable(tournament))
    if json:
        say_json(rows)
    else:
        show_crosstable(rows)


@app.command()
def explain(
    tournament: Id,
    *,
    bot: Annotated[
        str, typer.Option("--bot", metavar="ID", help="Which bot; without it everybody.")
    ] = "",
    match: Annotated[
        str, typer.Option("--match", metavar="ID", help="Only why there is this match.")
    ] = "",
    server: Server = SERVER,
    token_file: OrganizerTokenFile = None,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Say why bots are paired as they are, and what they wait for.

    Where names are hidden it is for an organizer, with --token-file, until the tournament is over.

    Example: shoal tournament explain 0a0199f5c1a2b30123456789abcdef
    """

    async def work(client: Client) -> tuple[list[pb.Explanation], Names]:
        found = await client.tournaments.explain(tournament, bot, match)
        names = (
            {} if json else await names_of(client, (each for one in found for each in one.bot_ids))
        )
        return found, names

    found, names = _ask(server, tls, work, token_file, MADE_FOR_ADMINS)
    if json:
        say_json(found)
    else:
        show_explanations(found, names)


@app.command()
def run(
    file: File,
    *,
    server: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="The server to play on; without it one is started for the tournament alone.",
            show_default=False,
        ),
    ] = "",
    token_file: AdminTokenFile = TOKEN_FILE,
    tls: Tls = False,
    max_matches: Annotated[
        int, typer.Option(min=1, max=100, help="How many matches a bot plays at once.")
    ] = 4,
    json: AsJson = False,
) -> None:
    """Play a tournament from its beginning to its end.

    On this machine, or with --server on a server, as an organizer. Runs the bots that the file lists under
    `entrants`: random, greedy or planner, with a number behind it where there are several (planner-2), or
    NAME=path.py:MyBot, where the path goes from the file's folder. On a given server any other name is that
    of a bot there, which its owner runs.

    Shows the standings while they play, and at the end. Ctrl-C calls it off.

    Example: shoal tournament run cup.toml
    """
    found = read_file(file)
    token = ""
    if server:
        token = read_token(token_file, MADE_FOR_ADMINS)
        try:
            Address.parse(server, tls=tls)
        except ValueError as error:
            fail(str(error))
    run_in_server(
        "tournament_run",
        specification=found.specification,
        entrants=found.entrants,
        folder=file.parent,
        server=server,
        token=token,
        tls=tls,
        max_matches=max_matches,
        json=json,
    )


def _ask(
    server: str,
    tls: bool,
    work: Callable[[Client], Awaitable[T]],
    token_file: Path | None = None,
    origin: str = MADE_FOR_BOTS,
) -> T:
    """Return what a call to the server returns; `origin` is where a token file comes from."""
    token = None if token_file is None else read_token(token_file, origin)

    async def ask() -> T:
        async with connect(server, token, tls=tls, missing=SEE) as client:
            return await work(client)

    return asyncio.run(ask())
