"""`shoal bot`: registering bots, listing and running them."""

import asyncio
import os
from pathlib import Path
from typing import Annotated, Self

import typer

from shoal.cli.bot_view import rating_of, standing_of
from shoal.cli.files import cannot_write
from shoal.cli.options import (
    SEE_BOTS,
    SEE_LADDERS,
    SERVER,
    TOKEN_FILE,
    AsJson,
    Server,
    Tls,
    TokenFile,
    WithParent,
    one_of,
    read_token,
)
from shoal.cli.output import fail, log_to_stderr, say, say_json, say_table
from shoal.cli.remote import connect, explain
from shoal.cli.running import play
from shoal.cli.spec import load_bot
from shoal.client import ShoalError, Unreachable, pb

app = typer.Typer(no_args_is_help=True, help="Register your bot and run it.")

_ROOM = 256
"""Bytes that a token may have."""


@app.command()
def register(
    name: Annotated[str, typer.Argument(help="Its name: letters, digits, '-', '_', '.'.")],
    *,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    owner_token_file: Annotated[
        Path | None,
        typer.Option(
            envvar="SHOAL_OWNER_TOKEN_FILE",
            metavar="FILE",
            help="A token that you have already, to own the new bot too.",
        ),
    ] = None,
    baseline: Annotated[
        bool,
        typer.Option(
            "--baseline", help="A bot that everybody may play against; needs an admin's token."
        ),
    ] = False,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Register a bot.

    Its token is written to a file that only you can read.

    Example: shoal bot register my-bot --server localhost:7430 --token-file bot.token
    """
    owner = read_token(owner_token_file) if owner_token_file else None

    async def work() -> pb.RegisterBotResponse:
        async with connect(server, owner, tls=tls) as client:
            return await client.register_bot(name, baseline=baseline)

    with _NewFile(token_file) as file:
        made = asyncio.run(work())
        file.write(made.token)
    if json:
        say_json({"bot": made.bot, "token_file": str(token_file)})
    else:
        say(f"registered {made.bot.name} as {made.bot.bot_id}; its token is in {token_file}")


@app.command()
def run(  # noqa: PLR0913
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="path.py:MyBot, package.module:MyBot, or a baseline: random, greedy, planner.",
        ),
    ],
    *,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    max_matches: Annotated[
        int | None,
        typer.Option(
            envvar="SHOAL_MAX_MATCHES",
            min=1,
            max=1000,
            metavar="N",
            help="How many matches to play at a time; by default what the bot says.",
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Take no more after so many finished matches, play those that are open, and end.",
        ),
    ] = None,
    ladder: Annotated[
        str | None,
        typer.Option(
            envvar="SHOAL_LADDER", metavar="NAME", help="Join this ladder first, such as main."
        ),
    ] = None,
    wait: Annotated[
        float,
        typer.Option(
            min=0, metavar="SECONDS", help="Seconds to wait for a server that is not there yet."
        ),
    ] = 5.0,
    tls: Tls = False,
    json: AsJson = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Do not say how it goes while it runs.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log everything.")] = False,
    with_parent: WithParent = False,
) -> None:
    """Run a bot until Ctrl-C.

    It reconnects by itself, and says at the end what it did.

    Example: shoal bot run my_bot.py:MyBot --ladder main
    """
    log_to_stderr(verbose=verbose)
    bot = load_bot(spec)
    token = read_token(token_file)
    if ladder is not None:
        asyncio.run(_join(ladder, server, token, tls=tls, wait=wait))
    try:
        play(
            bot,
            server,
            token,
            tls=tls,
            max_matches=max_matches,
            matches=matches,
            wait=wait,
            json=json,
            quiet=quiet,
            with_parent=with_parent,
        )
    except ValueError as error:
        fail(str(error))
    except ShoalError as error:
        fail(explain(error))


@app.command("list")
def list_bots(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Only bots whose names have this in them.")
    ] = "",
    *,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """List bots with their ids, which other commands take, and their owners.

    Example: shoal bot list my-bot
    """

    async def work() -> list[pb.Bot]:
        async with connect(server, tls=tls) as client:
            if not name:
                return await client.list_bots(limit)
            return [each for each in await client.list_bots() if name in each.name][:limit]

    bots = asyncio.run(work())
    if json:
        say_json(bots)
        return
    rows = [
        [each.name, each.bot_id, each.owner_id, "baseline" if each.baseline else ""]
        for each in bots
    ]
    say_table(["bot", "id", "owner", ""], rows, right=set())


@app.command()
def status(
    bot: Annotated[
        str, typer.Argument(metavar="[BOT]", help="Its id; without it, the bot of --token-file.")
    ] = "",
    *,
    option: Annotated[
        str, typer.Option("--bot", metavar="ID", help="The same, as other commands take it.")
    ] = "",
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Say how a bot stands on its ladders.

    Whether it is paired; if not, why, and when it is tried again.

    Example: shoal bot status --token-file bot.token
    """
    bot = one_of(bot, option)
    token = None if bot else read_token(token_file)

    async def work() -> pb.GetBotStatusResponse:
        async with connect(server, token, tls=tls, missing=SEE_BOTS) as client:
            return await client.get_bot_status(bot)

    found = asyncio.run(work())
    if json:
        say_json(found)
        return
    if not found.memberships:
        say(f"{found.bot.name} is on no ladder: `shoal ladder join` enters it")
    for each in found.memberships:
        say(f"{found.bot.name} on {each.ladder_id}: {standing_of(each)}")
        say(f"  {rating_of(each)}")


async def _join(ladder: str, server: str, token: str, *, tls: bool, wait: float) -> None:
    """Join a ladder, waiting a little for a server that is not there yet."""
    clock = asyncio.get_running_loop().time
    end = clock() + wait
    while True:
        try:
            async with connect(server, token, tls=tls, missing=SEE_LADDERS) as client:
                await client.join_ladder(ladder)
                return
        except Unreachable:
            if clock() >= end:
                raise
            await asyncio.sleep(0.2)


class _NewFile:
    """A file for a token: made before the bot is, so that no token is lost for want of a place.

    It is removed again when the bot could not be made, and never overwrites another.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            self._file = os.open(self._path, flags, 0o600)
        except FileExistsError:
            fail(
                f"{self._path} exists already, and may hold the token of another bot: "
                "--token-file names another file"
            )
        except OSError as error:
            cannot_write(f"--token-file {self._path}", error)
        try:
            os.write(
                self._file, b" " * _ROOM
            )  # a full disk shows here, before there is a token to lose
        except OSError as error:
            self.__exit__(type(error))
            cannot_write(f"--token-file {self._path}", error)
        return self

    def write(self, token: str) -> None:
        """Write the token."""
        line = f"{token}\n".encode()
        os.pwrite(self._file, line, 0)
        os.truncate(self._file, len(line))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        os.close(self._file)
        if kind is not None:
            self._path.unlink(missing_ok=True)
