"""How the commands of an organizer ask a server, and show how a competition stands after it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

from shoal.cli.competition_view import decided, show_competition
from shoal.cli.names import Names, names_of
from shoal.cli.options import MADE_FOR_ADMINS, read_token
from shoal.cli.output import note, say_json
from shoal.cli.remote import connect
from shoal.client import Client, ShoalError, pb

T = TypeVar("T")

SEE = "`shoal ladder list` and `shoal tournament list` show those that there are"
SEE_ALL = f"{SEE}, and `shoal bot list` the bots: they are given by id"

Id: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ID", help="Which: the name of a ladder, or the id of a tournament."),
]
Bot: TypeAlias = Annotated[str, typer.Argument(metavar="BOT", help="Which bot, by its id.")]


def ask(
    server: str,
    tls: bool,
    token_file: Path,
    work: Callable[[Client], Awaitable[T]],
    missing: str = SEE,
) -> T:
    """Return what a call to the server returns; `missing` is where to look for what is not there."""
    token = read_token(token_file, MADE_FOR_ADMINS)

    async def work_there() -> T:
        async with connect(server, token, tls=tls, missing=missing) as client:
            return await work(client)

    return asyncio.run(work_there())


def steer(
    server: str,
    tls: bool,
    token_file: Path,
    competition: str,
    call: Callable[[Client], Awaitable[pb.Competition]],
    *,
    json: bool,
    missing: str = SEE,
) -> None:
    """Make a call, and show how the competition stands after it; say if it stood so before."""

    async def work(client: Client) -> tuple[pb.Competition, Names, bool]:
        before = None
        with suppress(ShoalError):  # what is wrong is said by the call itself
            before = await client.competitions.get(competition)
        found = await call(client)
        same = before is not None and decided(before) == decided(found)
        return found, await names_of(client, bots_of(found)), same

    found, names, was_so = ask(server, tls, token_file, work, missing)
    if was_so:
        note("nothing has changed: it was so already")
    if json:
        say_json(found)
    else:
        show_competition(found, names)


def bots_of(found: pb.Competition) -> list[str]:
    """Return the ids of the bots about which something was decided."""
    excluded = [each.bot_id for each in found.excluded_bots]
    return [*excluded, *(each.bot_id for each in found.excluded_periods)]
