"""`shoal ladder`: rated play that runs by itself."""

import asyncio

import typer

from shoal.cli import ladder_organizing
from shoal.cli.compare import ladder_crosstable, ladder_head_to_head
from shoal.cli.export import export_ladder
from shoal.cli.ladder_view import show_list, show_standings
from shoal.cli.ledger import ledger_ladder
from shoal.cli.options import (
    SEE_LADDERS,
    SERVER,
    TOKEN_FILE,
    AsJson,
    Ladder,
    ReaderTokenFile,
    Server,
    Tls,
    TokenFile,
    read_token,
)
from shoal.cli.output import note, say_json
from shoal.cli.recompute import recompute_ladder
from shoal.cli.remote import connect
from shoal.cli.simulate import simulate
from shoal.cli.suspicion import ladder_suspicion
from shoal.client import pb

app = typer.Typer(no_args_is_help=True, help="Play that runs by itself, of whoever is there.")
app.command("export")(export_ladder)
app.command("crosstable")(ladder_crosstable)
app.command("head-to-head")(ladder_head_to_head)
app.command("suspicion")(ladder_suspicion)
app.command("recompute")(recompute_ladder)
app.command("ledger")(ledger_ladder)

MAIN = ladder_organizing.MAIN


@app.command()
def join(
    *,
    ladder: Ladder = MAIN,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Enter your bot.

    It is paired whenever it runs and has room.

    Example: shoal ladder join --token-file bot.token
    """

    async def work() -> None:
        async with connect(server, read_token(token_file), tls=tls, missing=SEE_LADDERS) as client:
            await client.join_ladder(ladder)

    asyncio.run(work())
    note(f"joined the ladder {ladder}")


@app.command()
def leave(
    *,
    ladder: Ladder = MAIN,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Take your bot out.

    It gets no new matches; running ones are played.

    Example: shoal ladder leave --token-file bot.token
    """

    async def work() -> None:
        async with connect(server, read_token(token_file), tls=tls, missing=SEE_LADDERS) as client:
            await client.leave_ladder(ladder)

    asyncio.run(work())
    note(f"left the ladder {ladder}")


@app.command("list")
def list_ladders(*, server: Server = SERVER, tls: Tls = False, json: AsJson = False) -> None:
    """List the ladders of a server.

    Example: shoal ladder list
    """

    async def work() -> list[pb.Ladder]:
        async with connect(server, tls=tls) as client:
            return await client.list_ladders()

    ladders = asyncio.run(work())
    if json:
        say_json(ladders)
    else:
        show_list(ladders)


@app.command()
def standings(
    *,
    ladder: Ladder = MAIN,
    server: Server = SERVER,
    token_file: ReaderTokenFile = None,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show who is best.

    A rating is worked out of all matches that count, every few minutes: 400 more is odds of ten to one,
    and 1500 the average seat. The interval is how far it may be off, 19 times of 20; a question mark says
    that this is a lot. Who has no rated match yet has no rating and no rank. Tables are made with ratings of
    their own, "pairing", which change with every match. With
    --token-file also why a bot is excluded, as far as you may know it.

    Example: shoal ladder standings
    """
    token = None if token_file is None else read_token(token_file)

    async def work() -> list[pb.Standing]:
        async with connect(server, token, tls=tls, missing=SEE_LADDERS) as client:
            return await client.standings(ladder)

    lines = asyncio.run(work())
    if json:
        say_json(lines)
    else:
        show_standings(lines)


for command in (*ladder_organizing.COMMANDS, simulate):
    app.command()(command)
